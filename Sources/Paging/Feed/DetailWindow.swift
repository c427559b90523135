internal import Items

/// The items whose details a reader will want soon: what it sees, and what lies ahead of it.
struct DetailWindow: Sendable {
  private var range = PrefetchRange()
  /// Ids of the rows of a reader who goes forward, from `first` on, as far as pages are there.
  private var ids: [ItemID] = []
  private var first = 0
  private var last: (row: Int, end: Int)?

  /// Rows of a viewport whose details are fetched ahead; pages can be larger.
  private static let longest = 10_000

  /// What has become of the reader's details with an event: other places are seen, or the reader has passed others.
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

  /// A reader who goes forward has these rows ahead, behind those of before.
  private mutating func append(_ changes: ChangeSet) {
    ids += changes.insertedItems.lazy.map(\.id)
    ids += changes.updates.lazy.map(\.item.id)
  }

  /// A reader who goes forward has passed the rows before `row`, and `length` rows are as good as seen. Nil where too little is
  /// other than before.
  ///
  /// The row before is still in its hands. It waits for what it wants, so it never rushes past a row.
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

  /// A reader who goes both ways sees these rows, or other rows are there. Rows that were rushed past are not wanted: `latency`
  /// is how long a fetch takes, in seconds.
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
  mutating func end() -> PrefetchRange.Change {
    var change = PrefetchRange.Change()
    change.cancelled = range.close()
    return change
  }
}
