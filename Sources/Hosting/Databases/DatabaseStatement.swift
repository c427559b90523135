import CSQLite
import Items
import JSON
import Paging

/// A prepared statement; used only where its database may be.
///
/// Values go in and out through SQLite's own functions: rows never become Swift values.
final class DatabaseStatement {
  /// The text it was compiled from.
  let sql: String
  private let raw: OpaquePointer
  private let connection: OpaquePointer
  private let wait: DatabaseWait
  private let setsJournalMode: Bool
  /// Of the columns; empty until it has come to a row.
  private var keys: [String] = []
  /// Rows that were read before.
  private var rowCount = 0
  /// What the last rows that were read together took.
  private var room = (bytes: 0, rows: 0)

  /// Adopts a compiled statement; it must be released before the connection is closed.
  init(_ raw: OpaquePointer, sql: String, connection: OpaquePointer, wait: DatabaseWait) {
    self.wait = wait
    self.raw = raw
    self.sql = sql
    self.connection = connection
    let text = sqlite3_sql(raw).map { String(cString: $0).lowercased() } ?? ""
    setsJournalMode = text.contains("pragma") && text.contains("journal_mode")
  }

  deinit { sqlite3_finalize(raw) }

  /// Binds the parameters; all must have a value, and no unnamed value may be left.
  func bind(_ values: SQLStatement) throws {
    var rest = values.positional[...]
    try bind(&rest, named: values.named)
    guard rest.isEmpty else { throw DatabaseStatement.surplus(of: values, left: rest.count) }
  }

  /// The error for values without a parameter.
  static func surplus(of values: SQLStatement, left: Int) -> HostFailure {
    let count = values.positional.count
    return HostFailure(
      .database, "\(count) values for \(count - left) parameters\(values.sql.asEvidence)")
  }

  /// Binds the parameters and removes the unnamed values from the front of `positional`.
  func bind(_ positional: inout ArraySlice<SQLValue>, named: [String: SQLValue]) throws {
    let first = positional.startIndex
    var taken = 0
    for index in 1..<sqlite3_bind_parameter_count(raw) + 1 {
      let name = sqlite3_bind_parameter_name(raw, index).map { String(cString: $0) }
      if let name, !name.hasPrefix("?") {
        guard let value = named[String(name.dropFirst())] else {
          throw HostFailure(.database, "no value for \(name)\(sql.asEvidence)")
        }
        try bind(value, at: index)
        continue
      }
      let place = name.flatMap { Int($0.dropFirst()) } ?? taken + 1
      guard 1...max(1, positional.count) ~= place, !positional.isEmpty else {
        throw HostFailure(.database, "no value for parameter \(place)\(sql.asEvidence)")
      }
      try bind(positional[first + place - 1], at: index)
      taken = max(taken, place)
    }
    positional = positional.dropFirst(taken)
  }

  /// Advances to the next row; false after the last one.
  func step() throws -> Bool {
    setsJournalMode ? try wait.repeating(stepOnce) : try stepOnce()
  }

