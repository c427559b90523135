import GRDB
import GRDBSQLite

extension Database {
  /// Shuts the ways in which SQL reaches files that were not opened, or memory.
  func closeBackDoors() {
    // ATTACH and VACUUM INTO open files by name, past the permissions.
    sqlite3_limit(sqliteConnection, SQLITE_LIMIT_ATTACHED, 0)
    // This function takes and gives addresses of C functions.
    for count in [1, 2] {
      add(
        function: DatabaseFunction("fts3_tokenizer", argumentCount: count) { _ in
          throw DatabaseError(message: "fts3_tokenizer() is not available")
        })
    }
  }

  /// Ends the statement that runs soon after the flag is set; the flag must outlive the connection.
  func interrupt(when stop: StopFlag) {
    sqlite3_progress_handler(
      sqliteConnection, 100_000,
      { Unmanaged<StopFlag>.fromOpaque($0!).takeUnretainedValue().isSet ? 1 : 0 },
      Unmanaged.passUnretained(stop).toOpaque())
  }
}
