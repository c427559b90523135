import Paging

extension Revisits {
  /// The least wait of any schedule, or nil where more states than allowed would have to be looked at.
  ///
  /// Exact search over the moments at which each fetch starts. A dozen references take microseconds; hundreds
  /// are often possible too, as different ways lead to equal states.
  public func leastStall(states limit: Int = 100_000) -> Duration? {
    var search = RevisitsSearch(reader: self, limit: limit)
    return search.run().map { .nanoseconds($0) }
  }

  /// The least wait is between these: equal where the search succeeds, else the better of both policies and what
  /// follows from the fetches that nobody can save and from Aggressive's ratio.
  public func stallBounds(states limit: Int = 100_000) -> (lower: Duration, upper: Duration) {
    if let exact = leastStall(states: limit) { return (exact, exact) }
    let aggressive = aggressiveStall()
    let reading = readingTime
    // The ratio is proven for references that all take equally long.
    let isEven = work.allSatisfy { $0 == work.first }
    let halved = isEven ? (reading + aggressive) / 2 - reading : .zero
    let fetches = Duration.nanoseconds(fetch) * demandFaults().count - reading
    return (max(.zero, halved, fetches), min(aggressive, conservativeStall()))
  }
}

/// Depth first over the states of a reader at the moments when nothing is on its way.
private struct RevisitsSearch {
  let reader: Revisits
  let limit: Int
  let places: [Int: [Int]]
  /// What each state still costs at least.
  var known: [RevisitsRun: Int64] = [:]

  init(reader: Revisits, limit: Int) {
    self.reader = reader
    self.limit = limit
    places = reader.places
  }

  /// A step on the way: a state whose two choices are tried one after the other.
  struct Step {
    let run: RevisitsRun
    var choices: [RevisitsRun]
    var best = Int64.max
  }

  mutating func run() -> Int64? {
    var steps = [step(from: RevisitsRun(reader))]
    while true {
      let top = steps.count - 1
      if let choice = steps[top].choices.popLast() {
        let paid = choice.stall - steps[top].run.stall
        if choice.place >= reader.references.count {
          steps[top].best = min(steps[top].best, paid)
        } else if let rest = known[choice] {
          steps[top].best = min(steps[top].best, paid + rest)
        } else {
          guard known.count + steps.count < limit else { return nil }
          steps[top].choices.append(choice)
          steps.append(step(from: choice))
        }
        continue
      }
      let done = steps.removeLast()
      known[done.run] = done.best
      if steps.isEmpty { return done.best }
    }
  }

  /// To fetch now or to wait for the next reference; a reader without its page cannot wait.
  func step(from run: RevisitsRun) -> Step {
    guard run.place < reader.references.count else { return Step(run: run, choices: [], best: 0) }
    var choices: [RevisitsRun] = []
    if run.held.contains(reader.references[run.place]) {
      var waiting = run
      waiting.advance(reader)
      choices.append(waiting)
    }
    if let fetch = reader.nextFetch(run, places) {
      var fetching = run
      fetching.start(fetch.page, for: fetch.victim, reader)
      repeat {
        fetching.advance(reader)
      } while fetching.onItsWay != nil && fetching.place < reader.references.count
      choices.append(fetching)
    }
    return Step(run: run, choices: choices)
  }
}
