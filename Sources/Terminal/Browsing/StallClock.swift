public import Paging

/// How long a reader has waited for missing rows. It does not run before the first row.
public struct StallClock: Sendable, Hashable {
  /// Number of waits, including the current one.
  public private(set) var stalls = 0
  private var finished = Duration.zero
  private var since: Instant?
  private var hasBegun = false

  public init() {}

  /// Whether the reader is waiting.
  public var isRunning: Bool { since != nil }

  /// Records whether a visible row is missing.
  public mutating func update(isMissing: Bool, hasItems: Bool, at now: Instant) {
    if hasItems { hasBegun = true }
    guard hasBegun, isMissing != isRunning else { return }
    if let start = since {
      finished += now - start
      since = nil
      // A page that arrives at once is not a stall.
      if start == now { stalls -= 1 }
    } else {
      since = now
      stalls += 1
    }
  }

  /// The sum of all waits so far.
  public func total(at now: Instant) -> Duration { finished + (since.map { now - $0 } ?? .zero) }
}
