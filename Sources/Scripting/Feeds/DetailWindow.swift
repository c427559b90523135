import Items
import Paging

/// The rows that a reader is to come to, whose details its source's prefetcher fetches.
struct DetailWindow {
  let prefetcher: ScriptPrefetcher
  var range = PrefetchRange()
  /// Ids of a loop's rows from `first` on, as far as pages are there.
  private var ids: [ItemID] = []
  private var first = 0
  private var last: (row: Int, end: Int)?
  /// Rows of a viewport whose details are fetched ahead; pages can be larger.
  private static let longest = 10_000

  init(_ prefetcher: ScriptPrefetcher) { self.prefetcher = prefetcher }

  /// A loop has these rows ahead, behind those of before.
  mutating func append(_ items: [Item]) { ids += items.lazy.map(\.id) }

  /// A loop has passed the rows before `row`, and `length` rows are as good as seen. Nil where too little is other than
  /// before.
  ///
  /// The row before is still in the loop's hands. A loop waits for what it wants, so it never rushes past a row.
  mutating func move(to row: Int, length: Int) -> PrefetchRange.Change? {
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
}
