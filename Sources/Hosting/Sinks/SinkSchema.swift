import GRDB
import Items
import Paging

/// The columns of a stream's table, and which member of the items goes where.
struct SinkSchema {
  struct Column: Equatable {
    let name: String
    var type: SinkColumnType
  }

  /// What an item needs before it can be written.
  enum Change {
    /// A column for a member that was not seen before.
    case addMember(String, SinkColumnType?)
    /// No type for the column, because it is to hold values of several.
    case loosen(column: Int)
    /// A column of its own for the member that is called as our key is, but is not the id; the rows that there are get
    /// what is in the key, where that came from such members.
    case keepKeyApart(copying: Bool)
  }

  private let table: String
  /// The column of the items' ids.
  private(set) var primaryKey = SinkSchema.ownKey
  private var columns: [Column] = []
  /// Whether the table is in the database.
  private(set) var exists = false
  /// Whether the table is as this type makes tables, so that it may be made anew; other tables are their owners'.
  private var isOwn = true
  /// The members seen so far, and the column of each.
  private(set) var members = SinkColumns()
  private(set) var columnOfMember: [Int] = []
  /// The place of the member that is the id, once it was seen.
  private(set) var idMember: Int?
  /// Whether the member that is called as our key has another column.
  private var isKeyApart = false

  /// The primary key where the id is in no member.
  static let ownKey = "_id"

  init(table: String) { self.table = table }

  /// The statement that writes an item: a parameter for each member, and one for the id when no member holds it.
  var upsert: String {
    var names = columnOfMember.map { columns[$0].name.asIdentifier }
    if idMember == nil { names.append(primaryKey.asIdentifier) }
    let values = names.map { _ in "?" }.joined(separator: ", ")
    let updates = names.filter { $0 != primaryKey.asIdentifier }.map { "\($0) = excluded.\($0)" }
    let action = updates.isEmpty ? "NOTHING" : "UPDATE SET \(updates.joined(separator: ", "))"
    return """
      INSERT INTO \(table.asIdentifier) (\(names.joined(separator: ", "))) VALUES (\(values)) \
      ON CONFLICT (\(primaryKey.asIdentifier)) DO \(action)
      """
  }

  /// The statement that removes the row of an id, its only parameter.
  var removal: String { "DELETE FROM \(table.asIdentifier) WHERE \(primaryKey.asIdentifier) = ?" }

  /// The parameter of the id, counted from 1.
  var idParameter: Int { idMember.map { $0 + 1 } ?? members.count + 1 }

  /// The type of the column of a member.
  func type(ofMember place: Int) -> SinkColumnType { columns[columnOfMember[place]].type }

  /// The primary key's column and its type, when the table exists.
  var keyColumn: Int { columns.firstIndex { $0.name == primaryKey }! }
  var keyType: SinkColumnType { columns[keyColumn].type }

  /// The statement that makes the table.
  func creation(as name: String) -> String {
    let declarations = columns.map { column in
      let type = column.type == .any ? "" : " \(column.type.rawValue)"
      return column.name.asIdentifier + type + (column.name == primaryKey ? " PRIMARY KEY" : "")
    }
    return "CREATE TABLE \(name.asIdentifier) (\(declarations.joined(separator: ", ")))"
  }

  /// Sends a member to a column.
  mutating func assign(_ member: String, toColumn column: Int) {
    let place = members.append(member)
    columnOfMember.append(column)
    if columns[column].name == primaryKey { idMember = place }
  }

  /// Sends the member that was the id to a column of its own; the id is no member from here on.
  mutating func moveKeyMember(toColumn column: Int) {
    guard let idMember else { return }
    columnOfMember[idMember] = column
    self.idMember = nil
  }

  /// The column that is there for a member, or else the name of a new one: the member's, with a number where SQLite
  /// would take it for that of another member. Other people's columns may be written in other letters than the member.
  func column(for member: String) -> (index: Int?, name: String) {
    let name = member.replacing("\0", with: "\u{FFFD}")
    var candidate = name
    var number = 2
    while let index = columns.firstIndex(where: { $0.name.isSameIdentifier(as: candidate) }) {
      let isTaken = !isFree(index) || isKeyApart && columns[index].name == primaryKey
      if !isTaken && (columns[index].name == candidate || !isOwn) { return (index, candidate) }
      candidate = "\(name)_\(number)"
      number += 1
    }
    return (nil, candidate)
  }

  private func isFree(_ column: Int) -> Bool { !columnOfMember.contains(column) }
}

extension String {
  /// The name in quotes, for SQL.
  var asIdentifier: String { "\"\(replacing("\"", with: "\"\""))\"" }

  /// Whether SQLite takes both for one name: it does not see the case of ASCII letters.
  func isSameIdentifier(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased }
  }
}

extension UInt8 {
  var asciiLowercased: UInt8 {
    self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self + 32 : self
  }
}

extension SinkSchema {
  /// SQLite's own limit, unless it was built with another one; near it, every statement takes long.
  private static let mostColumns = 2000

