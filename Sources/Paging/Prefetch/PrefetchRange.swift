public import Items

/// Turns movements of a preload range into prefetches and cancellations (UIKit's prefetching data source).
///
/// Ids nearest ahead of the viewport come first. A row that will have left the range before its details could arrive is
/// not prefetched: rushing past thousands of rows costs only the details of those where the reader slows down. Rows
/// stay wanted until they are a screen away from the range: a jittering viewport cancels nothing.
public struct PrefetchRange: Sendable {
  /// What to pass to the prefetcher, in this order.
  public struct Change: Sendable, Equatable {
    /// Ids that are no longer near.
    public var cancelled: [ItemID] = []
    /// Ids that are near, most important first; the whole list on every change.
    public var wanted: [ItemID] = []

    public init() {}

    /// Whether there is nothing to pass on.
    public var isEmpty: Bool { cancelled.isEmpty && wanted.isEmpty }
  }

  /// Where the reader is.
  public struct Position: Sendable, Hashable {
    /// Visible rows.
    public var visible: Range<Int>
    /// Rows near enough for their details.
    public var preload: Range<Int>
    /// Rows per second, positive towards the end.
    public var velocity: Double
    /// Duration of a fetch, in seconds; zero for a reader that waits for missing items.
    public var latency: Double

    public init(visible: Range<Int>, preload: Range<Int>, velocity: Double = 0, latency: Double = 0) {
      self.visible = visible
      self.preload = preload
      self.velocity = velocity
      self.latency = latency
    }
  }

  private var wanted: Set<ItemID> = []

  public init() {}

  /// The reader moved, or the rows changed; `id` returns the item in a row, nil if none is held.
  public mutating func move(to position: Position, id: (Int) -> ItemID?) -> Change {
    let worthwhile = position.worthwhile
    var change = Change()
    var now: Set<ItemID> = []
    for row in position.order(worthwhile) {
      if let id = id(row), now.insert(id).inserted { change.wanted.append(id) }
    }
    let isNew = !now.isSubset(of: wanted)
    for row in position.margin where !worthwhile.contains(row) {
      if let id = id(row), wanted.contains(id) { now.insert(id) }
    }
    change.cancelled = wanted.subtracting(now).sorted()
    if !isNew { change.wanted = [] }
    wanted = now
    return change
  }

  /// The reader is gone; returns what is no longer wanted.
  public mutating func close() -> [ItemID] {
    defer { wanted = [] }
    return wanted.sorted()
  }
}

extension PrefetchRange.Position {
  /// The rows that will still be in range when their details arrive.
  var worthwhile: Range<Int> {
    let passed = Int(min(1e9, max(0, abs(velocity) * latency)))
    if velocity >= 0 { return min(preload.upperBound, preload.lowerBound + passed)..<preload.upperBound }
    return preload.lowerBound..<max(preload.lowerBound, preload.upperBound - passed)
  }

  /// The rows that stay wanted; none if the whole range is passed during a fetch.
  var margin: Range<Int> {
    guard !worthwhile.isEmpty else { return 0..<0 }
    return preload.lowerBound - visible.count..<preload.upperBound + visible.count
  }

  /// Visible rows first, then those ahead, then those behind, nearest first.
  func order(_ rows: Range<Int>) -> [Int] {
    let seen = rows.clamped(to: visible)
    let after = Array(rows.clamped(to: max(visible.upperBound, rows.lowerBound)..<Int.max))
    let before = Array(rows.clamped(to: Int.min..<min(visible.lowerBound, rows.upperBound)).reversed())
    return Array(seen) + (velocity < 0 ? before + after : after + before)
  }
}
