/// Sessions to be run for all candidates of a block that are still running.
struct SessionOrder {
  let block: LabBlock
  let sessions: Range<Int>
  /// By candidate.
  let candidates: [Bool]
  /// The first sessions of all, which are kept as pictures.
  let recorded: Int
}

/// Whoever runs sessions, here or on other threads.
protocol SessionExecutor {
  /// The outcomes in the order of the sessions.
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
