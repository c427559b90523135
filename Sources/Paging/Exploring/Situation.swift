internal import Items

/// How everything stands at a moment of an exploration: all that goes back when one goes back in time.
struct Situation {
  var now = Instant.zero
  var feed: Feed
  var policy: ExploredPolicy
  var places = ListPlaces()
  var agenda = ExplorationAgenda()
  /// Requests whose answers are not on the agenda yet.
  var needs: [Need] = []
  /// How often each page was asked for.
  private var asked: [AskedPage: Int] = [:]
  /// How far nominal time lies behind.
  private(set) var delay = Duration.zero
  /// Since when the reader waits for items.
  private(set) var stalledSince: Instant?
  private(set) var stalls = ExplorationStalls()

  /// A request that the source, or the journal, has to answer.
  struct Need: Sendable {
    let request: FetchRequest
    let since: Instant
    let key: AnswerJournal.Key
  }

  init(_ feed: Feed, _ policy: ExploredPolicy) {
    self.feed = feed
    self.policy = policy
  }

  /// The time of the reader: it stands still while the reader waits.
  var nominalNow: Instant { (stalledSince ?? now) + (Duration.zero - delay) }

  /// Tells the feed, and whatever follows from that at the same time.
  mutating func tell(_ event: Event) -> [ExploredMoment.Turn] {
    var turns: [ExploredMoment.Turn] = []
    var coming = [event]
    while !coming.isEmpty {
      let event = coming.removeFirst()
      let effects = feed.handle(event, at: now)
      turns.append(ExploredMoment.Turn(event: event, effects: effects))
      for effect in effects {
        switch effect {
        case .fetch(let request): need(request)
        case .cancel(let id):
          agenda.remove(id)
          needs.removeAll { $0.request.id == id }
        case .wake(let at): agenda.wake(at: max(at, now))
        case .apply(_, let revision): coming.append(.applied(revision: revision))
        case .shiftViewport, .note: break
        }
      }
      if let next = places.watch(effects, of: feed, at: now) { coming.append(next) }
    }
    accountForStall()
    return turns
  }

  /// Takes from the journal what it knows.
  mutating func resolve(_ journal: AnswerJournal) {
    needs.removeAll { need in
      guard let answer = journal[need.key] else { return false }
      agenda.add(answer, to: need.request, since: need.since, now: now)
      return true
    }
  }

  /// What the reader does, with the places of that time put right.
  mutating func carryOut(_ act: ReaderAct) -> [ExploredMoment.Turn] {
    switch act {
    case .move(let viewport): return tell(places.move(to: confined(viewport), of: feed, at: now))
    case .fetch(let side): return fetchOne(side)
    case .refresh: return tell(places.refresh(feed, at: now))
    case .retry: return tell(.retried)
    }
  }

  /// One page more on that side. The policy is asked about the rest, also where it wanted to be left alone for a while.
  private mutating func fetchOne(_ side: Direction) -> [ExploredMoment.Turn] {
    guard let viewport = feed.viewport else { return [] }
    feed.pagers[side.lane].askAgainAt = nil
    feed.policy = OnePage(side, before: feed.policy)
    let turns = tell(.viewportMoved(viewport))
    if let asking = feed.policy as? OnePage { feed.policy = asking.policy }
    return turns
  }

  private mutating func need(_ request: FetchRequest) {
    let page = AskedPage(request)
    let ordinal = asked[page, default: 0]
    asked[page] = ordinal + 1
    needs.append(Need(request: request, since: now, key: AnswerJournal.Key(page: page, ordinal: ordinal)))
  }

  private mutating func accountForStall() {
    let isMissing = lacksItems
    if isMissing, stalledSince == nil {
      stalledSince = now
      stalls.count += 1
    } else if !isMissing, let since = stalledSince {
      stalledSince = nil
      delay = delay + (now - since)
      stalls.add(now - since)
    }
  }
}

extension Situation {
  /// The last first place from which the reader still sees a whole screen; nil while the end is not known.
  func lastPlace(screen: Int) -> Int? {
    let end = places.start + feed.items.count
    if places.replacing == nil, !mayGrow(.append) { return max(0, end - screen) }
    return (feed.totalCount ?? places.replacing?.total).map { max(0, max($0, end) - screen) }
  }

  /// A movement ends where the list does: the rest of it, which would see the same, is dropped.
  mutating func stopAtEnd(_ act: ReaderAct) -> ReaderAct {
    guard case .move(let viewport) = act, viewport.velocity > 0 else { return act }
    var last = confined(viewport)
    guard last.firstVisible < viewport.firstVisible else { return act }
    let (place, slide) = (last.firstVisible, places.slide)
    agenda.dropPlans { plan in
      guard case .move(let next) = plan.act.moved(by: slide - plan.slide) else { return false }
      return next.firstVisible > place
    }
    last.velocity = 0
    return .move(last)
  }

  /// A viewport within what there is.
  private func confined(_ viewport: Viewport) -> Viewport {
    let count = viewport.lastVisible - viewport.firstVisible + 1
    let first = max(0, min(viewport.firstVisible, lastPlace(screen: count) ?? viewport.firstVisible))
    var result = viewport
    result.firstVisible = first
    result.lastVisible = first + count - 1
    return result
  }

  /// Whether the reader wants to see something that is not there and may still come.
  private var lacksItems: Bool {
    guard let wanted = places.wanted, wanted.lastVisible >= wanted.firstVisible else { return false }
    let end = places.start + feed.items.count
    if let replacing = places.replacing, replacing.isJump {
      return wanted.firstVisible < places.start || wanted.firstVisible >= end
    }
    let last = (feed.totalCount ?? places.replacing?.total).map { min(wanted.lastVisible, $0 - 1) }
    if (last ?? wanted.lastVisible) >= end, mayGrow(.append) { return true }
    return wanted.firstVisible < places.start && mayGrow(.prepend)
  }

  private func mayGrow(_ side: Direction) -> Bool {
    switch feed.state(of: side) {
    case .idle, .fetching, .failed: true
    case .gaveUp, .stopped, .exhausted: false
    }
  }
}
