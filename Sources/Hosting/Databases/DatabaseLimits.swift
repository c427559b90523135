import CSQLite
import Paging

/// SQLite's limits for a script: memory, sizes, and processor time.
final class DatabaseLimits {
  /// Maximum bytes of one answer.
  let largestAnswer: Int
  let meter: ProcessorMeter
  /// How long a locked database is waited for.
  let wait: DatabaseWait
  private let memory: Int
  private let stop: StopFlag

  /// Limits set by the account; statements end soon after the flag is set.
  init(_ account: ScriptAccount, _ meter: ProcessorMeter, stop: StopFlag, wait: DatabaseWait) {
    self.wait = wait
    largestAnswer = account.answerLimit
    memory = account.memoryLimit
    self.meter = meter
    self.stop = stop
  }

  /// Installs the limits on a connection, which they must outlive.
  func install(on connection: OpaquePointer) {
    for (limit, value) in DatabaseLimits.sizes { sqlite3_limit(connection, limit, value) }
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, CInt(min(max(largestAnswer, 1), 1_000_000_000)))
    // The limit is per process, and the sink and the state use databases too. Their page caches are 2 MB each, and they
    // fail // cleanly in a run whose script fills memory; the margin keeps that from happening.
    sqlite3_hard_heap_limit64(Int64(memory + (32 << 20)))
    // A few milliseconds of most statements.
    sqlite3_progress_handler(
      connection, 100_000,
      { Unmanaged<DatabaseLimits>.fromOpaque($0!).takeUnretainedValue().mayGoOn ? 0 : 1 },
      Unmanaged.passUnretained(self).toOpaque())
  }

  private var mayGoOn: Bool { !stop.isSet && meter.pay() }

  private static let sizes: [(CInt, CInt)] = [
    // VACUUM needs one; see `DatabaseRules`.
    (SQLITE_LIMIT_ATTACHED, 1),
    // Compiling can't be interrupted: a statement of this size takes well under a second.
    (SQLITE_LIMIT_SQL_LENGTH, 1_000_000), (SQLITE_LIMIT_VDBE_OP, 1_000_000),
    // Each level takes some hundred bytes of an 8 MB stack; nobody writes such depths by hand.
    (SQLITE_LIMIT_EXPR_DEPTH, 500), (SQLITE_LIMIT_TRIGGER_DEPTH, 100),
    (SQLITE_LIMIT_COMPOUND_SELECT, 250), (SQLITE_LIMIT_FUNCTION_ARG, 100), (SQLITE_LIMIT_COLUMN, 2000),
    // Memory is allocated for the highest number, used or not.
    (SQLITE_LIMIT_VARIABLE_NUMBER, 32_766),
    // LIKE takes time in pattern times text, without interruption points.
    (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000),
    // The time of other threads would not be counted.
    (SQLITE_LIMIT_WORKER_THREADS, 0),
  ]
}
