public import Items

/// Turns the movement of a preload range into prefetches and their cancellation (UIKit's prefetching data source).
///
/// Ids nearest ahead of the viewport come first. A row that will have left the range before its details could be there
/// is not prefetched: rushing past thousands of rows costs the details of those where the reader slows down. What is
/// wanted stays wanted until it is a screen away from the range: a viewport that trembles cancels nothing.
public struct PrefetchRange: Sendable {
  /// What to tell the prefetcher, in this order.
  public struct Change: Sendable, Equatable {
    /// No longer near.
    public var cancelled: [ItemID] = []
    /// Near, the most important first; all of them whenever there are other ones than before.
    public var wanted: [ItemID] = []

    public init() {}

    /// Nothing to tell.
    public var isEmpty: Bool { cancelled.isEmpty && wanted.isEmpty }
  }

  /// Where the reader is.
  public struct Position: Sendable, Hashable {
    /// Rows that are seen.
    public var visible: Range<Int>
    /// Rows near enough for their details.
    public var preload: Range<Int>
    /// In rows per second, positive towards the end.
    public var velocity: Double
    /// How long a fetch takes, in seconds; zero for a reader who waits for what is not there.
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

  /// The reader has moved, or the rows have changed; `id` names the item of a row, nil where none is held.
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

  /// The reader is gone: what is no longer wanted.
  public mutating func end() -> [ItemID] {
    defer { wanted = [] }
    return wanted.sorted()
  }
}

extension PrefetchRange.Position {
  /// The rows of the range that will still be in it when their details could be there.
  var worthwhile: Range<Int> {
    let passed = Int(min(1e9, max(0, abs(velocity) * latency)))
    if velocity >= 0 { return min(preload.upperBound, preload.lowerBound + passed)..<preload.upperBound }
    return preload.lowerBound..<max(preload.lowerBound, preload.upperBound - passed)
  }

  /// The rows where what is wanted stays wanted; none in a rush that passes the whole range during a fetch.
  var margin: Range<Int> {
    guard !worthwhile.isEmpty else { return 0..<0 }
    return preload.lowerBound - visible.count..<preload.upperBound + visible.count
  }

  /// Visible rows first, then what lies ahead, then what lies behind, the nearest first.
  func order(_ rows: Range<Int>) -> [Int] {
    let seen = rows.clamped(to: visible)
    let after = Array(rows.clamped(to: max(visible.upperBound, rows.lowerBound)..<Int.max))
    let before = Array(rows.clamped(to: Int.min..<min(visible.lowerBound, rows.upperBound)).reversed())
    return Array(seen) + (velocity < 0 ? before + after : after + before)
  }
}
