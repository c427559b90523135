import Paging

/// Names the column and the row of a value that only the database can tell not to fit.
struct MisfitSearch {
  private let merge: Merge
  private let columns: [TableSchema.Column]
  private let table: String
  private let store: DestinationStore

  /// For rows that are about to be merged.
  init(_ merge: Merge, _ columns: [TableSchema.Column], table: String, _ store: DestinationStore) {
    self.merge = merge
    self.columns = columns.filter { column in
      if case .other = column.type { return true }
      return store.dialect.misfit("", as: column.type, declared: column.declared) != nil
    }
    self.table = table
    self.store = store
  }

  /// Calls the body; what it says against a value names the value.
  func guarding(_ body: () throws -> Void) throws {
    guard !columns.isEmpty else { return try body() }
    guard store.dialect.refusesTwins else {
      try findMisfits(in: columns)
      return try body()
    }
    try store.execute("SAVEPOINT casting")
    do {
      try body()
    } catch let error as ADBCError where error.sqlState?.hasPrefix("22") == true {
      try undo()
      try findMisfits(in: columns.filter { $0.type == .text })
      if let found = try search(error) { throw found }
      throw error
    }
    try findMisfits(in: columns)
    try store.execute("RELEASE SAVEPOINT casting")
  }

  /// Fails with the first value that is none of its column's, or of which that would lose something.
  private func findMisfits(in columns: [TableSchema.Column]) throws {
    for column in columns {
      let value = "_lookahead_new.\(column.name.asIdentifier)"
      guard let isMisfit = store.dialect.misfit(value, as: column.type, declared: column.declared) else {
        continue
      }
      let found = try store.connection.first(
        "SELECT CAST(\(merge.key) AS \(text)), CAST(\(value) AS \(text)) FROM \(merge.batch) AS _lookahead_new "
          + "WHERE \(value) IS NOT NULL AND (\(isMisfit)) LIMIT 1"
      ) { ($0.text(0) ?? "", $0.text(1) ?? "") }
      if let (id, value) = found {
        throw misfit(column, id, (column.type == .real ? value : "\"\(value.prefix(60))\"") + " for")
      }
    }
  }

  private var text: String { store.dialect.declaration(of: .text) }

  private func undo() throws { try store.execute("ROLLBACK TO SAVEPOINT casting") }

  /// Halves the rows until one is left.
  private func search(_ error: ADBCError) throws -> HostFailure? {
    for column in columns {
      var (first, count) = (0, try count())
      guard try !fits(column, first, count) else { continue }
      while count > 1 {
        let half = count / 2
        if try fits(column, first, half) {
          (first, count) = (first + half, count - half)
        } else {
          count = half
        }
      }
      let id = try store.connection.first(
        "SELECT CAST(\(merge.key) AS \(text)) FROM \(merge.batch) AS _lookahead_new ORDER BY _lookahead_new.\(merge.key) LIMIT 1 OFFSET \(first)"
      ) { $0.text(0) ?? "" }
      return misfit(column, id ?? "", "a value (\(error.sentence)) for")
    }
    return nil
  }

  private func count() throws -> Int {
    Int(try store.connection.first("SELECT count(*) FROM \(merge.batch)") { $0.integer(0) ?? 0 } ?? 0)
  }

  private func fits(_ column: TableSchema.Column, _ first: Int, _ count: Int) throws -> Bool {
    let value = store.dialect.value(
      "_lookahead_new.\(column.name.asIdentifier)", as: column.type, declared: column.declared)
    do {
      let rows = "SELECT * FROM \(merge.batch) ORDER BY \(merge.key) LIMIT \(count) OFFSET \(first)"
      _ = try store.connection.hasRow("SELECT count(\(value)) FROM (\(rows)) AS _lookahead_new")
      return true
    } catch let error as ADBCError where error.sqlState?.hasPrefix("22") == true {
      try undo()
      return false
    }
  }

  private func misfit(_ column: TableSchema.Column, _ id: String, _ value: String) -> HostFailure {
    HostFailure(
      .invalid,
      "the item \(id.escapingControls) of \(table.escapingControls) has \(value.escapingControls) the column "
        + "\(column.name.escapingControls), which has the type \((column.declared ?? column.type.title).escapingControls), which is not ours: change it in "
        + "the source's transform, or the column's type")
  }
}
