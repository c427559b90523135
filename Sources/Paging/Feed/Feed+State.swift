public import Items

/// The feed's observable state.
extension Feed {
  /// Where the reader's moves, in places, lead to nothing while nothing else happens: `ignores` takes them. Nil if that is
  /// not known of any.
  public func deadZone(at now: Instant) -> DeadZone? {
    guard details == nil, !alarm.isDue(at: now), let zone = decider.deadZone,
      !configuration.options.jumpsToPlaces || !(isStuck(.append) || isStuck(.prepend))
    else { return nil }
    return places.deadZone(zone, held: itemCount)
  }

  /// The held items, in page order.
  public var items: ItemSet { held.items }
  /// Number of held items.
  public var itemCount: Int { held.items.count }
  /// Whether an item of that id is held, or was delivered before.
  public func contains(_ id: ItemID) -> Bool { held.contains(id) }
  /// The source's newest total.
  public var totalCount: Int? { pages.plan.total }
  /// Raised by every refresh and cancel.
  public var generation: Int { pages.generation }
  /// Of the newest change set.
  public var revision: Int { held.revision }
  /// Latencies of the last fetches.
  public var latency: LatencySummary { pages.latency }
  /// Whether no page is in flight, waiting for its turn or for its next attempt.
  public var isQuiet: Bool { pages.isQuiet }
  /// Whether a new generation has to land before anything else is fetched.
  public var isGathering: Bool { held.isGathering }
  /// Whether what that fetch brings is still to be delivered, in whole or in part.
  public func isUnderWay(_ fetch: FetchID) -> Bool { pages.slots.contains { $0.newestFetch == fetch } }
  /// Whether something failed, gave up or stopped, so that a retry has something to do.
  public var hasFailed: Bool { activity == .paused || pages.hasFailed }

  /// Counts so far.
  public var statistics: FeedStatistics { FeedStatistics(pages, held) }

  /// Landed items that are not shown yet: of pages that overtook others, and of a new generation.
  public var waitingItems: [Item] { pages.slots.flatMap(\.waitingItems) + held.gatheredItems }

  /// Pages that were delivered of this generation of the list, by an earlier feed too where this one goes on.
  public var deliveredPages: Int {
    Int(pages[.append].tally.delivered) + Int(pages[.prepend].tally.delivered)
  }

  /// The position of an effect, with the newer items of its page, which were found since (`sawNewer`).
  public func withEdits(_ position: Position) -> Position {
    var position = position
    position.edited = Int(pages.plan.edited)
    return position
  }

  /// How the end of the list disagrees with its total, with the newer items of the last page; nil if they agree or it can't be known.
  public var mismatch: TotalMismatch? { pages.mismatch(atEndOf: .append) }

  /// What one side is doing; `.refresh` is the side of `.append`.
  public func state(of direction: Direction) -> FetchState { pages.state(of: direction) }

  /// Whether a failure says that the source no longer takes the key from which the reading was to go on.
  public func hasExpired(_ failure: FetchFailure) -> Bool { pages.hasExpired(failure) }

  /// What a policy would see now; nil before the viewport is known.
  public func view(of side: Direction) -> PolicyView? {
    var pages = pages
    return viewport.map { decider.view(of: side, $0, &pages, held.standing, at: now) }
  }

  /// How often the policy has put off the next page since the reader moved or a page was started, and since when; nil if it
  /// has not.
  public var putOff: (since: Instant, times: Int)? { decider.putOff }

  /// Items that a forward reader is about to need who is there.
  func readAhead(at position: Int) -> Int {
    let pageSize = configuration.options.pageSize
    return pageSize * pages[.append].width.ahead(ofReaderBehind: position / pageSize)
  }
}
