import Items
import JSON
import Paging

/// Rows of a table in Arrow's layout, built from the JSON of items.
final class RowBuilder {
  /// What the table needs before a row can be written.
  enum Change {
    /// A column for a member, or one of our own by its name.
    case add(member: String?, name: String?, ColumnType)
    /// Another type for a column.
    case widen(Int, ColumnType)
  }

  /// Those of the schema; nil for those that the rows say nothing of.
  private let columns: [ColumnBuilder?]
  private(set) var count = 0
  private let schema: TableSchema
  private let dialect: any Dialect
  private let table: String
  private let keyPlace: Int
  /// The members that were seen, with the columns that they have.
  private var members = SinkColumns()
  private var placeOfMember: [Int] = []
  private var reader = JSONReader()

  /// For rows that have the same columns of our own.
  init(_ schema: TableSchema, like row: SinkRow, _ dialect: any Dialect, table: String) {
    self.schema = schema
    self.dialect = dialect
    self.table = table
    let extras = row.extras.map(\.column)
    columns = schema.columns.map {
      SinkRow.isOurs($0.name) && !extras.contains($0.name)
        ? nil
        : ColumnBuilder($0.name, $0.type, isFixed: $0.choice != nil)
    }
    keyPlace = schema.columns.firstIndex { $0.name == schema.key } ?? 0
  }

  /// The columns that the rows say something of.
  var written: [ColumnBuilder] { columns.compactMap(\.self) }

  /// Appends a row, or returns what the table needs first.
  func append(_ row: TableRow) throws -> Change? {
    let change = try row.item.bytes.withUnsafeBytes { try append($0, row) }
    if change != nil {
      for case let column? in columns where column.count > count { column.removeLast() }
      return change
    }
    count += 1
    for case let column? in columns where column.count < count { column.appendNull() }
    return nil
  }

  private func append(_ bytes: UnsafeRawBufferPointer, _ row: TableRow) throws -> Change? {
    let id = row.item.id
    if let change = try appendKey(row) { return change }
    var likely = 0
    for member in try ItemMembers(bytes, of: id, &reader) {
      guard let known = members.place(of: member, likely: likely) else {
        if let place = schema.place(of: member.name) {
          placeOfMember.append(place)
          likely = members.append(member.name) + 1
          if let change = try append(member, at: place, row) { return change }
          continue
        }
        let isThere = schema.hasUnclaimed(member.name)
        guard let type = ColumnType(of: member.value) ?? (isThere ? .text : nil) else { continue }
        return .add(member: member.name, name: nil, type)
      }
      likely = known + 1
      if let change = try append(member, at: placeOfMember[known], row) { return change }
    }
    return appendExtras(row.row)
  }

  private func appendKey(_ row: TableRow) throws -> Change? {
    guard let column = columns[keyPlace] else { return nil }
    switch row.number.map({ ItemID.integer($0) }) ?? row.item.id {
    case .integer(let number): column.append(number)
    case .text(let text):
      guard column.type != .integer else {
        guard schema.columns[keyPlace].choice == nil else {
          throw misfit("\"\(text)\"", keyPlace, row.item.id)
        }
        return .widen(keyPlace, .text)
      }
      column.append(text)
    }
    return nil
  }

  private func append(_ member: ItemMembers.Member, at place: Int, _ row: TableRow) throws -> Change? {
    guard let column = columns[place] else { return nil }
    if place == keyPlace {
      guard row.number != nil || member.value.isID(row.item.id) else { throw strayID(row.item.id) }
      return nil
    }
    // Of a member that comes twice the last one counts.
    if column.count > count { column.removeLast() }
    let isDone = try column.append(member.value) { text in
      if !dialect.keepsNull, text.hasNull(asJSON: column.type == .json) {
        throw null(member.name, row.item.id)
      }
    }
    if isDone { return nil }
    if column.isFixed { throw misfit(member.value.evidence, place, row.item.id) }
    return .widen(place, column.type.widened(for: member.value))
  }

  private func appendExtras(_ row: SinkRow) -> Change? {
    for extra in row.extras {
      guard let place = schema.columns.firstIndex(where: { $0.name == extra.column && $0.member == nil })
      else {
        return .add(member: nil, name: extra.column, .integer)
      }
      columns[place]?.append(Int64(extra.value))
    }
    return nil
  }

  /// Gives the rows away; this is empty then, and of no more use.
  func release() -> BuiltRows { BuiltRows(written, count: count) }

  private func misfit(_ value: String, _ place: Int, _ id: ItemID) -> HostFailure {
    let column = schema.columns[place]
    let type = column.declared ?? column.type.title
    let reason =
      column.declared == nil
      ? "the source declares as \(type) (types): change it in its transform, or declare another type"
      : "has the type \(type.escapingControls), which is not ours: change it in the source's transform, or the column's type"
    return HostFailure(
      .invalid,
      "the item \(id.description.escapingControls) of \(table.escapingControls) has \(value.escapingControls) for the column "
        + "\(column.name.escapingControls), which \(reason)")
  }

  private func strayID(_ id: ItemID) -> HostFailure {
    HostFailure(
      .invalid,
      "the item \(id.description.escapingControls) has another value in its member \(schema.key.escapingControls), the "
        + "table's primary key")
  }

  private func null(_ member: String, _ id: ItemID) -> HostFailure {
    HostFailure(
      .invalid,
      "the item \(id.description.escapingControls) of \(table.escapingControls) has the character U+0000 in its member "
        + "\(member.escapingControls), which \(dialect.name) has no place for: the script can take it out")
  }
}

extension UnsafeRawBufferPointer {
  /// Whether a text has the character U+0000, or JSON has it as an escape.
  func hasNull(asJSON isJSON: Bool) -> Bool {
    guard isJSON else { return contains(0) }
    guard contains(UInt8(ascii: "\\")) else { return false }
    var place = 0
    while place + 5 < count {
      guard self[place] == UInt8(ascii: "\\") else {
        place += 1
        continue
      }
      if self[place + 1] == UInt8(ascii: "u"),
        self[(place + 2)..<(place + 6)].allSatisfy({ $0 == UInt8(ascii: "0") })
      {
        return true
      }
      place += 2
    }
    return false
  }
}

extension JSONValue {
  /// Its JSON, cut, for messages.
  var evidence: String {
    let text = String(decoding: bytes.prefix(60), as: UTF8.self) + (bytes.count > 60 ? "…" : "")
    if case .text = kind { return "\"\(text)\"" }
    return text
  }
}