  /// Reads the table from the database, where there is one.
  init(table: String, idField: String?, in database: Database) throws {
    self.init(table: table)
    let rows = try Row.fetchAll(
      database, sql: "SELECT name, type, pk FROM pragma_table_info(?)", arguments: [table])
    guard !rows.isEmpty else { return }
    let keys: [String] = rows.filter { $0["pk"] as Int > 0 }.map { $0["name"] }
    guard keys.count == 1, keys[0] == idField || keys[0] == SinkSchema.ownKey else {
      let wanted = [idField, SinkSchema.ownKey].compactMap(\.self).joined(separator: " or ")
      throw HostFailure(
        .database, "the table \(table.escapingControls) has no primary key \(wanted) to find items by")
    }
    primaryKey = keys[0]
    exists = true
    columns = rows.map { Column(name: $0["name"], type: SinkColumnType(rawValue: $0["type"]) ?? .any) }
    let sql = try String.fetchOne(
      database, sql: "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", arguments: [table])
    isOwn = sql == creation(as: table)
    if !isOwn { columns = columns.map { Column(name: $0.name, type: .any) } }
  }

  /// Gives every member of the items a column, and makes the table if there is none.
  mutating func prepare(for items: [Item], idField: String?, in database: Database) throws {
    var survey = SinkSurvey(idField: idField)
    for item in items { try survey.see(item) }
    let new = survey.types.count { !exists || members.place(of: $0.member) == nil }
    guard columns.count + new <= Self.mostColumns else {
      throw HostFailure(
        .database,
        "the items of \(table.escapingControls) have \(survey.types.count.grouped) members, which is more "
          + "than SQLite has columns for (\(Self.mostColumns.grouped)): write NDJSON, or nest them")
    }
    if !exists, let idField, survey.isIDInField { primaryKey = idField }
    let apart = columns.contains { $0.name == SinkSchema.apartKey }
    isKeyApart = primaryKey == SinkSchema.ownKey && (survey.hasStrayKey || apart)
    guard !exists else {
      for (member, type) in keyFirst(survey.types) where members.place(of: member) == nil {
        try apply(.addMember(member, type), in: database)
      }
      return
    }
    if isKeyApart || survey.types.allSatisfy({ $0.member != primaryKey }) {
      columns.append(Column(name: primaryKey, type: survey.idType))
    }
    for (member, type) in keyFirst(survey.types) {
      let type = member == primaryKey && !isKeyApart ? survey.idType : type ?? .any
      columns.append(Column(name: column(for: member).name, type: type))
      assign(member, toColumn: columns.count - 1)
    }
    try database.execute(sql: creation(as: table))
    exists = true
  }

  /// The members with the key's own in front where another one is written as it is but for the case of its letters, which
  /// SQLite does not see: the key gets its column, and the other one a number.
  private func keyFirst(
    _ types: [(member: String, type: SinkColumnType?)]
  ) -> [(member: String, type: SinkColumnType?)] {
    let isContested = types.contains { $0.member != primaryKey && $0.member.isSameIdentifier(as: primaryKey) }
    guard isContested else { return types }
    return types.filter { $0.member == primaryKey } + types.filter { $0.member != primaryKey }
  }

  /// Changes the table so that the item that needs it fits.
  mutating func apply(_ change: Change, in database: Database) throws {
    switch change {
    case .addMember(let member, let type): try add(member, type ?? .any, in: database)
    case .loosen(let column): try loosen(column, in: database)
    case .keepKeyApart(let copying): try keepKeyApart(copying: copying, in: database)
    }
  }

  private mutating func add(_ member: String, _ type: SinkColumnType, in database: Database) throws {
    assign(member, toColumn: try column(member, type, in: database))
  }

  /// The column for a member, which is made if need be.
  private mutating func column(
    _ member: String, _ type: SinkColumnType, in database: Database
  ) throws -> Int {
    let (index, name) = column(for: member)
    if let index { return index }
    let column = Column(name: name, type: type)
    try database.execute(
      sql: "ALTER TABLE \(table.asIdentifier) ADD COLUMN \(column.name.asIdentifier) \(type.rawValue)")
    columns.append(column)
    return columns.count - 1
  }

  private mutating func keepKeyApart(copying: Bool, in database: Database) throws {
    isKeyApart = true
    let place = try column(SinkSchema.ownKey, .any, in: database)
    moveKeyMember(toColumn: place)
    guard copying else { return }
    let (to, from) = (columns[place].name.asIdentifier, primaryKey.asIdentifier)
    try database.execute(sql: "UPDATE \(table.asIdentifier) SET \(to) = \(from)")
  }

  /// SQLite can't change a column's type, so the table is made anew, with its indexes and triggers.
  private mutating func loosen(_ column: Int, in database: Database) throws {
    columns[column].type = .any
    let (name, new) = (table.asIdentifier, SinkSchema.rebuilt.asIdentifier)
    let attachments = try String.fetchAll(
      database,
      sql: "SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND type <> 'table' AND sql IS NOT NULL",
      arguments: [table])
    try database.execute(sql: creation(as: SinkSchema.rebuilt))
    try database.execute(sql: "INSERT INTO \(new) SELECT * FROM \(name)")
    try database.execute(sql: "DROP TABLE \(name)")
    try database.execute(sql: "ALTER TABLE \(new) RENAME TO \(name)")
    for sql in attachments { try database.execute(sql: sql) }
  }

  /// The column of the member that is called as our key is.
  private static let apartKey = SinkSchema.ownKey + "_2"
  /// The table's name while it is made anew.
  private static let rebuilt = "_lookahead_rebuilt"
}
