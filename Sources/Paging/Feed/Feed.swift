public import Items

/// One source read through one viewport: told what happened and when, it says what to do.
///
/// A value without clock, threads or I/O, and the whole machine: pages in flight, items held, the reader's place and speed, the
/// details to prefetch, and the policy. It decides once after every event. Equal events at equal times give equal effects.
///
///     var feed = Feed(configuration: try FeedConfiguration { $0.pageSize = 50 }, policy: LeadingScreens(2))
///     for effect in feed.handle(.viewportMoved(Viewport(firstVisible: 0, lastVisible: 9)), at: .zero) { … }
public struct Feed {
  /// How the source is read.
  public let configuration: FeedConfiguration
  /// What the reader sees, in items; nil until told, and nothing is fetched ahead before.
  public private(set) var viewport: Viewport?
  /// Where the items stand in the whole of the source.
  public private(set) var places: ListPlaces
  /// The newest revision that the reader has taken.
  public private(set) var appliedRevision = 0

  private var pages: Pages
  private var held: HeldItems
  private var decider: Decider
  private var velocity = VelocityEstimate()
  private var details: DetailWindow?
  /// Of the last event.
  private var now = Instant.zero
  private var activity = Activity.deciding
  private var announcedWake: Instant?

  private enum Activity {
    case deciding
    /// Nothing is started before the viewport moves or something is retried or refreshed.
    case paused
    /// The reader is gone.
    case closed
  }

  public init(configuration: FeedConfiguration, policy: any FetchPolicy) {
    self.configuration = configuration
    decider = Decider(configuration, policy)
    places = ListPlaces(configuration)
    pages = Pages(configuration)
    held = HeldItems(configuration)
    details = configuration.options.prefetchesDetails ? DetailWindow() : nil
  }

  /// Takes one event; the effects are to be carried out in order.
  public mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
    guard activity != .closed else { return [] }
    self.now = now
    var turn = Turn(now)
    react(to: event, &turn)
    if activity == .closed { return turn.effects }
    let isOnlyMove = turn.cause == .move && announcedWake.map { $0 > now } ?? true
    if !isOnlyMove {
      pages.expire(&turn)
      pages.startWaiting(&turn)
      replaceWhenGathered(&turn)
    }
    if turn.hasReplaced, let wanted = places.wanted { look(at: wanted, &turn) }
    if held.isGathering {
      gather(&turn)
    } else if activity == .deciding, let viewport,
      turn.cause != .handler || configuration.options.rechecksOnCompletion
    {
      decider.decide(viewport, &pages, held.standing, &turn)
    }
    if details != nil { watchDetails(&turn) }
    // Most moves lead to nothing: then everything else is as it was.
    if isOnlyMove, turn.effects.isEmpty { return [] }
    pages.tellEnds(hasBegun: held.hasBegun, &turn)
    held.forgetEdits(pages.slots)
    places.holdFirst(isAtFront: pages.isExhausted(.prepend))
    announceWake(&turn)
    return turn.effects
  }

  /// Draws the consequences of an event.
  private mutating func react(to event: Event, _ turn: inout Turn) {
    switch event {
    case .viewportMoved(let viewport):
      turn.cause = .move
      move(to: viewport)
    case .placesViewed(let viewport):
      turn.cause = .move
      look(at: viewport, &turn)
    case .advanced(let position):
      turn.cause = .move
      advance(to: position)
    case .pageRequested(let side):
      activity = .deciding
      pages[side].askAgainAt = nil
      decider.request(side)
    case .appended(let id, let items, let received): append(items, received: received, by: id, &turn)
    case .outlined(let id, let page): pages.outline(page, of: id, &turn)
    case .answered(let id, let answer): finish(id, with: answer, &turn)
    case .endedWithoutCompleting(let id): finish(id, with: .failed(.notCompleted), &turn)
    case .applied(let revision): appliedRevision = max(appliedRevision, revision)
    case .refreshed(let point): refresh(at: point, &turn)
    case .edited(let edit): self.edit(edit, &turn)
    case .retried:
      activity = .deciding
      pages.retry(&turn)
    case .cancelled:
      activity = .paused
      pages.cancelAll(&turn)
    case .closed: close(&turn)
    case .woke: announcedWake = nil
    case .memoryShort: shrink(&turn)
    }
  }

  private mutating func close(_ turn: inout Turn) {
    activity = .closed
    for slot in pages.slots { if let id = slot.fetchID { turn.add(.cancel(id)) } }
    if let change = details?.end(), !change.isEmpty { turn.add(.prefetch(change)) }
  }

  /// Asks to be woken at the next moment that matters, when it is another one than announced.
  private mutating func announceWake(_ turn: inout Turn) {
    guard let next = pages.nextMoment, next != announcedWake else { return }
    announcedWake = next
    turn.add(.wake(at: next))
  }
}

