import Items

/// One source read through one viewport: events in, effects out.
///
/// A value without clock, threads or I/O, and the whole machine: pages in flight, items held, the reader's place and speed, the
/// details to prefetch, and the policy. It decides once after every event. Equal events at equal times give equal effects.
///
///     var feed = Feed(configuration: try FeedConfiguration { $0.pageSize = 50 }, policy: LeadingScreens(2))
///     for effect in feed.handle(.viewportMoved(Viewport(firstVisible: 0, lastVisible: 9)), at: .zero) { … }
public struct Feed {
  /// How the source is read.
  public let configuration: FeedConfiguration
  /// The viewport, in items; nil until known, and nothing is prefetched before.
  public private(set) var viewport: Viewport?
  /// The items' places in the whole source.
  public private(set) var places: ListPlaces
  /// The newest revision that the reader has applied.
  public private(set) var appliedRevision = 0

  private(set) var pages: Pages
  private(set) var held: HeldItems
  private(set) var decider: Decider
  private var velocity = VelocityEstimate()
  @Seldom private(set) var details: DetailWindow?
  /// Of the last event.
  private(set) var now = Instant.zero
  private(set) var activity = Activity.deciding
  private(set) var alarm = Alarm()

  enum Activity {
    case deciding
    /// Nothing is started until the viewport moves, a retry or a refresh.
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

  /// Handles one event; the effects are to be carried out in order.
  public mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
    if case .placesViewed(let viewport) = event, ignores(viewport, at: now) { return [] }
    guard activity != .closed else { return [] }
    self.now = now
    if case .applied(let revision) = event, decider.isSettled, !alarm.isDue(at: now) {
      appliedRevision = max(appliedRevision, revision)
      return []
    }
    decider.disturb()
    var turn = Turn(now, isNoted: configuration.options.makesNotes)
    react(to: event, &turn)
    if activity == .closed { return turn.effects }
    let isOnlyMove = turn.cause == .move && !alarm.isDue(at: now)
    if !isOnlyMove {
      pages.expire(&turn)
      pages.startWaiting(&turn)
      replaceWhenGathered(&turn)
      places.holdFirst(isAtFront: pages.isExhausted(.prepend))
      lookAgain(&turn)
    }
    if held.isGathering {
      gather(&turn)
    } else if activity == .deciding, let viewport,
      turn.cause != .handler || configuration.options.rechecksOnCompletion
    {
      decider.decide(viewport, &pages, held.standing, &turn)
    }
    if details != nil { watchDetails(&turn) }
    // Most moves lead to nothing: then everything else is as it was.
    if isOnlyMove, turn.isIdle, jumpsAt == nil { return [] }
    pages.noteEnds(hasBegun: held.hasBegun, &turn)
    held.forgetEdits(pages.slots)
    if let moment = alarm.set(to: nextMoment) { turn.add(.wake(at: moment)) }
    return turn.effects
  }

  /// Applies an event.
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
      move(to: velocity.viewport(at: position, length: readAhead(at: position), now))
    case .pageRequested(let side):
      activity = .deciding
      pages[side].askAgainAt = nil
      decider.request(side)
    case .appended(let id, let items, let received): append(items, received: received, by: id, &turn)
    case .removed(let id, let ids):
      turn.cause = .handler
      if let (side, index, _) = pages.inFlight(id, &turn) {
        pages[side].append([], received: 0, removed: ids, at: index)
      }
    case .outlined(let id, let page): pages.outline(page, of: id, &turn)
    case .answered(let id, let answer): finish(id, with: answer, &turn)
    case .endedWithoutCompleting(let id): finish(id, with: .failed(.notCompleted), &turn)
    case .applied(let revision): appliedRevision = max(appliedRevision, revision)
    case .refreshed(let point): refresh(at: point, &turn)
    case .edited(let edit):
      self.edit(edit, outlasts: pages.isQuiet ? nil : pages.statistics.fetches, &turn)
    case .retried:
      activity = .deciding
      pages.retry(&turn)
    case .cancelled:
      activity = .paused
      pages.cancelAll(&turn)
    case .closed: close(&turn)
    case .woke: alarm.clear()
    case .memoryShort: shrink(&turn)
    }
  }

  /// Of the items that came again so many were newer (`Effect.delivered`): their page was not fruitless.
  public mutating func sawNewer(_ count: Int) { pages.sawNewer(count) }

  private mutating func close(_ turn: inout Turn) {
    activity = .closed
    for slot in pages.slots { if let id = slot.fetchID { turn.add(.cancel(id)) } }
    turn.prefetch(details?.close())
  }
}

