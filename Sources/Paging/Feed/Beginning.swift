public import Items

/// Where a feed begins that goes on with a reading.
public struct Beginning: Sendable, Equatable {
  public var position: Position
  /// Ids of the items that were delivered before it.
  public var known: KnownIDs
  /// Whether the reading fails where the source no longer takes the key, instead of starting over.
  public var failsWhenExpired = false

  public init(_ position: Position, known: KnownIDs = KnownIDs()) {
    self.position = position
    self.known = known
  }
}

extension Beginning {
  /// Whether the first page's failure says that the source no longer takes the key: the list is read from its start then.
  func hasExpired(_ failure: FetchFailure, _ configuration: FeedConfiguration) -> Bool {
    guard !failsWhenExpired, configuration.options.keys == .cursor, position.key != configuration.firstKey
    else { return false }
    return failure.saysNoSuchKey
  }
}

extension FetchFailure {
  /// Whether it is the answer to a cursor that the source does not know.
  var saysNoSuchKey: Bool { status.map([400, 404, 410, 422].contains) ?? false }
}

extension Pager {
  /// Behind the delivered pages; nil at the end.
  func position(_ plan: KeyPlan) -> Position? {
    guard let order = slots.first?.order ?? nextOrder(plan) else { return nil }
    var position = Position(key: order.key)
    (position.isBackward, position.front) = (order.direction == .prepend, trail.front)
    // Read backwards, what is before a key is behind it.
    position.counting = position.isBackward ? nil : trail.counting
    tally.note(in: &position, without: slots)
    plan.note(in: &position)
    emptyPages.note(in: &position)
    return position
  }
}

extension Pager {
  /// The page before a key that counts, which may be that of the second page, to be compared with what came from there; nil if there
  /// is none.
  func check(before key: PageKey?, _ plan: KeyPlan, isSecond: Bool = false) -> PageOrder? {
    guard let counting = trail.counting, let key, key != plan.first else { return plan.check(before: key) }
    let before = isSecond ? nil : counting.key(before: key)
    return PageOrder(
      key: before ?? plan.first, size: before == nil ? plan.initialPageSize : plan.requestSize,
      direction: .append, isReplay: true)
  }
}

extension Pages {
  /// Whether a failure says that the key is no longer taken from which the reading was to go on, or a refresh to begin.
  func hasExpired(_ failure: FetchFailure, at index: Int, _ side: Direction) -> Bool {
    let order = sides[side.lane].slots[index].order
    let isRefresh = generation > 1 && plan.kind == .cursor && order.direction == .refresh
    return hasExpired(failure) || isRefresh && order.key != configuration.firstKey && failure.saysNoSuchKey
  }

  /// Whether a failure says that the key is no longer taken from which the reading was to go on.
  func hasExpired(_ failure: FetchFailure) -> Bool {
    generation == 1 && statistics.pages == 0
      && configuration.options.beginning?.hasExpired(failure, configuration) ?? false
  }

  /// Whether the list has moved since the reading stopped: the page whose turn it is does not begin with what came before, so the
  /// one before it is fetched first. Nothing is delivered until the place is found behind which everything is new, since what
  /// has come tells of all that was before it.
  mutating func checkBack(_ isKnown: (ItemID) -> Bool) -> Bool {
    guard isComparing, let slot = sides[0].slots.first, slot.order.isReplay, slot.isLanded else {
      return false
    }
    // A page that only says what is gone has no item that could have moved.
    let isSame = slot.waitingItems.first.map { isKnown($0.id) } ?? (slot.told > 0)
    guard !isSame, let order = sides[0].check(before: slot.order.key, plan) else {
      isComparing = false
      return false
    }
    self[.append].precede(order)
    return true
  }

  /// Behind the delivered pages; nil at the end, and where nobody wants to know.
  var position: Position? { configuration.options.tellsPosition ? sides[0].position(plan) : nil }
}
