/// The items that were in view at some time.
struct SeenItems {
  /// One more than the last of them.
  private(set) var end = 0
  /// Those before it that were jumped over, and have not come into view since.
  private var missed = RangeSet<Int>()
  private var missedCount = 0

  /// Distinct items.
  var count: Int { end - missedCount }

  /// Items come into view; `first` is called with those that had not been, and their number is returned.
  @discardableResult
  mutating func see(_ items: Range<Int>, first: (Range<Int>) -> Void = { _ in }) -> Int {
    if missedCount > 0 || items.lowerBound > end { return seeApart(items, first) }
    guard items.upperBound > end else { return 0 }
    let new = end..<items.upperBound
    end = new.upperBound
    first(new)
    return new.count
  }

  /// The same behind or in what was jumped over.
  private mutating func seeApart(_ items: Range<Int>, _ first: (Range<Int>) -> Void) -> Int {
    guard !items.isEmpty else { return 0 }
    let before = count
    for new in missed.intersection(RangeSet(items)).ranges { first(new) }
    missed.remove(contentsOf: items)
    if items.upperBound > end {
      if items.lowerBound > end { missed.insert(contentsOf: end..<items.lowerBound) }
      first(max(end, items.lowerBound)..<items.upperBound)
      end = items.upperBound
    }
    missedCount = missed.ranges.reduce(0) { $0 + $1.count }
    return count - before
  }
}
