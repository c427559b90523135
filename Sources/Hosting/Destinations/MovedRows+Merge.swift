/// Rows that are merged into a table of a driver.
extension MovedRows {
  /// Counts those of rows that are about to be merged which another part of the source had brought, where rows say which one did.
  func count(_ merge: Merge, in table: String, over connection: ADBCConnection) throws {
    let part = SinkRow.partColumn.asIdentifier
    guard !merge.isNew, let value = merge.columns.first(where: { $0.name == part })?.value else { return }
    let rows = "\(merge.batch) AS batch, \(merge.table) AS target"
    let query =
      "SELECT count(*) FROM \(rows) WHERE target.\(merge.key) = \(merge.keyValue) AND target.\(part) <> \(value)"
    note(Int(try connection.first(query) { $0.integer(0) ?? 0 } ?? 0), in: table)
  }
}
