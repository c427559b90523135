internal import Items

/// Which cursor follows which: each page names the next one, and where a side turns around, the first page names the one that
/// comes behind the last.
struct CursorTrail: Sendable {
  /// Those requested in this generation, in the direction in which the list is read now.
  private var used: Set<PageKey> = []
  /// The key of the page before the first one, where the side turns around.
  @Seldom private(set) var front: PageKey?
  private let side: Direction
  private let allowsReuse: Bool
  private let turnsAround: Bool

  init(_ side: Direction, _ options: FeedConfiguration.Options) {
    self.side = side
    allowsReuse = options.allowsKeyReuse
    turnsAround = options.turnsAround
  }

  /// Goes on at a position; returns where.
  mutating func begin(at position: Position) -> Frontier {
    front = position.front
    return position.isBackward ? .before(position.key) : .key(position.key)
  }

  /// A page of that key is requested.
  mutating func use(_ key: PageKey?) { if let key { used.insert(key) } }

  /// Whether the key that a page names was used before.
  func leadsBack(_ landing: Landing, from order: PageOrder) -> Bool {
    guard !allowsReuse, let key = landing.key(behind: order) else { return false }
    return used.contains(key)
  }

  /// Where the list goes on behind a page; throws if the pages form a loop.
  mutating func follow(_ landing: Landing, from order: PageOrder) throws(FetchFailure) -> Frontier {
    let key = landing.key(behind: order)
    let isBackward = order.direction == .prepend
    if turnsAround, order.direction == .refresh, !landing.isOver { front = landing.previousKey }
    if landing.isOver || (landing.isLast && !isBackward) || (key == nil && !landing.saysMore) {
      guard let front, !isBackward else { return .end }
      used = []
      return .before(front)
    }
    if let key, leadsBack(landing, from: order) { throw .repeatedKey(key, isBackward: isBackward) }
    return Frontier(at: key, along: order, side)
  }
}