/// What a feed is seen to be.
extension Feed {
  /// What is held, pages in their order.
  public var items: ItemSet { held.items }
  /// How many items are held.
  public var itemCount: Int { held.items.count }
  /// Items that the source has, by its newest word.
  public var totalCount: Int? { pages.plan.total }
  /// Raised by every refresh and cancel.
  public var generation: Int { pages.generation }
  /// Of the newest change set.
  public var revision: Int { held.revision }
  /// Latencies of the last fetches.
  public var latency: LatencySummary { pages.latency }
  /// Whether no page is in flight, waiting for its turn or for its next attempt.
  public var isQuiet: Bool { pages.isQuiet }
  /// Whether a new generation has to be in before anything else is fetched.
  public var isGathering: Bool { held.isGathering }
  /// Whether a page failed, or a side gave up or stopped: then there is something that a retry begins again.
  public var hasFailed: Bool { activity == .paused || pages.hasFailed }

  /// What was done so far.
  public var statistics: FeedStatistics { FeedStatistics(pages, held) }

  /// Items that are in and wait for their turn: of pages that overtook others, and of a new generation that is not shown yet.
  public var waitingItems: [Item] { pages.slots.flatMap(\.waitingItems) + held.gatheredItems }

  /// What one side is doing; `.refresh` is the side of `.append`.
  public func state(of direction: Direction) -> FetchState { pages.state(of: direction) }

  /// What a policy would be shown now; nil before the viewport is known.
  public func view(of side: Direction) -> PolicyView? {
    var pages = pages
    return viewport.map { decider.view(of: side, $0, &pages, held.standing, at: now) }
  }

  /// May be exchanged at any time; the new one is asked from the next event on.
  public var policy: any FetchPolicy {
    get { decider.policy }
    set { decider.policy = newValue }
  }

  /// How often the policy has put off the next page since the reader moved or a page was started, and since when; nil while it
  /// has not.
  public var putOff: (since: Instant, times: Int)? { decider.putOff }
}

/// The reader moves.
extension Feed {
  private mutating func move(to viewport: Viewport) {
    self.viewport = viewport
    activity = .deciding
    decider.readerMoved()
    if configuration.options.releasesPassedItems { held.release(before: viewport.firstVisible) }
  }

  private mutating func advance(to position: Int) {
    velocity.move(to: position, at: now)
    let (length, speed) = (Double(readAhead), velocity.velocity)
    move(to: Viewport(firstVisible: position, lastVisible: position, length: length, velocity: speed))
  }

  /// Items that a reader who goes forward is about to need.
  private var readAhead: Int { configuration.options.pageSize * configuration.maxInFlight }

  /// The reader looks at places; one that is far is jumped to.
  private mutating func look(at viewport: Viewport, _ turn: inout Turn) {
    places.want(viewport)
    if let page = places.pageToJumpTo(held: itemCount, at: now) {
      places.await(page.place, isJump: true, instead: list, at: now)
      restart(from: page.key, &turn)
    } else {
      move(to: places.inItems(viewport))
    }
  }

  /// So many items came before the first one, or went.
  private mutating func shift(by distance: Int, _ turn: inout Turn) {
    places.shift(by: distance)
    shiftViewport(by: distance, &turn)
  }

  /// What the reader sees is further back now; it is told.
  private mutating func shiftViewport(by distance: Int, _ turn: inout Turn) {
    viewport?.shift(by: distance)
    if distance != 0, viewport != nil { turn.add(.shiftViewport(by: distance)) }
  }

