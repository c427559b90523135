import CADBC
import Glibc
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
  /// Those that items fill, and not we.
  private let filled: UnsafeMutableBufferPointer<UnsafeMutablePointer<cadbc_column>?>
  @exclusivity(unchecked) private(set) var count = 0
  private var byteCount = 0
  private let schema: TableSchema
  private let dialect: any Dialect
  private let keepsNull: Bool
  private let table: String
  private let keyPlace: Int
  /// Columns that need a value in each row; nil for those that the rows say nothing of.
  private let needed: [(name: String, column: ColumnBuilder?)]
  /// The members that were seen, with the columns that they have.
  @exclusivity(unchecked) private var members = KnownMembers()
  @exclusivity(unchecked) private var reader = JSONReader()

  /// For rows that have the same columns of our own.
  init(_ schema: TableSchema, like row: SinkRow, _ dialect: any Dialect, table: String) {
    self.schema = schema
    self.dialect = dialect
    keepsNull = dialect.keepsNull
    self.table = table
    let extras = row.extras.map(\.column)
    columns = schema.columns.map {
      $0.member == nil && SinkRow.isOurs($0.name) && !extras.contains($0.name)
        ? nil
        : ColumnBuilder($0.name, $0.type, isFixed: $0.choice != nil)
    }
    let ours = zip(schema.columns, columns).compactMap { column, built in
      column.member == nil && SinkRow.isOurs(column.name) ? nil : built?.raw
    }
    filled = .allocate(capacity: ours.count)
    _ = filled.initialize(fromContentsOf: ours)
    let named = Dictionary(uniqueKeysWithValues: zip(schema.columns.map(\.name), columns))
    needed = schema.rules.keys.sorted().map { (name: $0, column: named[$0] ?? nil) }.filter {
      schema.needsValue($0.name, isFilled: $0.column != nil)
    }
    keyPlace = schema.columns.firstIndex { $0.name == schema.key } ?? 0
  }

  deinit { filled.deallocate() }

  /// Whether no more rows go into it: where texts end is counted in 32 bits, and rows that are copied are held twice.
  var isFull: Bool { byteCount >= 8 << 20 }

  /// Whether the rows say something of all columns.
  var isWhole: Bool { columns.allSatisfy { $0 != nil } }

  /// The columns that the rows say something of.
  var written: [ColumnBuilder] { columns.compactMap(\.self) }

  /// Appends rows from the front, so many at most, up to one for which the table has to change; answers how many.
  func append(_ rows: TableRows, upTo most: Int) throws -> (count: Int, change: Change?) {
    let row = rows.row
    var (number, appended) = (rows.first, 0)
    for place in rows.items.indices.prefix(most) where !isFull {
      let id = rows.items[place].id
      let change = try rows.items[place].bytes.withUnsafeBytes {
        appendPlain($0, id, number) ? appendExtras(row) : try append($0, id, number, row)
      }
      if change != nil {
        for case let column? in columns where column.count > count { column.removeLast() }
        return (appended, change)
      }
      for (name, column) in needed where column.map({ $0.count == count || $0.endsWithNull }) ?? true {
        throw lacks(name, id)
      }
      count += 1
      appended += 1
      number? += 1
      byteCount += rows.items[place].bytes.count
    }
    return (appended, nil)
  }

  /// Appends the row of an item like most of them; false, and nothing is appended, where something of it has to be looked at.
  private func appendPlain(_ bytes: UnsafeRawBufferPointer, _ id: ItemID, _ number: Int64?) -> Bool {
    guard let key = columns[keyPlace]?.raw else { return false }
    func append(_ id: cadbc_row_id) -> Bool {
      var rows = cadbc_rows(
        columns: filled.baseAddress, column_count: filled.count, members: members.entries,
        member_count: members.count, key: key, keeps_null: keepsNull ? 1 : 0,
        skips_null: schema.isAdopted ? 0 : 1)
      return cadbc_append_row(&rows, id, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
        != 0
    }
    if let number { return append(cadbc_row_id(text: nil, length: 0, number: number, is_counted: 1)) }
    switch id {
    case .integer(let number):
      return append(cadbc_row_id(text: nil, length: 0, number: number, is_counted: 0))
    case .text(let text):
      return text.utf8.withContiguousStorageIfAvailable { utf8 in
        append(cadbc_row_id(text: utf8.baseAddress, length: utf8.count, number: 0, is_counted: 0))
      } ?? false
    }
  }

  private func append(
    _ bytes: UnsafeRawBufferPointer, _ id: ItemID, _ number: Int64?, _ row: SinkRow
  ) throws -> Change? {
    if let change = try appendKey(number.map { .integer($0) } ?? id) { return change }
    var likely = 0
    for member in try ItemMembers(bytes, of: id, &reader) {
      var known = members.number(of: member, likely: likely)
      if known == nil, let place = schema.place(of: member.name) {
        known = members.append(member.name, at: place, isKey: place == keyPlace, columns[place])
      }
      guard let known else {
        let isThere = schema.hasUnclaimed(member.name)
        if isThere, let filling = schema.rules[member.name]?.filling {
          throw filled(member.name, filling, id)
        }
        guard let type = ColumnType(of: member.value) ?? (isThere ? .text : nil) else { continue }
        return .add(member: member.name, name: nil, type)
      }
      likely = known + 1
      let place = Int(members[known].place)
      guard let column = columns[place] else { continue }
      if let change = try append(member, at: place, to: column, id, number) { return change }
    }
    for case let column? in filled where column.pointee.count == count { cadbc_append_null(column) }
    return appendExtras(row)
  }

  private func appendKey(_ id: ItemID) throws -> Change? {
    guard let column = columns[keyPlace] else { return nil }
    switch id {
    case .integer(let number): column.append(number)
    case .text(let text):
      guard column.type != .integer else {
        guard schema.columns[keyPlace].choice == nil else {
          guard case .integer(let number)? = id.twin else { throw misfit("\"\(text)\"", keyPlace, id) }
          column.append(number)
          return nil
        }
        return .widen(keyPlace, .text)
      }
      column.append(text)
    }
    return nil
  }

  private func append(
    _ member: ItemMembers.Member, at place: Int, to column: ColumnBuilder, _ id: ItemID, _ number: Int64?
  ) throws -> Change? {
    if place == keyPlace {
      guard number != nil || member.value.isID(id) else { throw strayID(id) }
      return nil
    }
    // Of a member that comes twice the last one counts.
    if column.count > count { column.removeLast() }
    let isDone = try column.append(member.value) { text in
      if !keepsNull, text.hasNull(asJSON: column.isJSON) { throw null(member.name, id) }
    }
    if isDone { return nil }
    if column.isFixed { throw misfit(member.value.evidence, place, id) }
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

  private func lacks(_ column: String, _ id: ItemID) -> HostFailure {
    HostFailure(
      .invalid,
      "the item \(id.description.escapingControls) of \(table.escapingControls) has nothing for the column "
        + "\(column.escapingControls), which must not be empty (NOT NULL): fill it in the source's transform, or let the column "
        + "be empty")
  }

  private func filled(_ column: String, _ filling: String, _ id: ItemID) -> HostFailure {
    HostFailure(
      .invalid,
      "the item \(id.description.escapingControls) of \(table.escapingControls) has a member \(column.escapingControls), and the "
        + "database fills the column of that name itself (\(filling)): take the member out in the source's transform"
    )
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

/// The members that were seen, with the columns that they have.
private struct KnownMembers: ~Copyable {
  private(set) var entries = UnsafeMutablePointer<cadbc_member>.allocate(capacity: 16)
  private var capacity = 16
  private(set) var count = 0
  private var numbers: [[UInt8]: Int] = [:]

  deinit {
    for number in 0..<count { entries[number].name.deallocate() }
    entries.deallocate()
  }

  subscript(number: Int) -> cadbc_member { entries[number] }

  /// The number of a member. They mostly come in the same order: `likely` is tried first.
  func number(of member: ItemMembers.Member, likely: Int) -> Int? {
    guard let name = member.plainName else { return numbers[Array(member.name.utf8)] }
    if likely < count, entries[likely].length == name.count {
      guard let text = name.baseAddress, name.count > 0 else { return likely }
      if memcmp(entries[likely].name, text, name.count) == 0 { return likely }
    }
    return numbers[Array(name)]
  }

  /// Adds a member and returns its number.
  mutating func append(_ name: String, at place: Int, isKey: Bool, _ column: ColumnBuilder?) -> Int {
    if count == capacity {
      let larger = UnsafeMutablePointer<cadbc_member>.allocate(capacity: capacity * 2)
      larger.moveInitialize(from: entries, count: count)
      entries.deallocate()
      (entries, capacity) = (larger, capacity * 2)
    }
    let text = Array(name.utf8)
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, text.count))
    bytes.initialize(from: text, count: text.count)
    let isPlain = text.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    let member = cadbc_member(
      name: bytes, length: text.count, is_plain: isPlain ? 1 : 0, column: column?.raw, place: Int32(place),
      is_key: isKey ? 1 : 0)
    (entries + count).initialize(to: member)
    numbers[text] = count
    count += 1
    return count - 1
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
