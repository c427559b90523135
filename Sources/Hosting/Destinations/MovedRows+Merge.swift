/// Rows that are merged into a table of a driver.
extension MovedRows {
  /// Counts those of rows that are about to be merged which another part of the source had brought, where rows say which one did.
  func count(_ merge: Merge, in table: String, over connection: ADBCConnection) throws {
    let part = SinkRow.partColumn.asIdentifier
    guard !merge.isNew, let value = merge.columns.first(where: { $0.name == part })?.value else { return }
    let rows = "\(merge.batch) AS _lookahead_new, \(merge.table) AS _lookahead_old"
    let query =
      "SELECT count(*) FROM \(rows) WHERE _lookahead_old.\(merge.key) = \(merge.keyValue) AND _lookahead_old.\(part) <> \(value)"
    note(Int(try connection.first(query) { $0.integer(0) ?? 0 } ?? 0), in: table)
  }
}
