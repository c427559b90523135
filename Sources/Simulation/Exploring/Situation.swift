internal import Items
public import Paging

/// How everything stands at a moment of an exploration: all that goes back when one goes back in time.
struct Situation {
  private var loop: FeedLoop<Arrival>
  var policy: FreshPolicy
  /// What the reader is going to do, in order.
  private(set) var plans: [Plan] = []
  /// Requests whose answers are not known yet.
  private(set) var needs: [Need] = []
  /// How often each page was asked for.
  private var asked: [AskedPage: Int] = [:]
  /// How far nominal time lies behind.
  private var delay = Duration.zero
  /// Since when the reader waits for items.
  private(set) var stalledSince: Instant?
  private(set) var stalls = ExplorationStalls()

  /// A request that the source, or the journal, has to answer.
  struct Need: Sendable {
    let request: FetchRequest
    let since: Instant
    let key: AnswerJournal.Key
  }

  /// A piece of an answer on its way.
  struct Arrival: ComingAnswer {
    let request: FetchRequest
    /// When the request was made.
    let since: Instant
    /// What the fetch handler said.
    let event: Event

    var fetchID: FetchID? { request.id }
  }

  /// Something that the reader is going to do.
  struct Plan: Sendable {
    /// In nominal time, which stands still while the reader waits for items.
    let at: Instant
    let act: ReaderAct
    /// See `ListPlaces.slide`; places are meant as they were then.
    let slide: Int
  }

  /// What comes next.
  enum Happening {
    case arrival(Arrival)
    case wake
    case plan(Plan)
  }

  init(_ feed: Feed, _ policy: FreshPolicy) {
    loop = FeedLoop(feed)
    self.policy = policy
  }

  var now: Instant { loop.now }

  /// The machine; exchanged where a moment does not keep its own.
  var feed: Feed {
    get { loop.feed }
    set { loop.feed = newValue }
  }

  var places: ListPlaces { loop.feed.places }

  /// Pieces of answers that are to come, in order.
  var arrivals: [(at: Instant, answer: Arrival)] { loop.answers }

  /// The time of the reader: it stands still while the reader waits.
  var nominalNow: Instant { (stalledSince ?? now) + (Duration.zero - delay) }

  /// Nothing happens until then.
  mutating func wait(until time: Instant) { loop.advance(to: time) }

  /// The reader is going to do that from now on, and nothing else.
  mutating func plan(_ new: [Plan]) { plans = new }

  /// Hands the feed an event, and acknowledges its change sets.
  mutating func send(_ event: Event) -> [ExploredMoment.Turn] {
    var turns: [ExploredMoment.Turn] = []
    var next: Event? = event
    while let event = next {
      let effects = loop.send(event)
      turns.append(ExploredMoment.Turn(event: event, effects: effects))
      for effect in effects {
        switch effect {
        case .fetch(let request): need(request)
        case .cancel(let id):
          _ = loop.removeAnswers(to: id)
          needs.removeAll { $0.request.id == id }
        case .wake, .apply, .shiftViewport, .prefetch, .removed, .delivered, .reached, .ended, .note: break
        }
      }
      next = loop.acknowledgement()
    }
    accountForStall()
    return turns
  }

  /// Takes from the journal what it knows.
  mutating func resolve(_ journal: AnswerJournal) {
    needs.removeAll { need in
      guard let answer = journal[need.key] else { return false }
      for piece in answer.pieces {
        let event = piece.event.renamed(to: need.request.id)
        loop.add(
          Arrival(request: need.request, since: need.since, event: event), at: need.since + piece.after)
      }
      return true
    }
  }

  /// When the next thing happens. What was on its way comes before what the reader does at the same time.
  var nextTime: Instant? {
    guard let plan = nextPlan else { return loop.nextTime }
    return loop.nextTime.map { min($0, plan.at) } ?? plan.at
  }

  /// Goes on to the next thing that happens; nil when nothing is to come.
  mutating func next() -> Happening? {
    if let (at, plan) = nextPlan, loop.nextTime.map({ at < $0 }) ?? true {
      plans.removeFirst()
      loop.advance(to: at)
      return .plan(plan)
    }
    switch loop.next() {
    case .answer(let arrival): return .arrival(arrival)
    case .wake: return .wake
    case nil: return nil
    }
  }

  /// What the reader does next, unless it stands still.
  private var nextPlan: (at: Instant, plan: Plan)? {
    guard stalledSince == nil, let plan = plans.first else { return nil }
    return (plan.at + delay, plan)
  }

  /// What the reader does.
  mutating func carryOut(_ act: ReaderAct) -> [ExploredMoment.Turn] {
    switch act {
    case .move(let viewport): send(.placesViewed(confined(viewport)))
    case .fetch(let side): send(.pageRequested(side))
    case .refresh: send(.refreshed(.anchor))
    case .retry: send(.retried)
    }
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
    let end = places.start + feed.itemCount
    if places.replacing == nil, !mayGrow(.append) { return max(0, end - screen) }
    return (feed.totalCount ?? places.replacing?.total).map { max(0, max($0, end) - screen) }
  }

  /// A movement ends where the list does: the rest of it, which would see the same, is dropped.
  mutating func stopAtEnd(_ act: ReaderAct) -> ReaderAct {
    guard case .move(let viewport) = act, viewport.velocity > 0 else { return act }
    var last = confined(viewport)
    guard last.firstVisible < viewport.firstVisible else { return act }
    let (place, slide) = (last.firstVisible, places.slide)
    let rest = plans.drop { plan in
      guard case .move(let next) = plan.act.moved(by: slide - plan.slide) else { return false }
      return next.firstVisible > place
    }
    plans = Array(rest)
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
    let end = places.start + feed.itemCount
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

extension ReaderAct {
  /// The same, where all places have changed by so many.
  func moved(by distance: Int) -> ReaderAct {
    guard distance != 0, case .move(var viewport) = self else { return self }
    viewport.firstVisible += distance
    viewport.lastVisible += distance
    return .move(viewport)
  }
}

/// A request under way.
public struct ExploredFetch: Sendable {
  public let request: FetchRequest
  public let since: Instant
  /// When its answer is in; nil while the source has not been asked.
  public let answersAt: Instant?
}

extension Situation {
  /// Requests in flight, in the order of their names.
  func fetches(_ journal: AnswerJournal) -> [ExploredFetch] {
    let known = arrivals.filter(\.answer.event.endsFetch).map { at, arrival in
      ExploredFetch(request: arrival.request, since: arrival.since, answersAt: at)
    }
    let needed = needs.map { need in
      ExploredFetch(
        request: need.request, since: need.since,
        answersAt: journal[need.key]?.pieces.last.map { need.since + $0.after })
    }
    return (known + needed).sorted { $0.request.id < $1.request.id }
  }
}