  private mutating func watchDetails(_ turn: inout Turn) {
    let (readAhead, latency) = (readAhead, latency.mean)
    let change = details?.follow(
      turn.effects, places, viewport, readAhead: readAhead, held.items, latency: latency)
    if let change, !change.isEmpty { turn.add(.prefetch(change)) }
  }
}

/// What fetch handlers say.
extension Feed {
  /// Shows items that a handler appended, or keeps them until the page's turn has come.
  private mutating func append(_ items: [Item], received: Int, by id: FetchID, _ turn: inout Turn) {
    turn.cause = .handler
    guard let (side, index, _) = pages.inFlight(id, &turn) else { return }
    pages.append(items, received: received, to: index, side)
    showPending(side, &turn)
  }

  /// Ends an attempt with its answer: the one place for success, failure and time running out.
  private mutating func finish(_ id: FetchID, with answer: FetchAnswer, _ turn: inout Turn) {
    turn.cause = .handler
    guard let (side, index, latency) = pages.inFlight(id, &turn) else { return }
    let landing: Landing
    switch answer {
    case .page(let page): landing = Landing(page)
    case .completed(let more, let nextKey, let total):
      landing = Landing(more: more, nextKey: nextKey, total: total)
    case .failed(let failure):
      return pages.fail(failure, id, at: index, side, &turn)
    }
    let isRepetition = pages.isRepetition(landing, at: index, side) { held.contains($0) }
    pages.land(
      isRepetition ? landing.withoutItems : landing, id, at: index, side, latency: latency,
      isRepetition: isRepetition, &turn)
    deliver(side, &turn)
  }

  /// Shows what the page whose turn it is has so far; pages that are prepended are shown whole.
  private mutating func showPending(_ side: Direction, _ turn: inout Turn) {
    guard side == .append, !held.isGathering, let slot = pages[side].takePending() else { return }
    let result = merge(slot.pending, of: slot, side, &turn)
    pages[side].shown(inserted: result.inserted.count, updated: result.updated.count)
  }

  /// Delivers the pages whose turn has come.
  private mutating func deliver(_ side: Direction, _ turn: inout Turn) {
    while let slot = pages[side].removeLanded(), case .landed(let id, let landing) = slot.phase {
      deliver(slot, id, landing, side, &turn)
      if pages.isAtPageLimit, !pages.isExhausted(side) { pages.stopAtPageLimit(&turn) }
      if pages[side].hasStopped { return }
    }
    showPending(side, &turn)
  }

  private mutating func deliver(
    _ slot: Slot, _ id: FetchID, _ landing: Landing, _ side: Direction, _ turn: inout Turn
  ) {
    let new = slot.pending + landing.items
    pages[side].rememberEdge(new, pages.plan)
    let result = merge(new, of: slot, side, &turn)
    let inserted = slot.inserted + result.inserted.count
    let updated = slot.updated + result.updated.count
    pages.deliver(
      slot, id, side, inserted: inserted, updated: updated, offered: slot.shown + new.count, &turn)
    held.hold(slot.order, inserted: inserted, side)
    places.landed()
    if let size = pages.plan.learnedPageSize { places.learn(pageSize: size) }
    pages.openFront(before: slot, landing)
    replaceWhenGathered(&turn)
    pages.guardAgainstFruitless(side, held: itemCount, &turn)
    if let limit = configuration.options.maxItems {
      drop(from: side == .append ? .prepend : .append, downTo: limit, &turn)
    }
  }

  private mutating func merge(
    _ new: [Item], of slot: Slot, _ side: Direction, _ turn: inout Turn
  ) -> MergeResult {
    let isGathering = held.isGathering
    let result = held.merge(new, of: slot, side, &turn)
    // Where nothing was held, nothing moved.
    if !isGathering, side == .prepend, result.inserted.count < itemCount {
      shift(by: result.inserted.count, &turn)
    }
    return result
  }
}

