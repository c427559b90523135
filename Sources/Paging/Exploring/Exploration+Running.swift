/// How far an exploration is to go on.
public struct ExplorationGoal: Sendable, Equatable {
  /// Events that may still happen; nil is as many as there are.
  public var events: Int?
  /// The time at which to stop; nil is when nothing is left to come.
  public var until: Instant?
  /// Stop when the reader has done all that it was going to do, and waits for nothing.
  public var endsWithPlans = false

  public init(events: Int? = nil, until: Instant? = nil) {
    self.events = events
    self.until = until
  }
}

/// Why an exploration does not go on.
public enum ExplorationStop: Sendable, Equatable {
  /// The goal is reached.
  case reached
  /// The source has to answer these first; `supply` what it says, and go on.
  case needs([FetchRequest])
  /// Nothing is left to come.
  case quiet
  /// The reader waits for items, and nothing is on its way: the policy does not ask for them.
  case standstill
  /// So many events happened in one go that it looks as if they never ended.
  case tooMany(Int)
}

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
      let (needs, coming) = toCome
      if !needs.isEmpty { return .needs(needs.map(\.request)) }
      guard let coming else {
        return end(at: goal.until, otherwise: stalledSince == nil ? .quiet : .standstill)
      }
      if let until = goal.until, coming.at > until { return end(at: until, otherwise: .reached) }
      var next = takeSituation()
      next.resolve(journal)
      next.now = max(next.now, coming.at)
      next.agenda.remove(coming.happening)
      happen(coming.happening, in: &next)
      goal.events = goal.events.map { $0 - 1 }
    }
    return .tooMany(Self.mostEvents)
  }

  /// What the source has to answer, and what comes next where that is nothing.
  var toCome: (needs: [Situation.Need], (at: Instant, happening: ExplorationAgenda.Happening)?) {
    var now = situation
    now.resolve(journal)
    return (now.needs, now.agenda.next(delay: now.runningDelay))
  }

  /// What the source answered; it is remembered for every past and future in which that is asked for.
  public mutating func supply(_ answer: JournaledAnswer, for request: FetchRequest) {
    guard let need = situation.needs.first(where: { $0.request == request }) else { return }
    journal[need.key] = answer
  }

  /// Forgets what the source answered: from now on it is asked again, as it may answer otherwise.
  public mutating func forgetAnswers() { journal = AnswerJournal() }

  private mutating func happen(_ happening: ExplorationAgenda.Happening, in next: inout Situation) {
    let cause: ExploredMoment.Cause
    let turns: [ExploredMoment.Turn]
    switch happening {
    case .arrival(let arrival):
      cause = .answered(arrival.request, arrival.news)
      turns = next.tell(arrival.news.event(of: arrival.request.id))
    case .wake:
      cause = .woke
      turns = next.tell(.woke)
    case .plan(let plan):
      let act = next.stopAtEnd(plan.act.moved(by: next.places.slide - plan.slide))
      cause = .acted(act)
      turns = next.carryOut(act)
    }
    add(ExploredMoment(cause, turns: turns, next))
  }

  /// Lets the time pass that is left.
  private mutating func end(at time: Instant?, otherwise stop: ExplorationStop) -> ExplorationStop {
    guard let time, time > now else { return time == nil ? stop : .reached }
    var next = takeSituation()
    next.now = time
    add(ExploredMoment(.waited, next))
    return .reached
  }
}

extension JournaledAnswer.News {
  func event(of id: FetchID) -> Event {
    switch self {
    case .appended(let items, let received): .appended(id, items, received: received)
    case .answered(let answer): .answered(id, answer)
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
