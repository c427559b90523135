import CADBC

/// A connection to a database, used on one thread at a time, except to cancel.
public final class ADBCConnection: @unchecked Sendable {
  /// The driver's functions.
  let functions: UnsafePointer<AdbcDriver>
  private var database: ADBCDatabase?
  /// What the driver calls it.
  let raw: UnsafeMutablePointer<AdbcConnection>

  /// Connects.
  public init(
    _ database: ADBCDatabase, options: [(name: String, value: String)] = []
  ) throws(ADBCError) {
    self.database = database
    functions = database.functions
    raw = .allocate(capacity: 1)
    raw.initialize(to: AdbcConnection())
    try ADBCError.check { [raw] in functions.pointee.ConnectionNew(raw, $0) }
    for (name, value) in options {
      try ADBCError.check { [raw] in functions.pointee.ConnectionSetOption(raw, name, value, $0) }
    }
    try ADBCError.check { [raw] in functions.pointee.ConnectionInit(raw, database.raw, $0) }
  }

  deinit {
    close()
    raw.deallocate()
  }

  /// Ends it, and the database, if nothing else has it open, which tidies up. Nothing may be asked of it any more.
  func close() {
    if raw.pointee.private_data != nil {
      _ = try? ADBCError.check { functions.pointee.ConnectionRelease(raw, $0) }
    }
    database = nil
  }

  /// Sets an option of the connection.
  public func set(_ name: String, _ value: String) throws(ADBCError) {
    try ADBCError.check { functions.pointee.ConnectionSetOption(raw, name, value, $0) }
  }

  /// Whether each statement is a transaction of its own, as it is at first; otherwise one begins with the next statement.
  public func setAutocommit(_ isOn: Bool) throws(ADBCError) {
    try set(
      ADBC_CONNECTION_OPTION_AUTOCOMMIT, isOn ? ADBC_OPTION_VALUE_ENABLED : ADBC_OPTION_VALUE_DISABLED)
  }

  /// Commits; the next transaction begins.
  public func commit() throws(ADBCError) {
    try ADBCError.check { functions.pointee.ConnectionCommit(raw, $0) }
  }

  /// Takes back what was done since the last commit; the next transaction begins.
  public func rollback() throws(ADBCError) {
    try ADBCError.check { functions.pointee.ConnectionRollback(raw, $0) }
  }

  /// Runs SQL without parameters and answers how many rows it has changed, if the driver tells.
  @discardableResult
  public func execute(_ sql: String) throws(ADBCError) -> Int? {
    try ADBCStatement(self, sql: sql).execute()
  }

  /// The rows of a query without parameters.
  public func query(_ sql: String) throws(ADBCError) -> ArrowStream {
    try ADBCStatement(self, sql: sql).query()
  }

  /// Writes all rows of the stream, which is taken, into a table, and answers how many, if the driver tells.
  @discardableResult
  func ingest(
    _ stream: UnsafeMutablePointer<ArrowArrayStream>, into target: ADBCTarget
  ) throws(ADBCError) -> Int? {
    let statement = try ADBCStatement(self, options: target.options)
    try statement.bind(stream)
    return try statement.execute()
  }

  /// The columns of a table; fails with the status `notFound` where there is none, as far as the driver tells.
  func schema(of table: String, schema: String? = nil, catalog: String? = nil) throws(ADBCError)
    -> ArrowFields
  {
    var raw = ArrowSchema()
    try ADBCError.check {
      functions.pointee.ConnectionGetTableSchema(self.raw, catalog, schema, table, &raw, $0)
    }
    return ArrowFields(raw)
  }

  /// Cancels what is under way, from any thread; that then fails with the status `cancelled`.
  public func cancel() throws(ADBCError) {
    try ADBCError.check { functions.pointee.ConnectionCancel(raw, $0) }
  }
}

/// The table that rows are written into.
struct ADBCTarget {
  /// What becomes of a table, there or missing.
  enum Mode: String {
    /// It has to be missing, and is made.
    case create = "adbc.ingest.mode.create"
    /// It has to be there.
    case append = "adbc.ingest.mode.append"
    /// It is dropped and made anew.
    case replace = "adbc.ingest.mode.replace"
    /// It is made if it is missing.
    case createAppend = "adbc.ingest.mode.create_append"
  }

  var table: String
  var schema: String?
  var catalog: String?
  var mode = Mode.create
  /// Whether the table is the connection's own and goes with it.
  var isTemporary = false

  /// The driver's options for it.
  var options: [(name: String, value: String)] {
    var options = [(ADBC_INGEST_OPTION_TARGET_TABLE, table), (ADBC_INGEST_OPTION_MODE, mode.rawValue)]
    if let catalog { options.append((ADBC_INGEST_OPTION_TARGET_CATALOG, catalog)) }
    if let schema { options.append((ADBC_INGEST_OPTION_TARGET_DB_SCHEMA, schema)) }
    if isTemporary { options.append((ADBC_INGEST_OPTION_TEMPORARY, ADBC_OPTION_VALUE_ENABLED)) }
    return options.map { (name: $0.0, value: $0.1) }
  }
}
