internal import Items

/// The pages that brought what is held, in their order.
///
/// Items behind the last of them are loose: a page that is still under way has shown them, or the caller put them there
/// before the first page. They belong to the page that comes next.
struct HeldPages: Sendable {
  private(set) var pages: [HeldPage] = []
  /// Items before the first page, whose pages are no longer remembered.
  private(set) var passed = 0
  /// Items up to the end of the last page.
  private(set) var end = 0

  /// Adds the page behind the last; all that is loose among so many items is its own.
  mutating func append(_ order: PageOrder, itemCount: Int) {
    pages.append(HeldPage(order: order, count: itemCount - end))
    end = itemCount
  }

  /// Adds a page before the first one.
  mutating func prepend(_ order: PageOrder, count: Int) {
    pages.insert(HeldPage(order: order, count: count), at: 0)
    end += count
  }

  mutating func removeFirst() -> PageOrder {
    let page = pages.removeFirst()
    end -= page.count
    return page.order
  }

  mutating func removeLast() -> PageOrder {
    let page = pages.removeLast()
    end -= page.count
    return page.order
  }

  /// Forgets the pages before an index; their items stay.
  mutating func pass(before index: Int) {
    while pages.count > 1, passed + pages[0].count <= index { passed += pages.removeFirst().count }
  }

  /// What the pages were up to the one with the item at an index, or the first behind it that was read forwards, where a key that leads
  /// backwards is no beginning; beyond the last page all.
  func orders(to index: Int, readForwards: Bool) -> [PageOrder] {
    var start = passed
    let place = pages.firstIndex { page in
      start += page.count
      return index < start && !(readForwards && page.order.direction == .prepend)
    }
    return pages.prefix(place.map { $0 + 1 } ?? pages.count).map(\.order)
  }

  /// Follows an edit: an item that goes is taken from its page, one that comes belongs to the page before it.
  mutating func follow(_ changes: ChangeSet) {
    removeRuns(changes.removals.map(\.range) + changes.moves.map { $0.from.item..<$0.from.item + 1 })
    insertRuns(
      changes.insertions.map { $0.path.item..<$0.path.item + $0.items.count }
        + changes.moves.map { $0.to.item..<$0.to.item + 1 })
  }

  /// Takes items by their indices before the change.
  private mutating func removeRuns(_ runs: [Range<Int>]) {
    var page = -1
    var place = 0..<passed
    for run in runs.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      while true {
        let count = run.clamped(to: place).count
        if page < 0 { passed -= count } else { pages[page].count -= count }
        end -= count
        guard run.upperBound > place.upperBound, page + 1 < pages.count else { break }
        page += 1
        place = place.upperBound..<place.upperBound + pages[page].count
      }
    }
  }

  /// Puts items by their indices after the change.
  private mutating func insertRuns(_ runs: [Range<Int>]) {
    var page = -1
    var stop = passed
    for run in runs.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      while page < 0 ? run.lowerBound >= stop : run.lowerBound > stop {
        guard page + 1 < pages.count else { return }
        page += 1
        stop += pages[page].count
      }
      if page < 0 { passed += run.count } else { pages[page].count += run.count }
      stop += run.count
      end += run.count
    }
  }
}

/// A page in the item set: what brought it, and how many items are its own.
struct HeldPage: Sendable, Equatable {
  var order: PageOrder
  var count: Int
}
