import Paging

/// A request that is about to be sent, and who waits for the answer.
struct OutgoingRequest: Sendable {
  let id: HostCallID
  let request: HTTPRequest
  let address: HTTPAddress
  /// The proxy that is asked instead of the host, if any.
  var proxy: HTTPProxy?
  var connection = Connecting.itself
  /// Called once, on any thread, unless the request is cancelled.
  let reply: @Sendable (HostReply) -> Void

  /// Where its connection comes from.
  enum Connecting: Sendable {
    /// It looks up the name and connects.
    case itself
    /// It is one that was lent to an earlier request, or else this one, if any. Where there is none, `ask` is called, on any thread,
    /// and the request is to be started again with another.
    case lent(FileDescriptor?, ask: @Sendable (OutgoingRequest) -> Void)
  }
}
