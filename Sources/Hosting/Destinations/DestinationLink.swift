import Paging

/// A connection to a destination, which can be made again.
protocol DestinationLink: AnyObject {
  var dialect: any Dialect { get }
  var connection: ADBCConnection { get }
  /// Where tables are.
  var schema: String { get }

  /// Whether a connection can break and be made again.
  var canBreak: Bool { get }

  /// Bytes after which a transaction does not wait for more. Where a connection can break, they are kept until it ends.
  var transactionSize: Int { get }

  /// How long a transaction waits for more at the most.
  var longestWait: Duration { get }

  /// Rows that the database packs together: a transaction that ends a bit before so many are full costs least. Zero where that
  /// makes no difference.
  var groupSize: Int { get }

  /// Rows that are copied together, or a quarter of a kilobyte for each of so many.
  var portion: Int { get }

  /// Makes room for tables with so many columns in all, and to merge rows with those that are there.
  func makeRoom(forColumns count: Int, merging: Bool) throws

  /// Makes sure that it can do what it has to, before anything else is asked of it.
  func prepare() throws

  /// Whether tables can be the connection's own, and go with it.
  var hasTemporaryTables: Bool { get }

  /// The names of a table's columns with the database's own names of their types, in order; none where there is no table.
  func columns(of table: String) throws -> [(name: String, type: String)]

  /// Notes that the open transaction has made a table.
  func hasMade(table: String)

  /// Takes rows that would be copied right into a table, to keep them elsewhere; false, and none are taken, if they have to go
  /// there.
  func take(_ rows: BuiltRows, of table: String) throws -> Bool

  /// Whether it has taken rows of a table that are not there yet.
  func keepsRows(of table: String) -> Bool

  /// Has a table get its rows that are kept elsewhere, in the open transaction.
  func restore(_ table: String) throws

  /// Begins a transaction.
  func begin() throws

  /// Waits in a transaction until no other one of those that share the database is in one.
  func lock() throws

  /// Ends it: on return what was done counts.
  func commit() throws

  /// Takes it back.
  func rollBack() throws

  /// What it takes to make it again.
  var reach: ServerReach { get }

  /// Makes the connection again, after the old one broke.
  func reconnect() throws

  /// Completes the database, and removes one that was made for nothing.
  func close(_ ending: StoreEnding, isUnwritten: Bool) throws

  /// The log beside the file with what is committed and could not be moved into that: whoever opens the file next reads it.
  var unmovedLog: String? { get }

  /// An error in words, without passwords.
  func explain(_ error: any Error) -> SinkError

  /// The error for a connection that broke and did not come back.
  func lost(_ error: ADBCError) -> HostFailure
}

/// What databases have in common that say so by SQL.
extension DestinationLink {
  var unmovedLog: String? { nil }

  var longestWait: Duration { .seconds(1) }

  var groupSize: Int { 0 }

  var portion: Int { 4096 }

  func prepare() throws {}

  var hasTemporaryTables: Bool { true }

  func columns(of table: String) throws -> [(name: String, type: String)] {
    var columns: [(name: String, type: String)] = []
    try connection.forEachRow(dialect.columns(of: table, schema: schema)) {
      columns.append(($0.text(0) ?? "", $0.text(1) ?? ""))
    }
    return columns
  }

  func hasMade(table: String) {}

  func take(_ rows: BuiltRows, of table: String) throws -> Bool { false }

  func keepsRows(of table: String) -> Bool { false }

  func restore(_ table: String) throws {}

  func begin() throws { try connection.execute(dialect.begin) }

  func lock() throws {}

  func commit() throws { try connection.execute("COMMIT") }

  func rollBack() throws { try connection.execute("ROLLBACK") }
}

/// What it takes to come to a server from inside the cage.
struct ServerReach: Sendable, Equatable {
  /// Nil for a socket in a file: no other one is made in the cage.
  var port: UInt16?
  var looksUpNames = false
  /// Files that are read for it.
  var files: [String] = []
  /// Folders in which the database has its files.
  var folders: [String] = []
  /// Whether it is not known what its driver connects to.
  var isAnywhere = false
}

extension ADBCError {
  /// Whether the server has gone, or ends.
  var isConnectionLost: Bool {
    guard let sqlState else { return status == .io || status == .unknown }
    return sqlState.hasPrefix("08") || sqlState.hasPrefix("57P")
  }
}
