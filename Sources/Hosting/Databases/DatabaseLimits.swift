import GRDBSQLite
import Paging

/// How much SQLite may take for a script: memory, sizes, and processor time.
final class DatabaseLimits {
  /// The most bytes of one answer.
  let largestAnswer: Int
  let meter: ProcessorMeter
  private let memory: Int
  private let stop: StopFlag

  /// Limits that the account sets; statements end soon after the flag is set.
  init(_ account: ScriptAccount, _ meter: ProcessorMeter, stop: StopFlag) {
    largestAnswer = account.answerLimit
    memory = account.memoryLimit
    self.meter = meter
    self.stop = stop
  }

  /// Puts the limits on a connection, which they must outlive.
  func install(on connection: OpaquePointer) {
    for (limit, value) in DatabaseLimits.sizes { sqlite3_limit(connection, limit, value) }
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, CInt(min(max(largestAnswer, 1), 1_000_000_000)))
    // One limit for the process: the sink and the state have their databases in it too. They take a page cache of 2 MB each, and
    // fail without harm, their transaction undone, in a run whose script fills memory; what is added keeps that from happening.
    sqlite3_hard_heap_limit64(Int64(memory + (32 << 20)))
    // A few milliseconds of most statements.
    sqlite3_progress_handler(
      connection, 100_000,
      { Unmanaged<DatabaseLimits>.fromOpaque($0!).takeUnretainedValue().mayGoOn ? 0 : 1 },
      Unmanaged.passUnretained(self).toOpaque())
  }

  private var mayGoOn: Bool { !stop.isSet && meter.pay() }

  private static let sizes: [(CInt, CInt)] = [
    // The one that VACUUM takes; see `DatabaseRules`.
    (SQLITE_LIMIT_ATTACHED, 1),
    // Compiling cannot be interrupted: a statement of this size takes well below a second.
    (SQLITE_LIMIT_SQL_LENGTH, 1_000_000), (SQLITE_LIMIT_VDBE_OP, 1_000_000),
    // Each level takes some hundred bytes of a stack of 8 MB; nobody writes such depths by hand.
    (SQLITE_LIMIT_EXPR_DEPTH, 500), (SQLITE_LIMIT_TRIGGER_DEPTH, 100),
    (SQLITE_LIMIT_COMPOUND_SELECT, 250), (SQLITE_LIMIT_FUNCTION_ARG, 100), (SQLITE_LIMIT_COLUMN, 2000),
    // Room is made for the highest number, be there others or not.
    (SQLITE_LIMIT_VARIABLE_NUMBER, 32_766),
    // LIKE takes the product of pattern and text, without a stop in between.
    (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000),
    // What other threads take, nobody would count.
    (SQLITE_LIMIT_WORKER_THREADS, 0),
  ]
}