extension Feed {
  /// May be replaced at any time; takes effect with the next event.
  public var policy: any FetchPolicy {
    get { decider.policy }
    set { decider.use(newValue) }
  }
}

/// The reader moves.
extension Feed {
  private mutating func move(to viewport: Viewport) {
    self.viewport = viewport
    activity = .deciding
    decider.readerMoved()
    if configuration.options.releasesPassedItems { held.release(before: viewport.firstVisible) }
  }

  /// Takes a move that leads to nothing, as `placesViewed` would; false if it has to be handled.
  public mutating func ignores(_ viewport: Viewport, at now: Instant) -> Bool {
    let inItems = places.inItems(viewport)
    guard details == nil, decider.ignores(inItems), !alarm.isDue(at: now), jump(to: viewport) == nil
    else { return false }
    self.now = now
    places.want(viewport)
    move(to: inItems)
    return true
  }

  /// The reader looks at places; a distant one is jumped to.
  private mutating func look(at viewport: Viewport, _ turn: inout Turn) {
    places.want(viewport)
    if !beginsJump(to: viewport, &turn) { move(to: places.inItems(viewport)) }
  }

  /// Looks again at the wanted places: other items may be there now, and a jump that was put off may be due.
  private mutating func lookAgain(_ turn: inout Turn) {
    guard activity == .deciding, let wanted = places.wanted, !beginsJump(to: wanted, &turn) else { return }
    if places.replacing?.isJump != true { viewport = places.inItems(wanted) }
  }

  /// Begins a jump if one is due; what is held meanwhile is seen as before. False also where nothing is held.
  private mutating func beginsJump(to wanted: Viewport, _ turn: inout Turn) -> Bool {
    guard let jump = jump(to: wanted), jump.due <= now else { return false }
    places.await(jump.page.place, isJump: true, instead: list, at: now)
    // The list is the same, so its total holds.
    restart(from: jump.page.key, total: totalCount.flatMap { jump.page.place < $0 ? $0 : nil }, &turn)
    return itemCount > 0
  }

  /// So many items were inserted, or removed, before the first one.
  private mutating func shift(by distance: Int, _ turn: inout Turn) {
    places.shift(by: distance)
    shiftViewport(by: distance, &turn)
  }

  /// The visible items have moved.
  private mutating func shiftViewport(by distance: Int, _ turn: inout Turn) {
    viewport?.shift(by: distance)
    if distance != 0, viewport != nil { turn.add(.shiftViewport(by: distance)) }
  }

  private mutating func watchDetails(_ turn: inout Turn) {
    let (places, viewport, items) = (places, viewport, held.items)
    let (ahead, latency) = (readAhead(at: 0), latency.mean)
    turn.prefetch(details?.follow(turn.effects, places, viewport, readAhead: ahead, items, latency: latency))
  }
}

/// Answers of fetch handlers.
extension Feed {
  /// Shows items that a handler appended, or keeps them until the page's turn has come.
  private mutating func append(_ items: [Item], received: Int, by id: FetchID, _ turn: inout Turn) {
    turn.cause = .handler
    guard let (side, index, _) = pages.inFlight(id, &turn) else { return }
    pages.append(items, received: received, to: index, side)
    showPending(side, &turn)
  }

  /// Ends an attempt with its answer, and others that waited for that: the one place for success and failure.
  private mutating func finish(_ id: FetchID, with answer: FetchAnswer, _ turn: inout Turn) {
    turn.cause = .handler
    guard let (side, index, latency) = pages.inFlight(id, &turn) else { return }
    if pages.keeps(answer, of: id, latency, at: index, side) { return }
    finish(id, with: answer, at: index, side, latency, &turn)
    while let (id, answer, latency) = pages[side].takeAnswer() {
      finish(id, with: answer, at: 0, side, latency, &turn)
    }
  }

