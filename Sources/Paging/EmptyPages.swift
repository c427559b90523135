/// What pages without items say about a list with counted keys of which nothing else tells where it ends.
///
/// A list that its server filters may have short and empty pages anywhere. It is over where an empty page is all there is,
/// where another empty one follows, and behind a short page, unless short pages had more behind them before. Pages are looked
/// at in their order, whichever came first, so that the end is the same however many are requested at once.
public struct EmptyPages: Sendable, Equatable {
  /// Items of the largest page so far; 0 before the first one.
  public var largest: Int32 = 0
  /// Items of the last page, if that was short; else 0.
  public var short: Int32 = 0
  /// More items came behind a short or an empty page.
  public var hasGaps = false
  /// Whether the last page was empty.
  public var isLastEmpty = false
  /// Whether the list is over.
  private(set) var areEnd = false
  /// Whether reading goes on behind pages of which no more is known than this.
  private var isContinued = false

  public init() {}

  /// Goes on behind pages that came earlier.
  mutating func recall(_ position: Position) {
    self = position.emptyPages
    isContinued = position.pages > 0
  }

  /// What is to be remembered of the pages before a position.
  func note(in position: inout Position) {
    position.emptyPages = self
    (position.emptyPages.areEnd, position.emptyPages.isContinued) = (false, false)
  }

  /// The same list, read from another key on: what its pages are like is known, and not which one precedes that key.
  var elsewhere: EmptyPages {
    var pages = self
    (pages.short, pages.isLastEmpty, pages.areEnd) = (0, false, false)
    return pages
  }

  /// Looks at the next page, which was asked for that many items; an empty one behind a short one is the end only where keys count
  /// pages. Offsets count what came, so that the page behind a short one overlaps what was to come: nothing follows from it alone.
  mutating func follow(items: Int, of size: Int, countsPages: Bool) {
    let (items, size) = (Int32(clamping: items), Int32(clamping: size))
    guard items == 0 else {
      // All pages of a source that sends fewer items than are asked for are short, and equal; none of them is larger.
      let isCapped = short == items && short == largest
      hasGaps = hasGaps || isLastEmpty || short > 0 && !isCapped
      short = items < (largest > 0 ? min(largest, size) : size) ? items : 0
      largest = max(items, largest)
      (isLastEmpty, areEnd) = (false, false)
      return
    }
    areEnd = isLastEmpty || largest == 0 && !isContinued || countsPages && short > 0 && !hasGaps
    isLastEmpty = true
  }
}
