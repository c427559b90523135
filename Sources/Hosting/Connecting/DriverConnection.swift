import Glibc
import Items
import Paging

/// A database that a script has opened with a driver; used on its session's thread.
///
/// Statements share one connection, so that a script can have transactions of its own. Each loop over rows has another, since a
/// connection that passes on rows can do nothing else; such a loop does not see what a transaction has not committed.
final class DriverConnection: @unchecked Sendable {
  let shown: String
  private let database: ADBCDatabase
  private let rules: DriverRules
  private unowned let session: DriverSession
  private let secrets: [String]
  private let isParquet: Bool
  /// Its files stay open.
  private let place: DriverPlace
  /// Nil after it could not be used any more.
  private var main: ADBCConnection?
  /// Those of loops that came to their end.
  private var idle: [ADBCConnection] = []
  /// Queries that were seen to have no columns of arrays.
  private var shapeless: Set<String> = []

  /// Opens what the address names, if the permissions allow it. Work on files may take so many bytes of memory.
  init(
    _ address: ScriptAddress, isReadOnly: Bool, memory: Int, _ permissions: Permissions,
    watchedBy session: DriverSession
  ) throws(HostFailure) {
    self.session = session
    shown = address.shown
    secrets = address.secrets
    isParquet = if case .parquet = address { true } else { false }
    place = try DriverPlace(address, isReadOnly: isReadOnly, permissions)
    let driver = try LoadedDrivers.shared.driver(named: address.driver)
    rules = DriverRules(address, isReadOnly: isReadOnly)
    do {
      database = try ADBCDatabase(driver, options: place.options(memory: memory))
      let connection = try ADBCConnection(database)
      session.works(with: connection)
      try place.prepare(connection)
      main = connection
    } catch {
      throw DriverConnection.failure(error, shown, hiding: secrets, sql: nil, isOpening: true)
    }
  }

  /// All rows, of limited size.
  func query(_ statement: SQLStatement, upTo size: Int) throws(HostFailure) -> IndexedJSON {
    try access(statement.sql) {
      let rows = try rows(of: statement, on: try connected())
      if let all = try rows.all(upTo: size) { return all }
      // What is left of the rows would be in the way of the next statement.
      main = nil
      throw HostFailure(
        .tooLarge,
        "the rows are over the limit of \(size.grouped) bytes: read them one after the other with db:rows (--max-body raises the limit)"
          + statement.sql.asEvidence)
    }
  }

  /// A loop over rows, before its first one.
  func rows(_ statement: SQLStatement) throws(HostFailure) -> DriverRows {
    try access(statement.sql) {
      let connection = try idle.popLast() ?? ADBCConnection(database)
      session.works(with: connection)
      return DriverRows(
        try self.rows(of: statement, on: connection), connection, of: self, sql: statement.sql)
    }
  }

  /// Runs statements and counts the rows that they have changed, as far as the driver tells.
  func execute(_ statement: SQLStatement) throws(HostFailure) -> Int {
    try access(statement.sql) {
      let connection = try connected()
      let parts = rules.parts(of: statement.sql)
      guard parts.count != 1 else { return try count(statement, on: connection) }
      guard statement.positional.isEmpty else {
        throw HostFailure(
          .invalid, "values are for one statement, and here are several\(statement.sql.asEvidence)")
      }
      return try together(parts, on: connection) {
        try parts.reduce(0) { try $0 + count(SQLStatement($1), on: connection) }
      }
    }
  }

  /// Calls the body and explains what it throws.
  func access<Result>(_ sql: String, _ body: () throws -> Result) throws(HostFailure) -> Result {
    do {
      return try body()
    } catch {
      if let error = error as? ADBCError, error.endsConnection { main = nil }
      var failure = DriverConnection.failure(error, shown, hiding: secrets, sql: sql, isOpening: false)
      if isParquet, failure.message.contains("Catalog Error: Table") {
        failure.message += "; the rows of the file are the table data"
      }
      throw failure
    }
  }

  /// Works with the connection of a loop.
  func works(with connection: ADBCConnection) { session.works(with: connection) }

  /// Keeps the connection of a loop that came to its end, for the next one.
  func release(_ connection: ADBCConnection) { if idle.count < 4 { idle.append(connection) } }

  private func connected() throws -> ADBCConnection {
    let connection = try main ?? ADBCConnection(database)
    main = connection
    session.works(with: connection)
    return connection
  }

