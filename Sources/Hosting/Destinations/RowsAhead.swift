import Items
import JSON
import Paging

/// Keeps the rows that one table gets at first, each of them new, out of the table: they wait in a log, while the Parquet file is
/// written ahead of its time. What else happens to the table has them go there first, and the file is made of the table then.
///
/// The log counts as far as a row of the database says, which is part of the transaction that brought the rows: what is behind it
/// was never committed.
final class RowsAhead {
  /// What the log has of a table.
  private struct Extent: Equatable {
    let table: String
    let fields: [BuiltRows.Field]
    let first: Int
    var last: Int
  }

  private let stage: DuckDBLink
  private let place: ParquetPlace
  private let driver: ADBCDriver
  private var log: RowLog?
  /// As the open transaction has it.
  private var extent: Extent?
  private var committed: Extent?
  /// The file of that table, with all of its rows.
  private var writer: (file: ParquetWriter, columns: [ParquetWriter.Column])?
  /// Tables that are not begun with any more.
  private var refused: Set<String> = []
  /// Why rows of the log did not come into their table. Some may have: nothing counts that is done from then on.
  private var failure: (any Error)?

  /// Goes on with what a run before has left.
  init(_ stage: DuckDBLink, _ place: ParquetPlace, _ driver: ADBCDriver) throws {
    (self.stage, self.place, self.driver) = (stage, place, driver)
    guard try !stage.columns(of: RowsAhead.table).isEmpty else { return }
    try stage.connection.forEachRow("SELECT \(RowsAhead.columns) FROM main.\(RowsAhead.table)") { row in
      guard let table = row.text(0), let fields = row.text(1).flatMap(RowsAhead.fields),
        let first = row.integer(2), let last = row.integer(3)
      else { throw HostFailure(.invalid, "what it remembers of its rows is damaged") }
      extent = Extent(table: table, fields: fields, first: Int(first), last: Int(last))
    }
    committed = extent
    guard let extent else { return }
    do {
      log = try RowLog(place.log, end: extent.last)
    } catch {
      throw unreadable(error)
    }
  }

  /// Takes rows that would be copied right into a table; false, and none are taken, if they have to be.
  func take(_ rows: BuiltRows, of table: String) throws -> Bool {
    if let failure { throw failure }
    if let extent, extent.table != table { return false }
    let isWide = rows.byteCount > RowsAhead.mostWide * rows.count
    if isWide { refused.insert(table) }
    if let extent, isWide || writer == nil || extent.fields != rows.fields { try restore(extent.table) }
    if extent == nil, try !begin(table, rows) { return false }
    guard let log else { preconditionFailure("rows are kept, and there is no log") }
    do throws(SystemError) {
      try log.append(rows)
    } catch {
      throw HostFailure(error, "write", place.log)
    }
    extent?.last = log.end
    do throws(ADBCError) {
      try writer?.file.add(rows)
    } catch {
      // The log has them: the file is made in another way.
      refused.insert(table)
      try restore(table)
    }
    return true
  }

  private func begin(_ table: String, _ rows: BuiltRows) throws -> Bool {
    guard !refused.contains(table) else { return false }
    // Until it turns out that all goes well.
    refused.insert(table)
    let name = "main.\(table.asIdentifier)"
    let count = try stage.connection.first("SELECT count(*) FROM \(name)") { $0.integer(0) ?? 0 } ?? 0
    let columns = try stage.columns(of: table)
    guard count <= RowsAhead.mostBefore, columns.map(\.name) == rows.fields.map(\.name) else { return false }
    let visible = try self.columns(of: table)
    // DuckDB takes the columns of a stream by their place: a file that leaves some out would have the values of others.
    guard visible.count == columns.count else { return false }
    let file = place.file(of: table) + ".partial"
    guard let writer = ParquetWriter(file, visible, of: rows.fields, driver) else {
      return false
    }
    guard try count == 0 || add(name, to: writer, rows.fields) else { return false }
    do throws(SystemError) {
      if log == nil { log = try RowLog(replacing: place.log) }
    } catch {
      throw HostFailure(error, "write", place.log)
    }
    let end = log?.end ?? 0
    self.writer = (writer, visible)
    extent = Extent(table: table, fields: rows.fields, first: end, last: end)
    refused.remove(table)
    return true
  }

  /// Adds the rows that are in the table already; false if they have another form.
  private func add(_ name: String, to writer: ParquetWriter, _ fields: [BuiltRows.Field]) throws -> Bool {
    let stream = try stage.connection.query("SELECT * FROM \(name)")
    let formats = withExtendedLifetime(stream.fields) { $0.formats }
    guard formats == fields.map(\.format) else { return false }
    while let batch = try stream.next() { try writer.add(BuiltRows(fields, batch.release())) }
    return true
  }

