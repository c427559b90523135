import Synchronization

/// Whose turn it is to write to what may be the terminal: nothing else is written between a question and its answer, by any
/// thread.
enum TerminalTurn {
  private static let turn = Mutex(())

  /// Calls the body when nobody else has the turn.
  static func take<Result>(_ body: () -> Result) -> Result {
    turn.withLock { _ in body() }
  }
}
