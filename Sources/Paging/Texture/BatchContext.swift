/// Texture's batch context as a value: the state of a batch fetch (Texture 1.4, 8.2).
///
/// Every `begin` returns a token. Completing or cancelling with a stale token changes nothing. Without a token, and
/// with `isUpstreamCompatible`, it behaves like upstream: every call ends the fetch in flight, and `complete(false)`
/// does nothing.
public struct BatchContext: Sendable, Hashable {
  /// The state of a batch fetch.
  public enum State: String, Sendable, CaseIterable {
    /// Over, or never begun.
    case completed
    /// In flight.
    case fetching
    /// Cancelled.
    case cancelled
  }

  /// Identifies one fetch.
  public struct Token: Sendable, Hashable {
    let number: Int
  }

  /// Whether tokens and `complete(false)` are ignored.
  public let isUpstreamCompatible: Bool
  /// The state of the newest fetch.
  public private(set) var state = State.completed
  /// Whether the handler said that nothing more will come; cleared by `begin`.
  public private(set) var isFinished = false
  /// When the last failed fetch may be retried; cleared by `begin`.
  public private(set) var retryAfter: Duration?
  /// Calls with a stale token, or without a fetch in flight.
  public private(set) var staleCalls = 0
  private var newest = Token(number: 0)

  public init(isUpstreamCompatible: Bool = false) { self.isUpstreamCompatible = isUpstreamCompatible }

  /// Whether a fetch is in flight.
  public var isFetching: Bool { state == .fetching }
  /// Whether the newest fetch was cancelled.
  public var wasCancelled: Bool { state == .cancelled }

  /// Starts a fetch; earlier tokens become stale.
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
