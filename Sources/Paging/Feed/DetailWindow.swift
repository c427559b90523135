internal import Items

/// The items whose details a reader will want soon: those it sees, and those ahead.
struct DetailWindow: Sendable {
  private var range = PrefetchRange()
  /// A forward reader's row ids, from row `first` on, as far as pages have landed.
  private var ids: [ItemID] = []
  private var first = 0
  private var last: (row: Int, end: Int)?

  /// Maximum rows of a viewport whose details are prefetched; pages can be larger.
  private static let longest = 10_000

  /// The change to the wanted details after an event: other places are seen, or rows were passed.
  mutating func follow(
    _ effects: [Effect], _ places: ListPlaces, _ viewport: Viewport?, readAhead: Int, _ items: ItemSet,
    latency: Double
  ) -> PrefetchRange.Change? {
    if let wanted = places.wanted {
      return look(at: wanted, latency: latency) { items[$0 - places.start]?.id }
    }
    for case .apply(let changes, _) in effects { append(changes) }
    return viewport.flatMap { advance(to: $0.firstVisible, length: readAhead) }
  }

  /// Appends a forward reader's new rows.
  private mutating func append(_ changes: ChangeSet) {
    ids += changes.insertedItems.lazy.map(\.id)
    ids += changes.updates.lazy.map(\.item.id)
  }

  /// A forward reader has passed the rows before `row`, and is about to see `length` rows. Nil if too little has changed.
  ///
  /// It still uses the row before. It waits for what it wants, so it never skips a row.
  private mutating func advance(to row: Int, length: Int) -> PrefetchRange.Change? {
    let end = first + ids.count
    let length = min(length, Self.longest)
    if let last, last.end == end, row - last.row < max(1, length / 16) { return nil }
    last = (row, end)
    let passed = min(ids.count, max(0, row - 1 - first))
    ids.removeFirst(passed)
    first += passed
    let reach = RangeTuning.standard[.preload, .full].leading * Double(length)
    let visible = max(0, row - 1)..<row + length
    let position = PrefetchRange.Position(
      visible: visible, preload: visible.lowerBound..<visible.upperBound + Int(reach))
    return range.move(to: position) { [ids, first] row in
      ids.indices.contains(row - first) ? ids[row - first] : nil
    }
  }

  /// A reader who goes both ways sees these rows, or rows have changed. Rows skipped too fast to fetch are not wanted: `latency`
  /// is a fetch's duration in seconds.
  private mutating func look(
    at seen: Viewport, latency: Double, id: (Int) -> ItemID?
  ) -> PrefetchRange.Change {
    let reach = RangeTuning.standard[.preload, .full]
    let isBack = seen.velocity < 0
    let before = Int(seen.length * (isBack ? reach.leading : reach.trailing))
    let after = Int(seen.length * (isBack ? reach.trailing : reach.leading))
    let visible = seen.firstVisible..<max(seen.firstVisible, seen.lastVisible + 1)
    let position = PrefetchRange.Position(
      visible: visible, preload: visible.lowerBound - before..<visible.upperBound + after,
      velocity: seen.velocity, latency: latency)
    return range.move(to: position, id: id)
  }

  /// The reader is gone.
  mutating func close() -> PrefetchRange.Change {
    var change = PrefetchRange.Change()
    change.cancelled = range.close()
    return change
  }
}
