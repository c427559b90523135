/// Decides when to fetch ahead.
///
/// It is asked after every change of state, again after a yes while more can be started, and also while
/// nothing can be: what it asks for beyond the free slots is not remembered. It answers at once and never
/// fails: what wraps a script gives the hint instead.
public protocol FetchPolicy {
  /// The verdict for the side `view.direction`.
  mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict
}

/// What a policy says.
public struct Verdict: Sendable, Equatable {
  /// Pages to start; zero is no.
  public var fetch: Int
  /// The side, where it is not the one asked about.
  public var direction: Direction?
  /// Do not ask again on this side before that much time has passed.
  public var wait: Duration?
  /// Give up what is in flight on this side.
  public var cancel: Bool
  /// Why, for people.
  public var reason: String

  public init(
    fetch: Int = 0, direction: Direction? = nil, wait: Duration? = nil, cancel: Bool = false,
    reason: String = ""
  ) {
    self.fetch = fetch
    self.direction = direction
    self.wait = wait
    self.cancel = cancel
    self.reason = reason
  }

  /// One page, or none.
  public init(_ answer: Bool, reason: String = "") {
    self.init(fetch: answer ? 1 : 0, reason: reason)
  }

  /// One page that the reader asked for itself (`Event.pageRequested`).
  public static let byHand = Verdict(true, reason: "asked for by hand")

  /// Whether it asks for a page.
  public var isYes: Bool { fetch > 0 }
}
