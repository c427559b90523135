/// Decides when to fetch ahead.
///
/// Called after every change of state, again after each yes while more fetches can start, and also while none can:
/// requests beyond the free slots are not remembered. It answers immediately and never fails: the wrapper of a scripted
/// policy falls back to the hint.
///
/// ```swift
/// struct NearEnd: FetchPolicy {
///   mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
///     Verdict(view.remainingItems < 50, reason: "near the end")
///   }
/// }
/// ```
public protocol FetchPolicy {
  /// The verdict for the side `view.direction`.
  mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict

  /// Its last yes was not followed: another policy had the last word.
  mutating func wasHeldBack()

  /// The viewports, of the same length and visibility, for which its "no" to this view stays a "no" while nothing else changes;
  /// nil, the default, where that is unknown. Only for policies without state: they are not asked about moves inside.
  func deadZone(around view: PolicyView) -> DeadZone?
}

extension FetchPolicy {
  public mutating func wasHeldBack() {}

  public func deadZone(around view: PolicyView) -> DeadZone? { nil }
}

/// The answer of a policy.
public struct Verdict: Sendable, Equatable {
  /// Number of pages to start; zero means no.
  public var fetch: Int
  /// The side, if other than the one asked about.
  public var direction: Direction?
  /// Don't ask again on this side for that long.
  public var wait: Duration?
  /// Cancel what is in flight on this side.
  public var cancel: Bool
  /// The reason, for users.
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

  /// One page, requested by the reader (`Event.pageRequested`).
  public static let byHand = Verdict(true, reason: "asked for by hand")

  /// Whether it requests a page.
  public var isYes: Bool { fetch > 0 }
}
