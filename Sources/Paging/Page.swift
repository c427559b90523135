public import Items

/// The items of one page, and how many the source sent before any were dropped.
public struct PageItems: Sendable, Equatable {
  /// In source order.
  public var items: [Item]
  /// As sent by the source; counted keys advance by this, and zero may mean the end.
  public var received: Int
  /// Ids beside the items that the source says are gone, and has not said of another page: a page that tells some is not empty.
  public var removed: Int

  /// `received` is the number of items unless a transform changed it.
  public init(_ items: [Item], received: Int? = nil, removed: Int = 0) {
    self.items = items
    self.received = received ?? items.count
    self.removed = removed
  }
}

/// The result of one fetch: items, neighbouring keys and the total, as the source gave them.
///
/// ```swift
/// let page = Page(PageItems(items), nextKey: .text("c2"))
/// ```
public struct Page: Sendable, Equatable {
  /// The items, with the number sent.
  public var contents: PageItems
  /// Nil means the end for cursors, unless the page goes on; counted keys do not need it.
  public var nextKey: PageKey?
  /// Nil means that nothing comes before; counted keys do not need it.
  public var previousKey: PageKey?
  /// Total number of items in the source, if it reports one.
  public var total: Int?
  /// Whether the source says that no page follows.
  public var isLast: Bool
  /// Whether the source says that one follows: then an empty page of counted keys is a gap, and a page that names no next key is
  /// followed by one that has none, as after `context:complete(true)`.
  public var goesOn = false

  public init(
    _ contents: PageItems, nextKey: PageKey? = nil, previousKey: PageKey? = nil, total: Int? = nil,
    isLast: Bool = false
  ) {
    self.contents = contents
    self.nextKey = nextKey
    self.previousKey = previousKey
    self.total = total
    self.isLast = isLast
  }

  /// The page without its items.
  public var outline: Page {
    var page = self
    page.contents = PageItems([], received: contents.received, removed: contents.removed)
    return page
  }
}
