public import Paging

/// When a reader that never waits first sees each page.
public struct PageNeeds: Sendable, Equatable {
  /// Items of a page.
  public let pageSize: Int
  /// Different items that were visible at some time.
  public private(set) var seenItems = 0
  /// By page; nil where nothing of it was visible.
  private var firsts: [Instant?] = []
  /// By item.
  private var isSeen: [Bool] = []

  /// A page that is needed, and when.
  public struct Need: Sendable, Hashable {
    /// Counted from zero.
    public let page: Int
    /// The first time that one of its items is visible.
    public let deadline: Instant

    public init(page: Int, deadline: Instant) {
      self.page = page
      self.deadline = deadline
    }
  }

  /// Nothing was visible yet. Pages have at least one item.
  public init(pageSize: Int) { self.pageSize = max(1, pageSize) }

  /// These items, counted from zero, are visible at that time. In any order of times.
  public mutating func see(_ items: Range<Int>, at time: Instant) {
    guard items.lowerBound >= 0, let last = items.last else { return }
    let lastPage = last / pageSize
    while firsts.count <= lastPage { firsts.append(nil) }
    while isSeen.count <= last { isSeen.append(false) }
    for page in items.lowerBound / pageSize...lastPage {
      firsts[page] = min(firsts[page] ?? time, time)
    }
    for item in items where !isSeen[item] {
      isSeen[item] = true
      seenItems += 1
    }
  }

  /// The pages in the order in which they are needed; a jump leaves holes, a way back adds nothing.
  public var needs: [Need] {
    let needs = firsts.indices.compactMap { page in
      firsts[page].map { Need(page: page, deadline: $0) }
    }
    return needs.sorted { ($0.deadline, $0.page) < ($1.deadline, $1.page) }
  }

  /// All pages up to the last one needed, where none can be skipped: a page in a hole is needed when the next
  /// page behind it is.
  public var needsWithoutHoles: [Need] {
    var soonest: Instant?
    var needs: [Need] = []
    for page in firsts.indices.reversed() {
      if let first = firsts[page] { soonest = min(soonest ?? first, first) }
      if let soonest { needs.append(Need(page: page, deadline: soonest)) }
    }
    return needs.reversed()
  }
}
