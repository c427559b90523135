public import Items

/// Turns the movement of a preload range into prefetches and their cancellation (UIKit's prefetching data source).
///
/// Ids nearest ahead of the viewport come first. A row that will have left the range before its details could be there
/// is not prefetched: rushing past thousands of rows costs the details of those where the reader slows down.
public struct PrefetchRange: Sendable {
  /// What to tell the prefetcher, in this order.
  public struct Change: Sendable, Equatable {
    /// No longer near.
    public var cancelled: [ItemID] = []
    /// Near, the most important first; all of them whenever something changed.
    public var wanted: [ItemID] = []

    public init() {}
  }

  /// Rows that were wanted at last.
  private var rows = 0..<0
  private var wanted: Set<ItemID> = []

  public init() {}

  /// The range has moved, or the rows have changed. `visible` and `preload` are rows; `velocity` is in rows per second,
  /// positive towards the end; `latency` is how long a fetch takes, in seconds; `id` names the item of a row that is held.
  public mutating func move(
    visible: Range<Int>, preload: Range<Int>, velocity: Double, latency: Double, id: (Int) -> ItemID?
  ) -> Change {
    let worthwhile = rows(preload, velocity: velocity, latency: latency)
    rows = worthwhile
    var change = Change()
    var now: Set<ItemID> = []
    for row in order(worthwhile, visible: visible, velocity: velocity) {
      if let id = id(row), now.insert(id).inserted { change.wanted.append(id) }
    }
    change.cancelled = wanted.subtracting(now).sorted()
    if now == wanted { change.wanted = [] }
    wanted = now
    return change
  }

  /// The rows of the range that will still be in it when their details could be there.
  private func rows(_ preload: Range<Int>, velocity: Double, latency: Double) -> Range<Int> {
    let passed = Int(min(1e9, abs(velocity) * latency))
    if velocity >= 0 { return min(preload.upperBound, preload.lowerBound + passed)..<preload.upperBound }
    return preload.lowerBound..<max(preload.lowerBound, preload.upperBound - passed)
  }

  /// Visible rows first, then what lies ahead, then what lies behind, the nearest first.
  private func order(_ rows: Range<Int>, visible: Range<Int>, velocity: Double) -> [Int] {
    let seen = rows.clamped(to: visible)
    let after = Array(rows.clamped(to: max(visible.upperBound, rows.lowerBound)..<Int.max))
    let before = Array(rows.clamped(to: Int.min..<min(visible.lowerBound, rows.upperBound)).reversed())
    return Array(seen) + (velocity < 0 ? before + after : after + before)
  }
}
