import CSQLite
import Glibc
import Paging

/// How long a database is waited for that another process has locked.
struct DatabaseWait: Sendable {
  let timeout: Duration

  /// In milliseconds, for SQLite's own waiting.
  var milliseconds: CInt { CInt(clamping: Int(timeout.inSeconds * 1000)) }

  /// Repeats what fails because the database is locked, until the time is over.
  ///
  /// For changes of the journal mode: SQLite's own waiting does not cover the lock that they need.
  func repeating<Result>(_ body: () throws -> Result) throws -> Result {
    let end = ContinuousClock.now + timeout
    while true {
      do {
        return try body()
      } catch let error as DatabaseError where error.code == SQLITE_BUSY && ContinuousClock.now < end {
        usleep(10_000)
      }
    }
  }
}
