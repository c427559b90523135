internal import Items

/// A page to be asked for: what stays the same over all attempts at it.
struct PageOrder: Sendable, Equatable {
  var key: PageKey?
  var size: Int
  var direction: Direction
  /// The page was held before; its place is known, so that it tells nothing about keys or the end.
  var isReplay = false
  /// Fetches what a shorter page than asked for left out; says nothing about the end.
  var isFill = false

  /// The same page, asked for again.
  var replay: PageOrder {
    PageOrder(
      key: key, size: size, direction: direction == .refresh ? .append : direction, isReplay: true,
      isFill: isFill)
  }

  /// The key as a number; cursors have none.
  var number: Int64? {
    guard case .integer(let number) = key else { return nil }
    return number
  }
}

/// What a fetch brought, in one form for pages and for handlers that complete by call.
struct Landing: Sendable, Equatable {
  var items: [Item] = []
  var received = 0
  /// Ids that it says are gone, beside them.
  var removed = 0
  var nextKey: PageKey?
  var previousKey: PageKey?
  var total: Int?
  /// The page said that none follows it.
  var isLast = false
  /// The handler said that it is over on this side.
  var isOver = false
  /// The source said that there may be more, whatever the rest looks like.
  var saysMore = false
  /// The page said that it is not the last.
  private(set) var goesOn = false
  /// Whether something follows though it has no items, or names no key.
  var isGap: Bool { saysMore || goesOn }

  init(_ answer: FetchAnswer) throws(FetchFailure) {
    switch answer {
    case .page(let page): self.init(page)
    case .completed(let more, let key, let total): self.init(more: more, nextKey: key, total: total)
    case .failed(let failure): throw failure
    }
  }

  init(_ page: Page) {
    items = page.contents.items
    received = Self.limited(page.contents.received, Limits.count)
    removed = Self.limited(page.contents.removed, Limits.count)
    nextKey = page.nextKey
    previousKey = page.previousKey
    total = page.total.map { Self.limited($0, Limits.total) }
    (isLast, goesOn) = (page.isLast, page.goesOn)
  }

  private init(more: Bool, nextKey: PageKey?, total: Int?) {
    self.nextKey = nextKey
    self.total = total.map { Self.limited($0, Limits.total) }
    isOver = !more
    saysMore = more
  }

  /// How far counted keys advance by it: by its items, or where it has none, by what it says is gone.
  func advance(received: Int) -> Int { received > 0 ? received : removed }

  /// The key that it names of the page behind it, in the direction of its order.
  func key(behind order: PageOrder) -> PageKey? {
    order.direction == .prepend && !saysMore ? previousKey : nextKey
  }

  /// It brings nothing.
  mutating func dropItems() { (items, received, removed) = ([], 0, 0) }

  /// A count as the other side told it, whatever that was.
  static func limited(_ told: Int, _ most: Int) -> Int { min(max(0, told), most) }
}
