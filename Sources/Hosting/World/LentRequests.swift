import Glibc
import Paging

/// Requests to hosts that a person allowed: the cage makes no connection to them, it is given one. Used on the loop's thread.
final class LentRequests {
  private let http: HTTPClient
  private let connections: LentConnections

  /// Requests through the client; `wake` is called on any thread when a connection is there.
  init(_ http: HTTPClient, _ asking: Asking, waking wake: @escaping @Sendable () -> Void) {
    self.http = http
    connections = asking.connections(waking: wake)
  }

  /// Starts a request, on a connection that is free, or else on a new one.
  func start(
    _ id: HostCallID, _ request: HTTPRequest, to address: HTTPAddress,
    reply: @escaping @Sendable (HostReply) -> Void
  ) {
    connections.want(id)
    http.start(
      OutgoingRequest(
        id: id, request: request, address: address, connection: .lent(nil, ask: connections.begin)
      ) {
        [connections] in
        connections.forget(id)
        reply($0)
      })
  }

  /// Sends what waited for its connection. `mayReach` is asked with the address of the host, the local one, and the port.
  func advance(_ mayReach: (String, String, Int) -> Bool) {
    for arrival in connections.drain() {
      var outgoing = arrival.request
      switch arrival.outcome {
      case .failure(let error):
        outgoing.reply(.failed(HostFailure(error, connectingTo: outgoing.address)))
      case .success(let file):
        let (peer, local) = (Self.address(of: file, getpeername), Self.address(of: file, getsockname))
        if mayReach(peer, local, outgoing.address.port) {
          outgoing.connection = .lent(file, ask: connections.begin)
          http.start(outgoing)
        } else {
          outgoing.reply(.failed(HostFailure(outgoing.request, at: peer, deniedFor: outgoing.address)))
        }
      }
    }
  }

  /// Forgets a request.
  func cancel(_ id: HostCallID) { connections.forget(id) }

  private typealias End = (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32

  /// The address of an end in figures; empty if it can't be told.
  private static func address(of file: FileDescriptor, _ end: End) -> String {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let isKnown = withUnsafeMutableBytes(of: &storage) { bytes in
      let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
      return file.withNumber { end($0, address, &length) } == 0
        && getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
    }
    return isKnown
      ? String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : ""
  }
}

extension HostFailure {
  /// Why there is no connection to the host.
  init(_ error: SystemError, connectingTo address: HTTPAddress) {
    let place = "\(address.host.inURL):\(address.port)"
    switch error.number {
    case OutgoingConnection.noSuchHost:
      self.init(.network, "could not find the host \(address.host.text)", isTransient: true)
    case ETIMEDOUT:
      self.init(
        .timeout, "no connection to \(place) within \(OutgoingConnection.seconds) s", isTransient: true)
    default:
      self.init(.network, "could not connect to \(place) (\(error.reason))", isTransient: true)
    }
    isUnsent = true
  }
}
