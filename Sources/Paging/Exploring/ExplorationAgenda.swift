/// What is to come in an exploration: answers, a wake, and what the reader is going to do.
///
/// Answers and wakes come at fixed times. The reader acts in nominal time, which stands still while it waits for items.
struct ExplorationAgenda: Sendable {
  /// A piece of an answer on its way.
  struct Arrival: Sendable {
    let at: Instant
    let number: Int
    let request: FetchRequest
    /// When the request was made.
    let since: Instant
    let news: JournaledAnswer.News
  }

  /// Something that the reader is going to do.
  struct Plan: Sendable {
    /// In nominal time.
    let at: Instant
    let act: ReaderAct
    /// See `ListPlaces.slide`; places are meant as they were then.
    let slide: Int
  }

  /// What comes next.
  enum Happening: Sendable {
    case arrival(Arrival)
    case wake
    case plan(Plan)
  }

  private(set) var arrivals: [Arrival] = []
  private(set) var wake: (at: Instant, number: Int)?
  private(set) var plans: [Plan] = []
  private var lastNumber = 0

  mutating func add(_ answer: JournaledAnswer, to request: FetchRequest, since: Instant, now: Instant) {
    for piece in answer.pieces {
      lastNumber += 1
      arrivals.append(
        Arrival(
          at: max(now, since + piece.after), number: lastNumber, request: request, since: since,
          news: piece.news))
    }
  }

  mutating func wake(at time: Instant) {
    lastNumber += 1
    wake = (time, lastNumber)
  }

  /// Nobody wants that answer any more.
  mutating func remove(_ id: FetchID) { arrivals.removeAll { $0.request.id == id } }

  /// The reader's plans from now on, in order.
  mutating func plan(_ new: [Plan]) { plans = new }

  /// Drops the plans that come next for as long as they are such.
  mutating func dropPlans(while isSuch: (Plan) -> Bool) { plans = Array(plans.drop(while: isSuch)) }

  /// When the next thing happens, and what; `delay` is how far nominal time lies behind, nil where it stands still.
  func next(delay: Duration?) -> (at: Instant, happening: Happening)? {
    var first: (at: Instant, number: Int, happening: Happening)?
    for arrival in arrivals where first.map({ (arrival.at, arrival.number) < ($0.at, $0.number) }) ?? true {
      first = (arrival.at, arrival.number, .arrival(arrival))
    }
    if let wake, first.map({ (wake.at, wake.number) < ($0.at, $0.number) }) ?? true {
      first = (wake.at, wake.number, .wake)
    }
    if let delay, let plan = plans.first {
      let at = plan.at + delay
      // What was on its way comes before what the reader does at the same time.
      if first.map({ at < $0.at }) ?? true { return (at, .plan(plan)) }
    }
    return first.map { ($0.at, $0.happening) }
  }

  /// It happens now.
  mutating func remove(_ happening: Happening) {
    switch happening {
    case .arrival(let arrival): arrivals.removeAll { $0.number == arrival.number }
    case .wake: wake = nil
    case .plan: plans.removeFirst()
    }
  }
}
