public import Items

/// The answer to a host call.
public enum HostReply: Sendable, Equatable {
  case done
  indirect case response(HTTPResponse)
  case bytes(Bytes)
  case lines([Bytes], isEnd: Bool)
  case rows(IndexedJSON, isEnd: Bool)
  case page(FilePage)
  case handle(Int)
  case count(Int)
  case flag(Bool)
  case names([String])
  /// Nil if there is none by that name.
  case text(String?)
  indirect case begun(BegunReading)
  indirect case step(BegunStep)
  indirect case failed(HostFailure)
}

/// Why a host call failed; scripts see it as an error table.
public struct HostFailure: Error, Sendable, Equatable {
  /// The kind of failure; scripts see its raw value as `code`.
  public enum Code: String, Sendable {
    /// A permission is missing; `needs` names the flag.
    case denied
    /// No connection, a broken one, an unresolved name, a truncated body.
    case network
    case timeout
    /// An HTTP error status the script did not ask to handle.
    case http
    /// A response over the size limit.
    case tooLarge
    case notFound
    case io
    case database
    /// No driver for a database, or none that can be loaded.
    case noDriver
    /// Malformed data, such as invalid JSON.
    case parse
    /// The server asked for a longer wait than the caller allows.
    case rateLimited
    case cancelled
    /// An invalid argument.
    case invalid
    /// The script's budget is exhausted.
    case limit
    /// A replay lacks this call in its recording.
    case notRecorded
  }

  public var code: Code
  /// What happened, with the evidence: names, addresses, numbers.
  public var message: String
  /// The option that would allow a denied call, such as `--allow-net=api.example.com`.
  public var needs: String?
  /// Whether the same call may succeed if repeated.
  public var isTransient: Bool
  /// How long the server asked to wait.
  public var retryAfter: Duration?
  /// The HTTP status, if any.
  public var status: Int?
  /// Whether the server was never reached, so that nothing can have been done.
  public var isUnsent = false
  /// Whether a connection that was kept from an earlier call brought nothing of an answer, as one that the server has given up.
  public var isStale = false

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
