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
    return failure.status.map([400, 404, 410].contains) ?? false
  }
}

extension Pager {
  /// Behind the delivered pages; nil at the end.
  func position(_ plan: KeyPlan) -> Position? {
    var position: Position
    if let slot = slots.first(where: { !$0.order.isReplay }) {
      position = Position(key: slot.order.key)
    } else if let order = nextOrder(plan) {
      position = Position(key: order.key)
    } else {
      return nil
    }
    tally.note(in: &position, without: slots)
    plan.note(in: &position)
    return position
  }
}

extension Pages {
  /// Whether a failure says that the key is no longer taken from which the reading was to go on.
  func hasExpired(_ failure: FetchFailure) -> Bool {
    generation == 1 && statistics.pages == 0
      && configuration.options.beginning?.hasExpired(failure, configuration) ?? false
  }

  /// The list has moved since the reading stopped: a checked page does not begin with what came before, so the one before it is
  /// checked too.
  mutating func checkBack(before order: PageOrder) {
    guard configuration.options.beginning != nil, configuration.options.maxItems == nil,
      let order = plan.check(before: order.key)
    else { return }
    self[.append].remember(order)
  }

  /// Behind the delivered pages; nil at the end, and where nobody wants to know.
  var position: Position? { configuration.options.tellsPosition ? sides[0].position(plan) : nil }
}
