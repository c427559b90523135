import CADBC

/// A statement on a connection, used on one thread at a time, except to cancel.
public final class ADBCStatement: @unchecked Sendable {
  private let functions: UnsafePointer<AdbcDriver>
  private let connection: ADBCConnection
  private let raw: UnsafeMutablePointer<AdbcStatement>

  /// A statement with its options, in their order, and its SQL, if it is one with SQL.
  public init(
    _ connection: ADBCConnection, sql: String? = nil, options: [(name: String, value: String)] = []
  ) throws(ADBCError) {
    self.connection = connection
    functions = connection.functions
    raw = .allocate(capacity: 1)
    raw.initialize(to: AdbcStatement())
    try ADBCError.check { [raw] in functions.pointee.StatementNew(connection.raw, raw, $0) }
    for (name, value) in options {
      try ADBCError.check { [raw] in functions.pointee.StatementSetOption(raw, name, value, $0) }
    }
    if let sql { try ADBCError.check { [raw] in functions.pointee.StatementSetSqlQuery(raw, sql, $0) } }
  }

  deinit {
    if raw.pointee.private_data != nil {
      _ = try? ADBCError.check { functions.pointee.StatementRelease(raw, $0) }
    }
    raw.deallocate()
  }

  /// Has the database compile it, to run it more than once or to bind values.
  public func prepare() throws(ADBCError) {
    try ADBCError.check { functions.pointee.StatementPrepare(raw, $0) }
  }

  /// Sets the values of the parameters, a row for each time it is to run; both are taken.
  func bind(
    _ array: UnsafeMutablePointer<ArrowArray>, _ schema: UnsafeMutablePointer<ArrowSchema>
  ) throws(ADBCError) {
    try ADBCError.check { functions.pointee.StatementBind(raw, array, schema, $0) }
  }

  /// Sets the values of the parameters, or the rows to write; the stream is taken.
  func bind(_ stream: UnsafeMutablePointer<ArrowArrayStream>) throws(ADBCError) {
    try ADBCError.check { functions.pointee.StatementBindStream(raw, stream, $0) }
  }

  /// Runs it and answers how many rows it has changed, if the driver tells.
  @discardableResult
  public func execute() throws(ADBCError) -> Int? {
    var count: Int64 = -1
    try ADBCError.check { functions.pointee.StatementExecuteQuery(raw, nil, &count, $0) }
    return count < 0 ? nil : Int(count)
  }

  /// The columns of the rows that it would give, without running it.
  func fields() throws(ADBCError) -> ArrowFields {
    var schema = ArrowSchema()
    try ADBCError.check { functions.pointee.StatementExecuteSchema(raw, &schema, $0) }
    return ArrowFields(schema)
  }

  /// How many parameters it has, once it is prepared; nil where the driver does not tell.
  func parameterCount() throws(ADBCError) -> Int? {
    var schema = ArrowSchema()
    do {
      try ADBCError.check { functions.pointee.StatementGetParameterSchema(raw, &schema, $0) }
    } catch {
      guard error.status == .notImplemented else { throw error }
      return nil
    }
    guard schema.release != nil else { return nil }
    return Int(ArrowFields(schema).schema.n_children)
  }

  /// Runs it and answers its rows, which come as they are asked for.
  public func query() throws(ADBCError) -> ArrowStream {
    var stream = ArrowArrayStream()
    var count: Int64 = -1
    try ADBCError.check { functions.pointee.StatementExecuteQuery(raw, &stream, &count, $0) }
    return try ArrowStream(stream, of: self, functions)
  }

  /// Cancels what is under way, from any thread; that then fails with the status `cancelled`.
  public func cancel() throws(ADBCError) {
    try ADBCError.check { functions.pointee.StatementCancel(raw, $0) }
  }
}
