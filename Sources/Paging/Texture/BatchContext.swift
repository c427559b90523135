/// Texture's batch context as a value: is a fetch under way, and was it cancelled (Texture 1.4, 8.2)?
///
/// Every `begin` gives a token. Completing or cancelling with a token of an earlier fetch changes nothing.
/// Without a token, and with `isUpstreamCompatible`, it behaves as upstream: anybody ends whatever is under
/// way, and `complete(false)` does nothing at all.
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
  /// Calls with a token of an earlier fetch, or none under way.
  public private(set) var staleCalls = 0
  private var newest = Token(number: 0)

  public init(isUpstreamCompatible: Bool = false) { self.isUpstreamCompatible = isUpstreamCompatible }

  /// A fetch is under way.
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

  /// The fetch is over; `more` says whether there may be more. Says whether the call counted.
  @discardableResult
  public mutating func complete(_ more: Bool, token: Token? = nil) -> Bool {
    if isUpstreamCompatible, !more { return false }
    guard accepts(token) else { return false }
    state = .completed
    isFinished = !more
    return true
  }

  /// The fetch failed and may be tried again. Says whether the call counted.
  @discardableResult
  public mutating func fail(retryAfter: Duration? = nil, token: Token? = nil) -> Bool {
    guard accepts(token) else { return false }
    state = .completed
    self.retryAfter = retryAfter
    return true
  }

  /// The fetch is given up. Says whether the call counted.
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
