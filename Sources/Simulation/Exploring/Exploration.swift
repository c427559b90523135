import Items
public import Paging

/// A feed lived through step by step in virtual time, with every moment kept: one can go back to each of them, and on from
/// there in another way.
///
/// A value: it knows no clock and no source. Time passes only from one event to the next. What the source has to answer is
/// asked for (`ExplorationStop.needs`) and remembered, so that a past that is lived again needs nothing from outside.
public struct Exploration {
  /// Places that the reader sees at once.
  public let screen: Int
  /// All that happened, in order; those behind `position` are a future that was lived already.
  public private(set) var moments: [ExploredMoment]
  /// The moment of now.
  public private(set) var position = 0
  /// The future that was left when something else was done in the past: behind which moment, and its moments.
  public private(set) var leftFuture: (behind: Int, moments: [ExploredMoment])?
  private var journal = AnswerJournal()

  /// Lets a reader see the first screen of a source. Every decision is noted, and nothing is released that was passed.
  public init(configuration: FeedConfiguration, policy: FreshPolicy, screen: Int)
    throws(InvalidConfiguration)
  {
    var options = configuration.options
    options.notesEveryDecision = true
    options.releasesPassedItems = false
    options.jumpsToPlaces = true
    let feed = Feed(configuration: try FeedConfiguration(options), policy: policy.make())
    self.screen = max(1, screen)
    var situation = Situation(feed, policy)
    let turns = situation.carryOut(.move(Viewport(firstVisible: 0, lastVisible: self.screen - 1)))
    moments = [ExploredMoment(.began, turns: turns, situation)]
  }
}

extension Exploration {
  /// The moment of now.
  public var moment: ExploredMoment { moments[position] }
  /// Virtual time.
  public var now: Instant { situation.now }
  /// The machine as it is now.
  public var feed: Feed { situation.feed }
  /// The policy that decides now.
  public var policyName: String { situation.policy.name }
  /// What the reader wants to see, in places of the source.
  public var viewport: Viewport { situation.places.wanted ?? Viewport(firstVisible: 0, lastVisible: -1) }
  /// What is held, by places of the source.
  public var list: BrowsedList { situation.feed.list }
  /// Since when the reader waits for items; nil when it does not.
  public var stalledSince: Instant? { situation.stalledSince }
  /// The waits of the reader so far.
  public var stalls: ExplorationStalls { situation.stalls }
  /// Moves and other acts of the reader that are still to come.
  public var plannedActs: Int { situation.plans.count }
  /// Requests that are under way.
  public var fetches: [ExploredFetch] { situation.fetches(journal) }
  /// When the next thing happens; nil where nothing is to come or that is not known before the source has answered.
  public var nextTime: Instant? {
    let (needs, time) = toCome
    return needs.isEmpty ? time : nil
  }
  /// The last place at which the reader may begin to see a screen; nil while the end is not known.
  public var lastPlace: Int? { situation.lastPlace(screen: screen) }
  /// Answers that are remembered.
  public var journaledAnswers: Int { journal.count }

  /// How everything stands now; never lean.
  var situation: Situation { moments[position].situation }

  /// Adds a moment behind this one; a future that was lived already is left.
  mutating func add(_ moment: ExploredMoment) {
    if position < moments.count - 1 {
      leftFuture = (position, Array(moments[(position + 1)...]))
      moments.removeSubrange((position + 1)...)
    }
    moments.append(moment)
    position += 1
  }
}

/// What the reader does.
extension Exploration {
  /// The reader looks at another place at once; what it was going to do is dropped, as by a finger on a moving list.
  public mutating func scroll(to place: Int) {
    var next = moveSituation()
    next.plan([])
    act(.move(viewport(at: place, velocity: 0)), in: &next)
  }

  /// The reader is going to move like that, from now on; nothing happens yet.
  public mutating func plan(_ moves: ReaderMoves) {
    var next = moveSituation()
    let start = next.nominalNow
    let slide = next.places.slide
    next.plan(
      moves.moves.map { move in
        Situation.Plan(
          at: start + move.after, act: .move(viewport(at: move.place, velocity: move.velocity)), slide: slide)
      })
    add(ExploredMoment(.planned(moves: moves.moves.count), next))
  }

  /// Asks for one page more on that side, whatever the policy says; the answer says why it cannot be, and then nothing
  /// has happened.
  public mutating func fetch(_ side: Direction) -> FetchRefusal? {
    if let refusal = refusal(of: side) { return refusal }
    var next = moveSituation()
    act(.fetch(side), in: &next)
    return nil
  }

