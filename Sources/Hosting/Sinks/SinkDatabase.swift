import GRDB
import Glibc
import Items
import Paging

/// Items as rows of an SQLite database, in a table for each stream. An item whose id is there replaces the row, and one that
/// goes takes its row along. Places mean nothing here: a table has no order.
///
/// Deliveries of a group share a transaction; one that fails leaves nothing behind, and those before it stay.
final class SinkDatabase: SinkWriter {
  private(set) var bytes = 0
  private let configuration: SinkConfiguration
  private let path: String
  private let queue: DatabaseQueue
  /// By name in lower case, as SQLite tells tables apart.
  private var tables: [String: SinkTable] = [:]
  private var hasBegun = false

  init(_ configuration: SinkConfiguration) throws(SinkError) {
    self.configuration = configuration
    path = configuration.path.escapingControls
    let file = try SinkDatabase.file(configuration)
    do {
      queue = try SinkDatabase.open(file)
    } catch {
      throw SinkError(HostFailure(error, database: path, showsSQL: false))
    }
  }

  func write(_ delivery: Delivery) throws(SinkError) {
    let name = delivery.stream ?? configuration.defaultStream
    try access { database in
      try self.begin(in: database)
      try database.cachedStatement(sql: "SAVEPOINT delivery").execute()
      do {
        let table = try self.table(name, in: database)
        try table.write(delivery.items, in: database)
        try table.apply(delivery.operations, in: database)
        try database.cachedStatement(sql: "RELEASE delivery").execute()
      } catch {
        // What was made since the savepoint is gone, so tables have to be looked at again.
        self.tables = [:]
        if database.isInsideTransaction {
          try database.execute(sql: "ROLLBACK TO delivery; RELEASE delivery")
        }
        throw error
      }
    }
    bytes += delivery.byteCount
  }

  func commit() throws(SinkError) {
    guard hasBegun else { return }
    hasBegun = false
    try access { database in
      // SQLite ends a transaction by itself when, say, the disk is full.
      guard database.isInsideTransaction else {
        throw DatabaseError(message: "the last items could not be written")
      }
      do {
        try database.cachedStatement(sql: "COMMIT").execute()
      } catch {
        if database.isInsideTransaction { try database.execute(sql: "ROLLBACK") }
        throw error
      }
    }
  }

  func close() throws(SinkError) {
    tables = [:]
    do {
      try queue.close()
    } catch {
      throw SinkError(HostFailure(error, database: path, showsSQL: false))
    }
  }

  private func begin(in database: Database) throws {
    if hasBegun { return }
    try database.cachedStatement(sql: "BEGIN IMMEDIATE").execute()
    hasBegun = true
  }

  private func table(_ name: String, in database: Database) throws -> SinkTable {
    let key = name.lowercased()
    guard let table = tables[key] else {
      let table = try SinkTable(name, idField: configuration.idField, in: database)
      tables[key] = table
      return table
    }
    guard table.name == name else {
      throw HostFailure(
        .invalid,
        "the streams \(table.name.escapingControls) and \(name.escapingControls) would be one table")
    }
    return table
  }

  private func access(_ body: (Database) throws -> Void) throws(SinkError) {
    do {
      try queue.inDatabase(body)
    } catch let error as SinkError {
      throw error
    } catch {
      throw SinkError(HostFailure(error, database: path, showsSQL: false))
    }
  }

  /// The path for SQLite: absolute, so that it is never taken for a URI.
  private static func file(_ configuration: SinkConfiguration) throws(SinkError) -> String {
    let path = configuration.path
    guard path != "-" else {
      throw SinkError(
        HostFailure(.invalid, "a database can't go to standard output: name a file, as -o items.db"))
    }
    guard !configuration.isFolder else {
      throw SinkError(HostFailure(.invalid, "\(path.escapingControls) is a folder, not a database"))
    }
    guard let resolved = ResolvedPath(path)?.path else {
      throw SinkError(SystemError(number: EINVAL), path: path)
    }
    let folder = String(resolved[..<resolved.lastIndex(of: "/")!])
    if !folder.isEmpty && Glibc.access(folder, F_OK) != 0 {
      let folder = folder.escapingControls
      throw SinkError(
        HostFailure(
          .notFound, "can't write \(path.escapingControls): the folder \(folder) does not exist"))
    }
    return resolved
  }

  private static func open(_ file: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.allowsUnsafeTransactions = true
    // A table that is rebuilt is dropped for a moment; that must not touch tables which refer to it.
    configuration.foreignKeysEnabled = false
    configuration.journalMode = .wal
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA legacy_alter_table = ON")
    }
    return try DatabaseQueue(path: file, configuration: configuration)
  }
}
