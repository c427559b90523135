/// A request to run sessions for the candidates still in the race.
struct SessionOrder {
  let block: LabBlock
  let sessions: Range<Int>
  /// By candidate. Sessions are begun in order, so of one that has failed only those before are still of interest.
  private(set) var candidates: [Bool]
  /// The first sessions, whose timelines are kept.
  let recorded: Int

  /// Drops the candidates that failed in a session.
  mutating func drop(_ outcomes: [SessionOutcome?]) {
    for (number, outcome) in outcomes.enumerated() {
      if case .failure = outcome { candidates[number] = false }
    }
  }
}

/// Runs sessions, on this thread or on others.
protocol SessionExecutor {
  /// The outcomes in session order.
  func run(_ order: SessionOrder) throws -> [(session: Int, outcomes: [SessionOutcome?])]
}

/// Runs them on this thread.
struct InlineSessions: SessionExecutor {
  private let runner: SessionRunner

  init(_ runner: SessionRunner) { self.runner = runner }

  func run(_ order: SessionOrder) throws -> [(session: Int, outcomes: [SessionOutcome?])] {
    var order = order
    return try order.sessions.map { session in
      let outcomes = try runner.run(order, session: session)
      order.drop(outcomes)
      return (session, outcomes)
    }
  }
}
