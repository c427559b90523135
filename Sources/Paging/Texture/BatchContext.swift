/// Texture's batch context as a value: the state of a batch fetch (Texture 1.4, 8.2).
///
/// Every `begin` gives a token. Completing or cancelling with a token of an earlier fetch changes nothing.
/// Without a token, and with `isUpstreamCompatible`, it behaves as upstream: every call ends the fetch in flight,
/// and `complete(false)` does nothing.
public struct BatchContext: Sendable, Hashable {
  /// Where a batch fetch is.
  public enum State: String, Sendable, CaseIterable {
    /// Over, or never begun.
    case completed
    /// Under way.
    case fetching
    /// Given up.
    case cancelled
  }

  /// Names one fetch.
  public struct Token: Sendable, Hashable {
    let number: Int
  }

  /// Tokens are ignored, and so is `complete(false)`.
  public let isUpstreamCompatible: Bool
  /// Where the newest fetch is.
  public private(set) var state = State.completed
  /// The handler said that no more is to come; cleared by `begin`.
  public private(set) var isFinished = false
  /// When the last failed fetch may be tried again; cleared by `begin`.
  public private(set) var retryAfter: Duration?
  /// Calls with the token of an earlier fetch, or without a fetch in flight.
  public private(set) var staleCalls = 0
  private var newest = Token(number: 0)

  public init(isUpstreamCompatible: Bool = false) { self.isUpstreamCompatible = isUpstreamCompatible }

  /// A fetch is in flight.
  public var isFetching: Bool { state == .fetching }
  /// The newest fetch was cancelled.
  public var wasCancelled: Bool { state == .cancelled }

  /// A fetch starts; the token of the one before is stale from now on.
  public mutating func begin() -> Token {
    newest = Token(number: newest.number + 1)
    state = .fetching
    isFinished = false
    retryAfter = nil
    return newest
  }

  /// Completes the fetch; `more` says whether there may be more. False if the token is stale.
  @discardableResult
  public mutating func complete(_ more: Bool, token: Token? = nil) -> Bool {
    if isUpstreamCompatible, !more { return false }
    guard accepts(token) else { return false }
    state = .completed
    isFinished = !more
    return true
  }

  /// Fails the fetch, which may be retried. False if the token is stale.
  @discardableResult
  public mutating func fail(retryAfter: Duration? = nil, token: Token? = nil) -> Bool {
    guard accepts(token) else { return false }
    state = .completed
    self.retryAfter = retryAfter
    return true
  }

  /// Cancels the fetch. False if the token is stale.
  @discardableResult
  public mutating func cancel(token: Token? = nil) -> Bool {
    guard isUpstreamCompatible || token == nil || accepts(token) else { return false }
    state = .cancelled
    return true
  }

  private mutating func accepts(_ token: Token?) -> Bool {
    if isUpstreamCompatible || token == nil { return true }
    if token == newest, state == .fetching { return true }
    staleCalls += 1
    return false
  }
}