/// What is held changes at the reader's wish, or for want of room.
extension Feed {
  /// Starts a new generation at a point; its first page is fetched at once, whatever the policy thinks. What is held stays until
  /// the generation has as much as the extent asks for, and the difference is applied then.
  private mutating func refresh(at point: RefreshPoint, _ turn: inout Turn) {
    switch point {
    case .start: restart(from: configuration.firstKey, &turn)
    case .key(let key): restart(from: key, &turn)
    case .anchor:
      let page = places.wantedPage
      if places.wanted != nil { places.await(page?.place, isJump: false, instead: list, at: now) }
      restart(from: page?.key ?? held.key(at: viewport), &turn)
    }
  }

  private mutating func restart(from key: PageKey?, _ turn: inout Turn) {
    pages.cancel(.append, &turn)
    pages.cancel(.prepend, &turn)
    activity = .deciding
    held.awaitGeneration()
    pages.startOver(from: key, &turn)
    _ = pages.start(1, .append, &turn)
  }

  /// Asks for the pages that a refresh needs before it can be shown; no policy is asked.
  private mutating func gather(_ turn: inout Turn) {
    guard activity == .deciding, pages.isAsked(.append, at: now) else { return }
    switch configuration.options.refreshExtent {
    case .firstPage: if pages[.append].slots.isEmpty { _ = pages.start(1, .append, &turn) }
    case .everything: _ = pages.start(pages[.append].freeSlots(pages.plan), .append, &turn)
    }
  }

  /// Shows the new generation in the place of the old one, once enough of it is in.
  private mutating func replaceWhenGathered(_ turn: inout Turn) {
    guard held.isGathering else { return }
    let isWhole = pages.isExhausted(.append)
    guard isWhole || held.hasGatheredFirstPage else { return }
    // What did not come is not gone: what was read before stays.
    if isWhole, let mismatch = pages.mismatch(atEndOf: .append), mismatch.missing > 0 {
      held.keepOldGeneration()
      return places.giveUpReplacing()
    }
    let place = readingPlace
    held.replace(isWhole: isWhole, &turn)
    let distance = place?.distance(to: items) ?? 0
    if places.settle(distance) {
      turn.hasReplaced = true
      shiftViewport(by: distance, &turn)
    } else {
      shift(by: distance, &turn)
    }
    dropEnds(downTo: configuration.options.maxItems, &turn)
  }

  private mutating func edit(_ edit: Edit, _ turn: inout Turn) {
    let place = readingPlace
    let newestFetch = pages.isQuiet ? nil : pages.statistics.fetches
    guard held.edit(edit, newestFetch: newestFetch, &turn) else { return }
    let distance = place?.distance(to: items) ?? 0
    shift(by: distance, &turn)
    dropEnds(downTo: configuration.options.maxItems, &turn)
  }

  /// Where the reader is among the items that are held.
  private var readingPlace: ReadingPlace? { viewport.map { ReadingPlace($0, in: items) } }

  /// Lets go of what can be fetched again, or will not be looked at again.
  private mutating func shrink(_ turn: inout Turn) {
    guard configuration.options.releasesPassedItems else { return dropEnds(downTo: 0, &turn) }
    if let viewport { held.release(before: viewport.firstVisible) }
  }

  /// Drops at both ends what is too much, where items came elsewhere than at an end.
  private mutating func dropEnds(downTo limit: Int?, _ turn: inout Turn) {
    guard let limit else { return }
    for side in Direction.sides { drop(from: side, downTo: limit, &turn) }
  }

  /// Drops whole pages at one end while more items are held than allowed, but none that is near.
  private mutating func drop(from side: Direction, downTo limit: Int, _ turn: inout Turn) {
    // Nobody has said what is seen: nothing is near, and nothing beyond it either.
    let near = viewport.map { configuration.nearDistance($0) } ?? 0
    var dropped = 0
    while itemCount > limit, let range = held.droppable(from: side),
      (viewport?.slack(on: side, of: itemCount) ?? 0) - range.count >= near
    {
      pages.cancel(side, &turn)
      pages[side].remember(held.drop(range, from: side, &turn))
      if side == .prepend {
        shift(by: -range.count, &turn)
      }
      dropped += range.count
    }
    if dropped > 0 { turn.note(.dropped(side, items: dropped)) }
  }
}