  private mutating func finish(
    _ id: FetchID, with answer: FetchAnswer, at index: Int, _ side: Direction, _ latency: Duration,
    _ turn: inout Turn
  ) {
    do {
      var landing = try Landing(answer)
      let isRepetition = pages.isRepetition(landing, at: index, side, held)
      if isRepetition { landing.dropItems() }
      pages.land(landing, id, at: index, side, latency: latency, isRepetition: isRepetition, &turn)
      deliver(side, &turn)
    } catch {
      if pages.hasExpired(error, at: index, side) { return restart(from: configuration.firstKey, &turn) }
      pages.fail(error, id, at: index, side, &turn)
    }
  }

  /// Shows what has arrived of the page whose turn it is; prepended pages are shown whole.
  private mutating func showPending(_ side: Direction, _ turn: inout Turn) {
    guard side == .append, !held.isGathering, let slot = pages[side].drainPending() else { return }
    removeGone(of: slot, &turn)
    let result = merge(slot.pending, of: slot, side, &turn)
    pages[side].shown(inserted: result.inserted.count, updated: result.updated.count)
  }

  /// Delivers the pages whose turn has come.
  private mutating func deliver(_ side: Direction, _ turn: inout Turn) {
    var hasDelivered = false
    while !(side == .append && pages.isComparing && pages.checkBack { [held] in held.contains($0) }),
      let slot = pages[side].removeLanded(), case .landed(let id, let landing) = slot.phase
    {
      deliver(slot, id, landing, side, &turn)
      hasDelivered = true
      if pages.isAtPageLimit, !pages.isExhausted(side) { pages.stopAtPageLimit(&turn) }
      if pages.hasStopped(side) { break }
    }
    // While a new generation is gathered, nothing is delivered.
    if hasDelivered, side == .append, !held.isGathering, let position = pages.position {
      turn.add(.reached(position))
    }
    if !pages.hasStopped(side) { showPending(side, &turn) }
  }

  private mutating func deliver(
    _ slot: Slot, _ id: FetchID, _ landing: Landing, _ side: Direction, _ turn: inout Turn
  ) {
    let new = slot.pending.isEmpty ? landing.items : slot.pending + landing.items
    pages[side].rememberEnds(new, of: slot, pages.plan)
    removeGone(of: slot, &turn)
    let result = merge(new, of: slot, side, &turn)
    let inserted = slot.inserted + result.inserted.count
    pages.deliver(
      slot, id, side, inserted: inserted, updated: slot.updated + result.updated.count,
      offered: slot.shown + new.count, isKnown: held.comesAgain, &turn)
    held.hold(slot.order, inserted: inserted, side)
    places.landed(side == .prepend && !new.isEmpty ? slot.order : nil, pages.plan.learnedPageSize)
    pages.openFront(before: slot, landing)
    replaceWhenGathered(&turn)
    pages.guardAgainstFruitless(side, held: itemCount, &turn)
    if let limit = configuration.options.maxItems {
      drop(from: side == .append ? .prepend : .append, downTo: limit, &turn)
    }
  }

  /// Removes what the source says is gone: it may be there again in the same page, and in later ones.
  private mutating func removeGone(of slot: Slot, _ turn: inout Turn) {
    guard !slot.removed.isEmpty else { return }
    let removed = slot.removed.map { held.heldForm(of: $0) }
    pages.learn(gone: removed.filter { [held] in !held.contains($0) }, of: slot)
    edit(.remove(removed), outlasts: nil, &turn)
    turn.add(.removed(removed))
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
    if configuration.options.tellsRepeated, let fetch = slot.newestFetch {
      turn.add(.delivered(fetch, repeated: result.repeated, isCompared: slot.order.isReplay))
    }
    return result
  }
}