  private func count(_ statement: SQLStatement, on connection: ADBCConnection) throws -> Int {
    let count = try prepared(statement, on: connection).execute() ?? 0
    // PostgreSQL counts the rows of a query.
    return SQLText(statement.sql).isReading ? 0 : count
  }

  /// Runs several statements; where the database takes those that come as one for a transaction, they are one unless there is one.
  private func together(
    _ parts: [String], on connection: ADBCConnection, _ body: () throws -> Int
  ) throws -> Int {
    guard try rules.joins(parts) && !isInTransaction(connection) else { return try body() }
    try connection.execute("BEGIN")
    do {
      let count = try body()
      try connection.execute("COMMIT")
      return count
    } catch {
      _ = try? connection.execute("ROLLBACK")
      throw error
    }
  }

  private func isInTransaction(_ connection: ADBCConnection) throws -> Bool {
    do {
      try connection.execute("SAVEPOINT lookahead")
    } catch {
      guard error.sqlState == "25P01" else { throw error }
      return false
    }
    try connection.execute("RELEASE SAVEPOINT lookahead")
    return true
  }

  /// The rows of a query, before the first one.
  private func rows(of statement: SQLStatement, on connection: ADBCConnection) throws -> ArrowRows {
    try rules.checkQuery(statement.sql)
    var statement = statement
    var (arrays, columns): ([Int], [String]) = ([], [])
    if rules.losesShapes, !shapeless.contains(statement.sql) {
      let text = SQLText(statement.sql)
      let fields = try prepared(statement, on: connection).fields()
      if let shaped = try ShapedQuery(text, fields) {
        (statement.sql, arrays, columns) = (shaped.sql, shaped.arrays, fields.names)
      } else {
        if shapeless.count >= 256 { shapeless = [] }
        shapeless.insert(statement.sql)
      }
    }
    let stream: ArrowStream
    do {
      stream = try prepared(statement, on: connection).query()
    } catch let error as ADBCError where !arrays.isEmpty && error.sqlState == "0A000" {
      // Such as WITH … AS (INSERT …), which may not stand in another query.
      throw ArrowColumnProblem(column: columns[arrays[0]], problem: .shapeless)
    }
    if rules.losesShapes {
      // The tables may have changed since.
      let found = try ShapedQuery.arrays(of: stream.fields)
      if let number = found.first(where: { !arrays.contains($0) }) {
        shapeless.remove(statement.sql)
        throw ArrowColumnProblem(column: stream.fields.names[number], problem: .shapeless)
      }
    }
    return try ArrowRows(stream, arrays: arrays)
  }

  private func prepared(_ statement: SQLStatement, on connection: ADBCConnection) throws -> ADBCStatement {
    guard !statement.sql.utf8.contains(0) else { throw HostFailure(.invalid, "the SQL holds a NUL") }
    guard statement.named.isEmpty else {
      throw HostFailure(
        .invalid,
        "parameters have numbers here, $1, $2, …: expected a list of values, got names\(statement.sql.asEvidence)"
      )
    }
    try rules.check(statement.sql)
    for sql in rules.before { try connection.execute(sql) }
    let values = statement.positional
    // The driver writes more behind it, which a comment at its end would take in.
    let prepared = try ADBCStatement(
      connection, sql: rules.sent(statement.sql) + "\n",
      options: rules.options(of: statement.sql, hasValues: !values.isEmpty))
    if !values.isEmpty {
      try prepared.prepare()
      if let count = try prepared.parameterCount(), count < values.count {
        throw DatabaseStatement.surplus(of: statement, left: values.count - count)
      }
      try ArrowParameters.bind(values, to: prepared)
    }
    return prepared
  }
}

/// A loop over the rows of a query; used on its session's thread.
final class DriverRows: @unchecked Sendable {
  private let database: DriverConnection
  private let connection: ADBCConnection
  private let sql: String
  /// Nil at the end.
  private var rows: ArrowRows?

  init(_ rows: ArrowRows, _ connection: ADBCConnection, of database: DriverConnection, sql: String) {
    self.rows = rows
    self.connection = connection
    self.database = database
    self.sql = sql
  }

