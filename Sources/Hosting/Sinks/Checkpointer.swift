import CSQLite

/// Moves what is in the log of an SQLite file into the file while the next rows are written, on a thread of its own: what the disk takes
/// for it is waited for beside the run, and little is left for its end.
///
/// What fails here is still in the log, and is moved, or refused, as the file is closed.
final class Checkpointer {
  /// Pages that are new in the log before they are moved: four megabytes.
  private static let step = 1000
  /// Pages of a log of which the rest is moved before more is written, so that it is begun anew and grows no further.
  private static let most = 4000

  private let database: Database
  private let path: String
  private let worker = Worker(name: "log")
  private let isMoving = Monitor(false)
  /// How many pages the log had behind the last commit; SQLite writes it.
  private let pageCount = UnsafeMutablePointer<Int>.allocate(capacity: 1)
  /// How many of them were there when they were last moved.
  private var movedCount = 0

  /// Watches the commits of the database at an absolute path.
  init(of database: Database, at path: String) {
    (self.database, self.path) = (database, path)
    pageCount.initialize(to: 0)
    database.withConnection { connection in
      _ = sqlite3_wal_hook(
        connection,
        { count, _, _, pages in
          count?.assumingMemoryBound(to: Int.self).pointee = Int(pages)
          return SQLITE_OK
        }, pageCount)
    }
  }

  deinit {
    database.withConnection { connection in
      if connection != nil { _ = sqlite3_wal_hook(connection, nil, nil) }
    }
    pageCount.deallocate()
  }

  /// Moves the log if there is enough that is new; to be called behind a commit.
  func advance() {
    let count = pageCount.pointee
    // It was begun anew.
    if count < movedCount { movedCount = 0 }
    guard count - movedCount >= Checkpointer.step || count >= Checkpointer.most, begin() else { return }
    movedCount = count
    if count >= Checkpointer.most {
      try? Checkpointer.move(database)
      isMoving.withLock { $0 = false }
    } else {
      worker.submit { [path, isMoving] in
        try? Checkpointer.move(path)
        isMoving.withLock { $0 = false }
      }
    }
  }

  /// Whether nothing was being moved; from now on something is.
  private func begin() -> Bool {
    isMoving.withLock { isMoving in
      defer { isMoving = true }
      return !isMoving
    }
  }

  private static func move(_ path: String) throws {
    let database = try Database(path: path, waiting: .zero, isThere: true)
    try move(database)
    try database.close()
  }

  private static func move(_ database: Database) throws {
    try database.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)")
  }

  /// Returns when nothing is being moved, and nothing will be.
  func finish() { worker.finish() }

  /// Moves what is left, behind `finish`; throws what the disk says.
  func moveRest() throws { try Checkpointer.move(database) }
}
