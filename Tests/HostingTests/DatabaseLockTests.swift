import Foundation
import Hosting
import Items
import Paging
import Testing

/// Databases that another process holds: here another connection, which SQLite treats alike.
@Suite struct DatabaseLockTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.file("a.db") }

  /// What a second connection does before it waits, with what it locks.
  enum Lock: String, CaseIterable {
    case writing = "BEGIN IMMEDIATE; INSERT INTO t VALUES (2)"
    case everything = "BEGIN EXCLUSIVE; INSERT INTO t VALUES (2)"
  }

  /// Holds a lock until it is released, or for a second.
  private final class Holder: Sendable {
    private let databases = DatabaseCalls(permissions: .all)
    private let handle: Int

    init(_ path: String, _ lock: Lock, isWAL: Bool) {
      handle = databases.answer(.openDatabase(path: path, isReadOnly: false)).handle
      let mode = isWAL ? "WAL" : "DELETE"
      _ = run("PRAGMA journal_mode = \(mode); CREATE TABLE t (a); INSERT INTO t VALUES (1)")
      #expect(run(lock.rawValue) == nil)
    }

    func release() {
      #expect(run("COMMIT") == nil)
      databases.finish()
    }

    func releaseInASecond() {
      Thread.detachNewThread { [self] in
        Thread.sleep(forTimeInterval: 1)
        release()
      }
    }

    private func run(_ sql: String) -> HostFailure? {
      databases.answer(.execute(handle: handle, SQLStatement(sql))).failure
    }
  }

  @Test(arguments: Lock.allCases, [false, true])
  func `a database that another process holds for a second is waited for by a script`(
    _ lock: Lock, isWAL: Bool
  ) {
    for sql in [
      "INSERT INTO t VALUES (3)", "BEGIN IMMEDIATE; COMMIT", "CREATE TABLE u (a)",
      "ALTER TABLE t ADD COLUMN b",
      "PRAGMA journal_mode = WAL",
    ] {
      try? FileManager.default.removeItem(atPath: path)
      let holder = Holder(path, lock, isWAL: isWAL)
      let databases = DatabaseCalls(permissions: .all)
      defer { databases.finish() }
      holder.releaseInASecond()

      let opened = databases.answer(.openDatabase(path: path, isReadOnly: false))
      let failure =
        opened.failure ?? databases.answer(.execute(handle: opened.handle, SQLStatement(sql))).failure

      #expect(failure == nil, "\(sql)")
      // A transaction that changes nothing in WAL waits for no one.
      Thread.sleep(forTimeInterval: 1.2)
    }
  }

  @Test(arguments: [false, true])
  func `a database that another process holds for a second is waited for by the output`(isWAL: Bool) throws {
    let holder = Holder(path, .writing, isWAL: isWAL)
    holder.releaseInASecond()

    let sink = try makeSink(SinkConfiguration(path: path))
    sink.answer([item(1, #"{"id":1}"#)])

    #expect(sink.finish().failure == nil)
    #expect(rows("SELECT id FROM items", of: path) == #"[{"id":1}]"#)
  }

  @Test(arguments: ["INSERT INTO t VALUES (3)", "BEGIN IMMEDIATE", "PRAGMA journal_mode = WAL"])
  func `a database that is never let go is a passing failure that names it`(_ sql: String) throws {
    let holder = Holder(path, .writing, isWAL: false)
    defer { holder.release() }
    let databases = DatabaseCalls(permissions: .all, waitingForLocks: .milliseconds(200))
    defer { databases.finish() }
    let handle = databases.answer(.openDatabase(path: path, isReadOnly: false)).handle

    let failure = try #require(databases.answer(.execute(handle: handle, SQLStatement(sql))).failure)

    #expect(failure.code == .database && failure.isTransient)
    #expect(
      failure.message
        == "\(path): database is locked: another process holds it, and has not let go of it in time (in: \(sql))"
    )
  }

  @Test func `an output that is never let go is a failure that names it`() throws {
    let holder = Holder(path, .writing, isWAL: false)
    defer { holder.release() }
    var configuration = SinkConfiguration(path: path)
    configuration.lockWait = .milliseconds(200)

    let sink = try makeSink(configuration)
    sink.answer([item(1, #"{"id":1}"#)])

    #expect(
      sink.finish().failure?.message
        == "\(path): database is locked: another process holds it, and has not let go of it in time")
  }
}
