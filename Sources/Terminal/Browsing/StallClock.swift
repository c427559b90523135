public import Paging

/// How long a reader has waited for rows that should have been there. Before the first row was there it does not run.
public struct StallClock: Sendable, Hashable {
  /// Waits so far, the present one included.
  public private(set) var stalls = 0
  private var finished = Duration.zero
  private var since: Instant?
  private var hasBegun = false

  public init() {}

  /// Whether the reader waits now.
  public var isRunning: Bool { since != nil }

  /// Notes whether a visible row is missing.
  public mutating func update(isMissing: Bool, hasItems: Bool, at now: Instant) {
    if hasItems { hasBegun = true }
    guard hasBegun, isMissing != isRunning else { return }
    if let start = since {
      finished += now - start
      since = nil
      // A page that arrived at once is no stall.
      if start == now { stalls -= 1 }
    } else {
      since = now
      stalls += 1
    }
  }

  /// The sum of all waits until now.
  public func total(at now: Instant) -> Duration { finished + (since.map { now - $0 } ?? .zero) }
}
