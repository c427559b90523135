public import Items

/// Where a reading has got to: the first page that is not delivered yet, and what the pages before it have taught.
///
/// Pages are delivered in order, so one key says it all. A feed that begins there fetches, drops and compares as if it had never
/// stopped.
public struct Position: Sendable, Equatable {
  /// The key of that page; nil is the first page of a source that names no key for it.
  public var key: PageKey?
  /// Pages before it.
  public var pages = 0
  /// Items that the source sent in them, each counted for one page only.
  public var received = 0
  /// Those of them that were new.
  public var inserted = 0
  /// Items of the largest page.
  public var largestPage = 0
  /// The source's newest total.
  public var total: Int?
  /// The largest page while none was full.
  public var cap: Int?
  /// The source is known to send no larger pages than that.
  public var isCapped = false
  /// A page was as long as asked for.
  public var sawFullPage = false

  /// The position of a page, before anything is known of the list.
  public init(key: PageKey?) { self.key = key }
}

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