  /// The next rows, each of a limited size, and whether they are the last. After a failure there are none.
  func next(_ limit: Int, upTo size: Int) throws(HostFailure) -> ArrowRows.Portion {
    guard let rows else { return (IndexedJSON(Bytes("[]")), true) }
    database.works(with: connection)
    do throws(HostFailure) {
      let portion = try database.access(sql) { try rows.next(limit, upTo: size, portion: size / 4) }
      if portion.isEnd {
        self.rows = nil
        database.release(connection)
      }
      return portion
    } catch {
      self.rows = nil
      throw error
    }
  }

  deinit { close() }

  /// Lets go of what is left, which the database is told: to read it to its end could take hours.
  func close() {
    guard rows != nil else { return }
    _ = try? connection.cancel()
    rows = nil
  }
}

extension DriverConnection {
  /// What went wrong, without the password, with what to do where that is known.
  static func failure(
    _ error: any Error, _ shown: String, hiding secrets: [String], sql: String?, isOpening: Bool
  ) -> HostFailure {
    let evidence = sql?.asEvidence ?? ""
    switch error {
    case var failure as HostFailure:
      if !failure.message.hasPrefix(shown) { failure.message = "\(shown): \(failure.message)" }
      return failure
    case let error as ADBCError:
      let message = error.sentence.hiding(secrets)
      var failure = HostFailure(.database, "\(shown): \(message.escapingControls)\(evidence)")
      failure.isTransient = error.isTransient
      if isOpening, error.status == .io { failure.code = .network }
      if error.status == .cancelled { failure.code = .cancelled }
      return failure
    case let error as ArrowColumnProblem:
      return HostFailure(.database, "\(shown): \(error.sentence)\(evidence)")
    case is ArrowRows.RowTooLarge:
      return HostFailure(
        .tooLarge,
        "\(shown): a row has more bytes than an answer may have: select fewer columns (--max-body raises the limit)\(evidence)"
      )
    default: return HostFailure(.database, "\(shown): \(error)\(evidence)")
    }
  }
}

extension ADBCError {
  /// The driver's words, without its repetition of the statement and the place in it.
  var sentence: String {
    let text = message.firstRange(of: "\n\nQuery was:").map { message[..<$0.lowerBound] } ?? message[...]
    let lines = text.split(separator: "\n").filter { line in
      !line.hasPrefix("LINE ") && !line.allSatisfy { $0 == " " || $0 == "^" }
    }
    var sentence = lines.map { $0.split(separator: " ").joined(separator: " ") }.joined(separator: " ")
    // The server's own words, without what the driver was about to do.
    if let error = sentence.firstRange(of: "ERROR: ") { sentence = String(sentence[error.upperBound...]) }
    return sentence.hasPrefix("[libpq] ") ? String(sentence.dropFirst(8)) : sentence
  }

  /// Whether the same may work another time: a lost connection, a server that starts or stops, a deadlock, a lock.
  var isTransient: Bool {
    if let sqlState {
      return ["08", "57P0", "40", "53", "55P03"].contains { sqlState.hasPrefix($0) }
    }
    return status == .timeout || status == .io && !ADBCError.lasting.contains { message.contains($0) }
  }

  /// What is as wrong the next time: who connects is refused, or the driver can't read a value. Neither comes with a code.
  private static let lasting = [
    "authentication failed", "does not exist", "no pg_hba.conf entry", "not permitted to log in",
    "permission denied",
    "no password supplied", "certificate", "does not support SSL", "ReadRecord failed", "Type mismatch",
  ]

  /// Whether the connection is good for nothing afterwards.
  var endsConnection: Bool {
    status == .io || status == .cancelled
      || sqlState.map { $0.hasPrefix("08") || $0.hasPrefix("57") } ?? false
  }
}

extension ArrowColumnProblem {
  /// What is wrong, and how to ask for the column instead.
  var sentence: String {
    let name = column.escapingControls
    return switch problem {
    case .opaque(let type):
      "the column \(name) has a type that its driver passes on as bytes nobody else reads"
        + "\(type.map { " (\($0.escapingControls))" } ?? ""): select \(name)::text"
    case .rows:
      "the column \(name) has rows in it, of which the driver loses those behind a null: ask for to_jsonb(\(name))"
    case .shapeless:
      "the column \(name) has arrays, and the driver does not tell how many dimensions those of a query like this one have: "
        + "ask for to_jsonb(\(name))"
    case .unknown(let format):
      "the column \(name) has a type that is not known here (\(format.escapingControls)): cast it to a text"
    }
  }
}
