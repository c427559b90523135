import Paging

extension DestinationStore {
  /// Takes a table over that somebody else has made: rows are found by the id, in a column of its name.
  func adopt(
    _ table: String, _ declared: [(name: String, type: String)], _ idField: String?
  ) throws -> TableSchema {
    func refused(_ reason: String) -> HostFailure {
      HostFailure(.invalid, "its table \(table.escapingControls) can't be adopted (--adopt): \(reason)")
    }
    let names = declared.map(\.name)
    guard let key = [idField, SinkRow.ownKey].compactMap(\.self).first(where: names.contains) else {
      let wanted = [idField, SinkRow.ownKey].compactMap(\.self).joined(separator: " or ")
      throw refused(
        "it has no column \(wanted.escapingControls) to find rows by (id = \"…\" of the source names another)"
      )
    }
    let type = declared.first { $0.name == key }?.type ?? ""
    switch dialect.type(ofDeclared: type) {
    case .integer: break
    // In a column of fixed width an id would not be what it was.
    case .text where !type.lowercased().hasPrefix("character("): break
    case .other where type.lowercased() == "uuid": break
    default:
      throw refused(
        "its column \(key.escapingControls), by which rows are found, has the type \(type.escapingControls) (expected one of "
          + "integers, texts or UUIDs: of others an id would not come back as it was)")
    }
    if try connection.hasRow(dialect.doubt(of: key, in: table, schema: schema)) {
      throw refused(dialect.way(toFindBy: key.escapingControls, in: table, schema: schema))
    }
    let adopted = TableSchema(adopting: declared, key: key, dialect)
    try keep(adopted, of: table)
    return adopted
  }
}