  /// The columns of its file.
  private func columns(of table: String) throws -> [ParquetWriter.Column] {
    let query =
      "SELECT \"columns\" FROM main.\(StateMirror.tables.asIdentifier) WHERE \"name\" = \(table.asLiteral)"
    let hidden = TableSchema.hidden(try stage.connection.first(query) { $0.text(0) ?? "" } ?? "")
    return try stage.columns(of: table).filter { !hidden.contains($0.name) }
      .map { ParquetWriter.Column(name: $0.name, type: $0.type) }
  }

  /// Whether the log has rows of a table.
  func keepsRows(of table: String) -> Bool { extent.map { $0.table == table && $0.last > $0.first } ?? false }

  /// Has the table get its rows, in the open transaction.
  func restore(_ table: String) throws {
    if let failure { throw failure }
    guard let extent, extent.table == table else { return }
    writer = nil
    self.extent = nil
    do {
      try stage.makeRoom(forColumns: extent.fields.count, merging: true)
      let target = ADBCTarget(table: table, schema: stage.schema, mode: .append)
      try log?.forEach(extent.fields, from: extent.first, to: extent.last) {
        try $0.copy(over: stage.connection, into: target)
      }
    } catch {
      let problem = error is ADBCError ? error : unreadable(error)
      failure = problem
      throw problem
    }
  }

  private func unreadable(_ error: any Error) -> HostFailure {
    var failure =
      (error as? SystemError).map { HostFailure($0, "read", place.log) }
      ?? HostFailure(
        .io, "\(place.log.escapingControls) has rows of an earlier run, and is not as that has left it")
    failure.message += ": --fresh begins anew"
    return failure
  }

  /// Makes what was taken part of the open transaction, which is about to be committed.
  func prepare() throws {
    if let failure { throw failure }
    guard extent != committed else { return }
    do throws(SystemError) {
      if extent != nil { try log?.synchronize() }
    } catch {
      throw HostFailure(error, "write", place.log)
    }
    let name = "main.\(RowsAhead.table)"
    try stage.connection.execute(
      "CREATE TABLE IF NOT EXISTS \(name) (\"name\" VARCHAR, \"fields\" VARCHAR, \"first\" BIGINT, \"last\" BIGINT)"
    )
    try stage.connection.execute("DELETE FROM \(name)")
    guard let extent else { return }
    let values = [
      extent.table.asLiteral, RowsAhead.text(extent.fields).asLiteral, "\(extent.first)", "\(extent.last)",
    ]
    try stage.connection.execute(
      "INSERT INTO \(name) (\(RowsAhead.columns)) VALUES (\(values.joined(separator: ", ")))")
  }

  /// The transaction was committed.
  func hasCommitted() {
    committed = extent
    guard extent == nil else { return }
    log?.remove()
    log = nil
  }

  /// What was taken since the last commit is gone.
  func rollBack() {
    writer = nil
    extent = committed
  }

  /// Whether the file of a table was written, with all of its rows, and is to be renamed.
  func finish(_ table: String) throws -> Bool {
    guard extent?.table == table, let (file, columns) = writer else { return false }
    guard try columns == self.columns(of: table) else { return false }
    do throws(ADBCError) {
      try file.finish()
      return true
    } catch { return false }
  }

  /// No file is written any more.
  func close() { writer = nil }

  private static let table = "_lookahead_log"
  private static let columns = ["name", "fields", "first", "last"].map(\.asIdentifier).joined(separator: ", ")
  /// Bytes that rows may have, on the average: all that the log has goes into the table in one transaction, if it has to.
  private static let mostWide = 1024
  /// Rows that a table may have when its file is begun.
  private static let mostBefore = 20_000

  private static func text(_ fields: [BuiltRows.Field]) -> String {
    var writer = JSONWriter()
    writer.array { list in
      for field in fields {
        list.object {
          $0.member("name", field.name)
          $0.member("format", field.format)
          $0.member("isJSON", field.isJSON)
        }
      }
    }
    return writer.bytes().string
  }

  private static func fields(_ text: String) -> [BuiltRows.Field]? {
    guard case .list(let list)? = try? JSONTree(text) else { return nil }
    let fields = list.compactMap { field -> BuiltRows.Field? in
      guard let name = field["name"]?.text, let format = field["format"]?.text else { return nil }
      return BuiltRows.Field(name: name, format: format, isJSON: field["isJSON"] == .boolean(true))
    }
    return fields.count == list.count ? fields : nil
  }
}