  private func stepOnce() throws -> Bool {
    switch sqlite3_step(raw) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw stopped(by: code)
    }
  }

  private func stopped(by code: Int32) -> DatabaseError {
    defer { sqlite3_reset(raw) }
    return DatabaseError(code, of: connection, sql: sql)
  }

  /// Runs it to the end and counts the rows it changes itself, without those changed by triggers.
  func execute() throws -> Int {
    let before = sqlite3_total_changes64(connection)
    while try step() {}
    return sqlite3_total_changes64(connection) == before ? 0 : Int(sqlite3_changes64(connection))
  }

  /// Resets it to run again with other values.
  func reset() {
    sqlite3_reset(raw)
    sqlite3_clear_bindings(raw)
    (keys, rowCount) = ([], 0)
  }

  /// All rows as a JSON array of objects, of limited size.
  func allRows(upTo size: Int) throws -> IndexedJSON {
    guard let rows = try rows(limit: .max, portion: nil, upTo: size) else {
      throw tooLarge("the rows are", size, "read them one after the other with db:rows")
    }
    return rows.list
  }

  /// Up to `limit` rows as a JSON array of objects, and whether they were the last. Each has a limited size; if they
  /// are large, there are fewer.
  func rows(limit: Int, upTo size: Int) throws -> (list: IndexedJSON, isEnd: Bool) {
    guard let rows = try rows(limit: limit, portion: size / 4, upTo: size) else {
      throw tooLarge("a row is", size, "select fewer columns, or parts of them with substr()")
    }
    return rows
  }

  /// Rows until they exceed `portion` bytes; nil if one of them exceeds `size`. Without a portion the total is limited
  /// to `size`.
  private func rows(
    limit: Int, portion: Int?, upTo size: Int
  ) throws -> (list: IndexedJSON, isEnd: Bool)? {
    guard limit > 0, try step() else { return (IndexedJSON(Bytes("[]")), isEnd: limit > 0) }
    // Only now: SQLite may have recompiled the statement after a table changed.
    if keys.count != Int(sqlite3_column_count(raw)) { keys = try columnKeys() }
    var writer = try RowsWriter(keys: keys, room: room)
    var copying = csqlite_copying()
    copying.limit = limit
    copying.portion = portion ?? size
    copying.most = portion == nil ? size : .max
    copying.most_of_row = size
    defer { rowCount += copying.count }
    while true {
      switch writer.withList({ csqlite_copy(raw, $0, &copying) }) {
      case .CSQLITE_COPIED_ALL: return (try finish(writer, copying.count), true)
      case .CSQLITE_COPIED_PORTION: return (try finish(writer, copying.count), false)
      case .CSQLITE_COPIED_UP_TO_COLUMN:
        guard try value(at: copying, into: &writer) else { return nil }
        copying.column += 1
      case .CSQLITE_COPY_TOO_LARGE: return nil
      case .CSQLITE_COPY_FAILED:
        _ = try text(at: copying, sqlite3_column_value(raw, copying.column))
        throw RowsWriter.Overflow()
      case .CSQLITE_COPY_STOPPED: throw stopped(by: copying.code)
      }
    }
  }

  private func finish(_ writer: consuming RowsWriter, _ count: Int) throws -> IndexedJSON {
    room = (writer.count, count)
    return try writer.finish()
  }

  private func tooLarge(_ what: String, _ size: Int, _ advice: String) -> HostFailure {
    sqlite3_reset(raw)
    return HostFailure(
      .tooLarge,
      "\(what) over the limit of \(size.grouped) bytes: \(advice) (--max-body raises the limit)\(sql.asEvidence)"
    )
  }

  /// Writes the value at which copying has come to a stop; false if it would exceed what the rows may have.
  private func value(at copying: csqlite_copying, into writer: inout RowsWriter) throws -> Bool {
    let left = min(copying.most - writer.count, copying.most_of_row - (writer.count - copying.start))
    let value = sqlite3_column_value(raw, copying.column)
    switch sqlite3_value_type(value) {
    case SQLITE_FLOAT:
      // As what drivers read: JSON has no number for it.
      let text: StaticString = sqlite3_value_double(value) < 0 ? "-Infinity" : "Infinity"
      try writer.text(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    case SQLITE_BLOB:
      let blob = try bytes(sqlite3_value_blob(value), value)
      guard blob.count / 3 * 4 <= left else { return false }
      try writer.base64(blob)
    default:
      let text = try text(at: copying, value)
      guard JSONWriter.escapedCount(of: text) <= left else { return false }
      try writer.text(text)
    }
    return true
  }

  /// The text at which copying has come to a stop, which is to be UTF-8.
  private func text(at copying: csqlite_copying, _ value: OpaquePointer?) throws -> UnsafeRawBufferPointer {
    let text = try bytes(UnsafeRawPointer(sqlite3_value_text(value)), value)
    guard let fault = RowsWriter.NoText(in: text) else { return text }
    sqlite3_reset(raw)
    throw HostFailure(
      fault, row: rowCount + copying.count + 1, column: keys[Int(copying.column)],
      "cast(… as blob) reads them, as base64\(sql.asEvidence)")
  }

  /// The address is null for an empty value, or if memory ran out.
  private func bytes(_ start: UnsafeRawPointer?, _ value: OpaquePointer?) throws -> UnsafeRawBufferPointer {
    let count = Int(sqlite3_value_bytes(value))
    guard start != nil || sqlite3_errcode(connection) != SQLITE_NOMEM else {
      throw DatabaseError(SQLITE_NOMEM, sql: sql)
    }
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
  }

  /// The names of the columns of a statement that is at a row; a name that was there before gets a number.
  private func columnKeys() throws -> [String] {
    var names: Set<String> = []
    return try (0..<sqlite3_column_count(raw)).map { index in
      let bytes = sqlite3_column_name(raw, index)
      guard let name = bytes.map({ String(validatingCString: $0) }) ?? "" else {
        throw HostFailure(
          .database,
          "the name of column \(index + 1) is no UTF-8: give it another one (select … as name)\(sql.asEvidence)"
        )
      }
      var unique = name
      var number = 2
      while !names.insert(unique).inserted {
        unique = "\(name)_\(number)"
        number += 1
      }
      return unique
    }
  }

  private func bind(_ value: SQLValue, at index: Int32) throws {
    let code = value.bind(to: raw, at: index)
    guard code == SQLITE_OK else {
      throw DatabaseError(code, sql: sql)
    }
  }
}

/// A cursor over the rows of a query.
final class DatabaseRows {
  let connection: DatabaseConnection
  private let largestRow: Int
  /// Nil at the end.
  private var statement: DatabaseStatement?

  /// The rows of a statement, each of a limited size.
  init(_ statement: DatabaseStatement, of connection: DatabaseConnection, upTo largestRow: Int) {
    self.statement = statement
    self.connection = connection
    self.largestRow = largestRow
  }

  deinit { close() }

  /// The next rows as a JSON array of objects, and whether they are the last. After a failure there are none.
  func next(_ limit: Int) throws(HostFailure) -> (list: IndexedJSON, isEnd: Bool) {
    guard let statement else { return (IndexedJSON(Bytes("[]")), true) }
    do {
      let rows = try connection.access { try statement.rows(limit: limit, upTo: largestRow) }
      if rows.isEnd { close() }
      return rows
    } catch {
      close()
      throw error
    }
  }

  private func close() {
    guard let statement else { return }
    self.statement = nil
    connection.release(statement)
  }
}