/// Refreshes, edits and drops.
extension Feed {
  /// Starts a new generation at a point; its first page is fetched at once, without asking the policy. Held items stay until
  /// the generation has as much as the extent requires; then the difference is applied.
  private mutating func refresh(at point: RefreshPoint, _ turn: inout Turn) {
    switch point {
    case .start: restart(from: configuration.firstKey, &turn)
    case .key(let key): restart(from: key, &turn)
    case .anchor:
      let (page, anchor) = (places.wantedPage, held.anchor(at: viewport))
      if places.wanted != nil { places.await(page?.place, isJump: false, instead: list, at: now) }
      restart(from: page?.key ?? anchor.key, before: anchor.before, &turn)
    }
  }

  private mutating func restart(
    from key: PageKey?, before: [PageOrder]? = nil, total: Int? = nil, _ turn: inout Turn
  ) {
    activity = .deciding
    held.awaitGeneration()
    pages.startOver(from: key, before: before, total: total, &turn)
  }

  /// Requests the pages that a refresh needs before it can be shown, without asking the policy.
  private mutating func gather(_ turn: inout Turn) {
    guard activity == .deciding, pages.isAsked(.append, at: now) else { return }
    switch configuration.options.refreshExtent {
    case .firstPage: if pages[.append].slots.isEmpty { _ = pages.start(1, .append, &turn) }
    case .everything: _ = pages.start(pages.standings.append.freeSlots, .append, &turn)
    }
  }

  /// Replaces the old generation once enough of the new one has landed.
  private mutating func replaceWhenGathered(_ turn: inout Turn) {
    guard held.isGathering else { return }
    let isWhole = pages.isExhausted(.append)
    guard isWhole || held.hasGatheredFirstPage else { return }
    // What did not come is not gone: what was read before stays.
    if isWhole, let mismatch = pages.mismatch(atEndOf: .append), mismatch.missing > 0 {
      held.keepOldGeneration()
      return places.giveUpReplacing()
    }
    let place = viewport.map { ReadingPlace($0, in: items) }
    let old = places.replacing == nil ? nil : items
    held.replace(isWhole: isWhole, &turn)
    if let old {
      shiftViewport(by: places.settle(from: old, to: items, isFromFirst: pages[.append].isWhole), &turn)
    } else {
      shift(by: place?.distance(to: items) ?? 0, &turn)
    }
    dropEnds(downTo: configuration.options.maxItems, &turn)
  }

  /// An edit, which answers of fetches up to that one do not undo.
  private mutating func edit(_ edit: Edit, outlasts newestFetch: Int?, _ turn: inout Turn) {
    let place = viewport.map { ReadingPlace($0, in: items) }
    guard held.edit(edit, newestFetch: newestFetch, &turn) else { return }
    shift(by: place?.distance(to: items) ?? 0, &turn)
    dropEnds(downTo: configuration.options.maxItems, &turn)
  }

  /// Releases what can be fetched again, or will not be read again.
  private mutating func shrink(_ turn: inout Turn) {
    guard configuration.options.releasesPassedItems else { return dropEnds(downTo: 0, &turn) }
    if let viewport { held.release(before: viewport.firstVisible) }
  }

  /// Drops the excess at both ends, when items were inserted elsewhere.
  private mutating func dropEnds(downTo limit: Int?, _ turn: inout Turn) {
    if let limit { for side in Direction.sides { drop(from: side, downTo: limit, &turn) } }
  }

  /// Drops whole pages at one end while too many items are held, but none that is near.
  private mutating func drop(from side: Direction, downTo limit: Int, _ turn: inout Turn) {
    // Nobody has said what is seen: nothing is near, and nothing beyond it either.
    let near = viewport.map { configuration.nearDistance($0) } ?? 0
    var dropped = 0
    while itemCount > limit, let range = held.droppable(from: side),
      (viewport?.slack(on: side, of: itemCount) ?? 0) - range.count >= near
    {
      pages.cancel(side, &turn)
      pages[side].remember(held.drop(range, from: side, &turn))
      if side == .prepend { shift(by: -range.count, &turn) }
      dropped += range.count
    }
    if dropped > 0 { turn.note(.dropped(side, items: dropped)) }
  }
}
