public import Items

/// The answer to a host call.
public enum HostReply: Sendable, Equatable {
  case done
  case response(HTTPResponse)
  case bytes(Bytes)
  case lines([Bytes], isEnd: Bool)
  case rows(Bytes, isEnd: Bool)
  case handle(Int)
  case count(Int)
  case flag(Bool)
  case names([String])
  /// Nil when there is none of that name.
  case text(String?)
  case failed(HostFailure)
}

/// Why the outside did not do what a script asked; scripts see it as an error table.
public struct HostFailure: Error, Sendable, Equatable {
  /// The kind of failure; scripts see its raw value as `code`.
  public enum Code: String, Sendable {
    /// A permission is missing; `needs` names the flag.
    case denied
    /// No connection, a broken one, a name that does not resolve, a body cut short.
    case network
    case timeout
    /// An HTTP status that the script did not ask to see.
    case http
    /// An answer over the size that was allowed.
    case tooLarge
    case notFound
    case io
    case database
    /// Text that is not what it claims to be, as broken JSON.
    case parse
    /// Asked to wait longer than the caller allows.
    case rateLimited
    case cancelled
    /// A value that the call cannot take.
    case invalid
    /// The script's budget is used up by what was done for it.
    case limit
    /// A replay was asked for what its recording does not have.
    case notRecorded
  }

  public var code: Code
  /// What happened, with the evidence: names, addresses, numbers.
  public var message: String
  /// The option that would allow a denied call, as `--allow-net=api.example.com`.
  public var needs: String?
  /// Whether the same call may succeed when made again.
  public var isTransient: Bool
  /// How long the other side asked to wait.
  public var retryAfter: Duration?
  /// The HTTP status, where there is one.
  public var status: Int?
  /// The other side was never reached, so that nothing can have been done.
  public var isUnsent = false

  public init(
    _ code: Code, _ message: String, needs: String? = nil, isTransient: Bool = false,
    retryAfter: Duration? = nil, status: Int? = nil
  ) {
    self.code = code
    self.message = message
    self.needs = needs
    self.isTransient = isTransient
    self.retryAfter = retryAfter
    self.status = status
  }
}
