internal import Items

/// Which cursor follows which: each page names the next one, and where a side turns around, the first page names the one that
/// comes behind the last.
struct CursorTrail: Sendable {
  /// Those requested in this generation, in the direction in which the list is read now.
  private var used: Set<PageKey> = []
  @Seldom private var known: Known?
  /// Whether a key did not count on.
  private var isOther = false
  private let side: Direction
  private let allowsReuse: Bool
  private let turnsAround: Bool

  /// What pages have told of the keys.
  private struct Known {
    var front: PageKey?
    var counting: CountingKeys?
  }

  /// The key of the page before the first one, where the side turns around.
  var front: PageKey? { known?.front }
  /// What the keys so far have in common, where all of them only count.
  var counting: CountingKeys? { known?.counting }

  init(_ side: Direction, _ options: FeedConfiguration.Options) {
    self.side = side
    allowsReuse = options.allowsKeyReuse
    turnsAround = options.turnsAround
  }

  /// Goes on at a position; returns where.
  mutating func begin(at position: Position) -> Frontier {
    know(front: position.front, counting: position.counting)
    isOther = position.pages > 1 && counting == nil
    return position.isBackward ? .before(position.key) : .key(position.key)
  }

  /// A page of that key is requested.
  mutating func use(_ key: PageKey?) { if let key { used.insert(key) } }

  /// Pages that were requested are as if they had not been.
  mutating func withdraw(_ slots: [Slot]) {
    for slot in slots where !slot.order.isReplay { slot.order.key.map { _ = used.remove($0) } }
  }

  /// Whether the key that a page names was used before.
  func leadsBack(_ landing: Landing, from order: PageOrder) -> Bool {
    guard !allowsReuse, let key = landing.key(behind: order) else { return false }
    return used.contains(key)
  }

  /// Looks whether the key that a page of so many items names counts on. What the first page names, which often has no key itself, may
  /// not tell.
  private mutating func count(from order: PageOrder, to next: PageKey, items: Int) {
    guard !isOther, side == .append, order.direction != .prepend else { return }
    let counting = CountingKeys(from: order.key, to: next, items: items, of: order.size, after: counting)
    isOther = counting == nil && order.direction != .refresh
    if counting != self.counting { know(front: front, counting: counting) }
  }

  private mutating func know(front: PageKey?, counting: CountingKeys?) {
    known = front == nil && counting == nil ? nil : Known(front: front, counting: counting)
  }

  /// Where the list goes on behind a page of so many items; throws if the pages form a loop.
  mutating func follow(_ landing: Landing, from order: PageOrder, items: Int) throws(FetchFailure) -> Frontier
  {
    let key = landing.key(behind: order)
    let isBackward = order.direction == .prepend
    if turnsAround, order.direction == .refresh, !landing.isOver {
      know(front: landing.previousKey, counting: counting)
    }
    // That a page is not the last one says nothing of those before the first.
    let leadsOn = isBackward ? landing.saysMore : landing.isGap
    if landing.isOver || (landing.isLast && !isBackward) || (key == nil && !leadsOn) {
      guard let front, !isBackward else { return .end }
      used = []
      return .before(front)
    }
    if let key, leadsBack(landing, from: order) { throw .repeatedKey(key, isBackward: isBackward) }
    if let key { count(from: order, to: key, items: items) }
    return Frontier(at: key, along: order, side)
  }
}