  /// Has everything fetched again; the source is asked again too.
  public mutating func refresh() {
    var next = moveSituation()
    act(.refresh, in: &next)
  }

  /// Tries again what failed or stopped.
  public mutating func retry() {
    var next = moveSituation()
    act(.retry, in: &next)
  }

  /// Another policy decides from now on, and is asked at once.
  public mutating func exchange(_ policy: FreshPolicy) {
    var next = moveSituation()
    next.policy = policy
    next.feed.policy = policy.make()
    let turns = next.places.wanted.map { next.send(.placesViewed($0)) } ?? []
    add(ExploredMoment(.policy(policy.name), turns: turns, next))
  }

  private mutating func act(_ act: ReaderAct, in next: inout Situation) {
    let turns = next.carryOut(act)
    add(ExploredMoment(.acted(act), turns: turns, next))
  }

  private func viewport(at place: Int, velocity: Double) -> Viewport {
    Viewport(firstVisible: place, lastVisible: place + screen - 1, velocity: velocity)
  }
}

extension Exploration {
  private func refusal(of side: Direction) -> FetchRefusal? {
    if feed.isGathering { return .refreshing }
    switch feed.state(of: side) {
    case .exhausted: return .exhausted
    case .gaveUp(let failure): return .gaveUp(failure)
    case .stopped(let reason): return .stopped(reason)
    case .failed(let failure, let retryAt): return .waitsForRetry(failure, at: retryAt)
    case .idle, .fetching: break
    }
    guard let view = feed.view(of: side), view.freeSlots <= 0 else { return nil }
    if view.inFlight > 0 { return .busy(inFlight: view.inFlight) }
    return .full(items: feed.itemCount)
  }
}

/// Time passes.
extension Exploration {
  /// Events that happen in one go at most.
  public static let mostEvents = 10_000

  /// Lets the next thing happen; nil when it did.
  public mutating func step() -> ExplorationStop? {
    var goal = ExplorationGoal(events: 1)
    let stop = run(&goal)
    return stop == .reached ? nil : stop
  }

  /// Lets happen what is to come until the goal is reached. The goal is what is left of it, to go on with.
  public mutating func run(_ goal: inout ExplorationGoal) -> ExplorationStop {
    for _ in 0..<Self.mostEvents {
      if goal.events == 0 { return .reached }
      if goal.endsWithPlans, plannedActs == 0, stalledSince == nil { return .reached }
      // Only what happens is written down: an answer that is forgotten before it came is asked for again.
      let (needs, time) = toCome
      if !needs.isEmpty { return .needs(needs.map(\.request)) }
      guard let time else {
        return stop(at: goal.until, otherwise: stalledSince == nil ? .quiet : .standstill)
      }
      if let until = goal.until, time > until { return stop(at: until, otherwise: .reached) }
      var next = moveSituation()
      next.resolve(journal)
      if let happening = next.next() { happen(happening, in: &next) }
      goal.events = goal.events.map { $0 - 1 }
    }
    return .tooMany(Self.mostEvents)
  }

  /// What the source has to answer, and when the next thing happens where that is nothing.
  private var toCome: (needs: [Situation.Need], time: Instant?) {
    var now = situation
    now.resolve(journal)
    return (now.needs, now.nextTime)
  }

  /// What the source answered; it is remembered for every past and future in which that is asked for.
  public mutating func supply(_ answer: JournaledAnswer, for request: FetchRequest) {
    guard let need = situation.needs.first(where: { $0.request == request }) else { return }
    journal[need.key] = answer
  }

  /// Forgets what the source answered: from now on it is asked again, as it may answer otherwise.
  public mutating func forgetAnswers() { journal = AnswerJournal() }

  private mutating func happen(_ happening: Situation.Happening, in next: inout Situation) {
    let cause: ExploredMoment.Cause
    let turns: [ExploredMoment.Turn]
    switch happening {
    case .arrival(let arrival):
      cause = .answered(arrival.request, arrival.event)
      turns = next.send(arrival.event)
    case .wake:
      cause = .woke
      turns = next.send(.woke)
    case .plan(let plan):
      let act = next.stopAtEnd(plan.act.moved(by: next.places.slide - plan.slide))
      cause = .acted(act)
      turns = next.carryOut(act)
    }
    add(ExploredMoment(cause, turns: turns, next))
  }

