/// A request to run sessions for the candidates still in the race.
struct SessionOrder {
  let block: LabBlock
  let sessions: Range<Int>
  /// By candidate.
  let candidates: [Bool]
  /// The first sessions, whose timelines are kept.
  let recorded: Int
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
    try order.sessions.map { session in
      (session, try runner.run(order, session: session))
    }
  }
}
