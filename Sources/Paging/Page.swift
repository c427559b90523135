public import Items

/// The items of one page, and how many the source sent before any were dropped on the way.
public struct PageItems: Sendable, Equatable {
  /// In the order of the source.
  public var items: [Item]
  /// As the source sent them; counted keys advance by this, and zero of them may mean the end.
  public var received: Int

  /// `received` is the number of items unless a transform changed it.
  public init(_ items: [Item], received: Int? = nil) {
    self.items = items
    self.received = received ?? items.count
  }
}

/// What one fetch returned: items, neighbouring keys and the total, as the source gave them.
public struct Page: Sendable, Equatable {
  /// The items, with how many were sent.
  public var contents: PageItems
  /// Nil is the end for cursors; counted keys do not need it.
  public var nextKey: PageKey?
  /// Nil means that nothing comes before; counted keys do not need it.
  public var previousKey: PageKey?
  /// Items that the source has in all, where it says so.
  public var total: Int?
  /// The source says that no page follows.
  public var isLast: Bool

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

  /// What is known of it before its items are made.
  public var outline: Page {
    var page = self
    page.contents = PageItems([], received: contents.received)
    return page
  }
}