  /// Lets the time pass that is left.
  private mutating func stop(at time: Instant?, otherwise stop: ExplorationStop) -> ExplorationStop {
    guard let time, time > now else { return time == nil ? stop : .reached }
    var next = moveSituation()
    next.wait(until: time)
    add(ExploredMoment(.waited, next))
    return .reached
  }
}

/// There and back.
extension Exploration {
  /// Goes back by so many moments, at most to the first; returns how many they were. Nothing is forgotten.
  @discardableResult
  public mutating func back(_ count: Int = 1) -> Int { go(to: position - max(0, count)) }

  /// Goes forward by so many moments that were lived already; returns how many they were.
  @discardableResult
  public mutating func forward(_ count: Int = 1) -> Int { go(to: position + max(0, count)) }

  /// Goes to the moment of that index, or the nearest there is; returns how far it was.
  @discardableResult
  public mutating func go(to index: Int) -> Int {
    let target = max(0, min(index, moments.count - 1))
    let distance = abs(target - position)
    if distance > 0 { stand(at: target) }
    return distance
  }

  /// Goes back to a moment as if nothing had happened behind it: its future is not kept, not even as one that was left.
  public mutating func rewind(to index: Int) {
    go(to: index)
    moments.removeSubrange((position + 1)...)
  }

  /// What happened between two moments: from behind the first to the second.
  public func outcome(from start: Int, to end: Int) -> ExplorationOutcome {
    ExplorationOutcome(behind: moments[start], moments[min(start + 1, end + 1)..<(end + 1)])
  }
}

extension Exploration {
  /// Plans for the reader what it did the first time after this moment, at the same nominal times; then it is to be run.
  /// Nil when it did nothing, or there was no first time.
  ///
  /// The first time is the future that was lived already, or the one that was left last: go back, exchange the policy, repeat.
  public mutating func planRepeat() -> ExplorationRepeat? {
    guard let (start, old) = firstTime else { return nil }
    let hasActed = moments[(start + 1)..<max(start + 1, position + 1)].contains { $0.act != nil }
    let since = situation.nominalNow
    let plans = plans(of: old).filter { hasActed ? $0.at > since : $0.at >= since }
    guard !plans.isEmpty else { return nil }
    let before = ExplorationOutcome(behind: moments[start], old[...])
    var next = moveSituation()
    next.plan(plans)
    add(ExploredMoment(.planned(moves: plans.count), next))
    return ExplorationRepeat(start: start, before: before, acts: plans.count)
  }

  /// What came of a stretch that was lived again, until now.
  public func outcome(of repeated: ExplorationRepeat) -> ExplorationOutcome {
    outcome(from: repeated.start, to: position)
  }

  private var firstTime: (behind: Int, moments: [ExploredMoment])? {
    if position < moments.count - 1 { return (position, Array(moments[(position + 1)...])) }
    return leftFuture
  }

  private func plans(of moments: [ExploredMoment]) -> [Situation.Plan] {
    moments.compactMap { moment in
      moment.act.map { Situation.Plan(at: moment.nominalTime, act: $0, slide: moment.slide) }
    }
  }
}

/// Not every moment keeps its feed, since each that has items of its own takes up room for all of them. What was let go is
/// had again by telling an older feed what was told then: equal events give equal feeds.
extension Exploration {
  /// Of so many moments one keeps its feed.
  private static let interval = 32

  /// The feed as it was after a moment.
  public func feed(at index: Int) -> Feed {
    guard moments[index].isLean else { return moments[index].situation.feed }
    let start = moments[..<index].lastIndex { !$0.isLean } ?? 0
    var feed = moments[start].situation.feed
    for moment in moments[(start + 1)...index] { feed.live(moment) }
    return feed
  }

  /// What was held after a moment, by places of the source.
  public func list(at index: Int) -> BrowsedList { feed(at: index).list }

  /// How everything stands now, to be changed: the next moment has it. Nothing is copied where this one need not keep it.
  mutating func moveSituation() -> Situation {
    let situation = situation
    if position == moments.count - 1 { makeLean(position) }
    return situation
  }

  /// Makes another moment the one of now.
  mutating func stand(at index: Int) {
    var feed = feed(at: index)
    let first = moments[...index].lastIndex(where: \.installsPolicy) ?? 0
    feed.policy = moments[index].situation.policy.remade(after: moments[first...index])
    makeLean(position)
    moments[index].situation.feed = feed
    moments[index].isLean = false
    position = index
  }

  private mutating func makeLean(_ index: Int) {
    guard index % Self.interval != 0, !moments[index].isLean else { return }
    moments[index].situation.feed = moments[0].situation.feed
    moments[index].isLean = true
  }
}
