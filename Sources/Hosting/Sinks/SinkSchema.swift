import Items
import Paging

/// The columns of a stream's table, and their members of the items.
struct SinkSchema {
  struct Column: Equatable {
    let name: String
    var type: SinkColumnType
    /// What rows have in it that were there before it, as SQL.
    var standard: String?
  }

  /// What an item needs before it can be written.
  enum Change {
    /// A column for a new member.
    case addMember(String, SinkColumnType?)
    /// No type for the column, because it is to hold values of several.
    case loosen(column: Int)
    /// A separate column for the member named like our key that is not the id; existing rows get the key's value, if it
    /// came from such members.
    case keepKeyApart(copying: Bool)
  }

  private let table: String
  /// The column of the items' ids.
  private(set) var primaryKey = SinkSchema.ownKey
  private var columns: [Column] = []
  /// Whether the table exists in the database.
  private(set) var exists = false
  /// Whether the table is as this type creates them, so that it may be rebuilt; other tables belong to their owners.
  private var isOwn = true
  /// The type of the ids of a table that belongs to somebody else.
  private var othersKey = SinkColumnType.any
  /// Whether this made it, or has written into it, whatever others have added since.
  private(set) var isOurs = true
  /// The members seen so far, with their columns.
  private(set) var members = SinkColumns()
  private(set) var columnOfMember: [Int] = []
  /// The index of the member that is the id, once seen.
  private(set) var idMember: Int?
  /// Whether an item that is there already changes nothing, since there is nothing beside its id.
  private(set) var changesNothing = false
  /// Columns that SQLite fills itself.
  private var generated: [String] = []
  /// Whether the member named like our key has another column.
  private var isKeyApart = false

  /// The primary key if no member is the id.
  static let ownKey = SinkRow.ownKey

  init(table: String) { self.table = table }

  /// The statement that writes an item: a parameter per member, one for the id if no member holds it, and one for each
  /// column of our own, which is added where it is missing. A row is its item: what only an earlier one had goes.
  mutating func upsert(with extras: [String], in database: Database) throws -> String {
    var names = columnOfMember.map { columns[$0].name.asIdentifier }
    if idMember == nil { names.append(primaryKey.asIdentifier) }
    for extra in extras {
      if !has(column: extra) { _ = try addColumn(extra, .integer, in: database) }
      names.append(extra.asIdentifier)
    }
    let values = names.map { _ in "?" }.joined(separator: ", ")
    var updates = names.filter { $0 != primaryKey.asIdentifier }.map { column in
      let (old, new) = ("\(table.asIdentifier).\(column)", "excluded.\(column)")
      return "\(column) = \(column == SinkRow.partColumn.asIdentifier ? MovedRows.part(old, new) : new)"
    }
    if isOwn {
      for (place, column) in columns.enumerated() where isFree(place) && !SinkRow.isOurs(column.name) {
        if column.name != primaryKey { updates.append("\(column.name.asIdentifier) = NULL") }
      }
    }
    changesNothing = updates.isEmpty
    let action = changesNothing ? "NOTHING" : "UPDATE SET \(updates.joined(separator: ", "))"
    return """
      INSERT INTO \(table.asIdentifier) (\(names.joined(separator: ", "))) VALUES (\(values)) \
      ON CONFLICT (\(primaryKey.asIdentifier)) DO \(action)
      """
  }

  /// The statement that deletes the row of an id, its only parameter.
  var removal: String { "DELETE FROM \(table.asIdentifier) WHERE \(primaryKey.asIdentifier) = ?" }

  /// The statement that gives the row of an id, its second parameter, another form of it, its first.
  var renaming: String {
    let key = primaryKey.asIdentifier
    return "UPDATE OR REPLACE \(table.asIdentifier) SET \(key) = ?1 WHERE \(key) = ?2"
  }

  /// What SQLite makes of ids in the key's column: one of both kinds keeps them apart, though they are one.
  var keyForm: SinkColumnType { isOwn ? keyType : othersKey }

  /// The parameter of the id, from 1.
  var idParameter: Int { idMember.map { $0 + 1 } ?? members.count + 1 }

  /// The parameter of the first column of our own, from 1.
  var firstExtra: Int { members.count + (idMember == nil ? 2 : 1) }

  /// Whether SQLite can count its rows.
  var countsRows: Bool { primaryKey == SinkSchema.ownKey && keyType == .integer }

  func has(column: String) -> Bool { columns.contains { $0.name.isSameIdentifier(as: column) } }

  /// The type of a member's column.
  func type(ofMember place: Int) -> SinkColumnType { columns[columnOfMember[place]].type }

  /// The primary key's column and type, if the table exists.
  var keyColumn: Int { columns.firstIndex { $0.name == primaryKey }! }
  var keyType: SinkColumnType { columns[keyColumn].type }

  /// The statement that creates the table.
  func creation(as name: String) -> String {
    let declarations = columns.map { column in
      let type = column.type == .any ? "" : " \(column.type.rawValue)"
      let standard = column.standard.map { " DEFAULT \($0)" } ?? ""
      return column.name.asIdentifier + type + standard + (column.name == primaryKey ? " PRIMARY KEY" : "")
    }
    return "CREATE TABLE \(name.asIdentifier) (\(declarations.joined(separator: ", ")))"
  }

  /// Maps a member to a column.
  mutating func assign(_ member: String, toColumn column: Int) {
    let place = members.append(member)
    columnOfMember.append(column)
    if columns[column].name == primaryKey { idMember = place }
  }

  /// Maps the member that was the id to its own column; from now on the id is not a member.
  mutating func moveKeyMember(toColumn column: Int) {
    guard let idMember else { return }
    columnOfMember[idMember] = column
    self.idMember = nil
  }

  /// The existing column for a member, or else the name of a new one: the member's, with a number if SQLite would
  /// confuse it with another one, or if it is a name of our own. Existing columns may differ from the member in case.
  func column(for member: String) -> (index: Int?, name: String) {
    let name = member.replacing("\0", with: "\u{FFFD}")
    var candidate = name
    var number = 2
    while true {
      let index = columns.firstIndex { $0.name.isSameIdentifier(as: candidate) }
      let isReserved = isOwn && SinkRow.isOurs(candidate)
      guard index != nil || isReserved else { return (nil, candidate) }
      if let index, !isReserved {
        let isTaken = !isFree(index) || isKeyApart && columns[index].name == primaryKey
        if !isTaken && (columns[index].name == candidate || !isOwn) { return (index, candidate) }
      }
      candidate = "\(name)_\(number)"
      number += 1
    }
  }

  private func isFree(_ column: Int) -> Bool { !columnOfMember.contains(column) }
}

extension SinkSchema {
  /// SQLite's default limit; near it, every statement is slow.
  private static let mostColumns = 2000

  /// Reads the table's schema from the database, if it exists.
  init(table: String, idField: String?, in database: Database) throws {
    self.init(table: table)
    let all = try database.rows(
      sql: "SELECT name, type, dflt_value, pk, hidden FROM pragma_table_xinfo(?)", arguments: [table])
    guard !all.isEmpty else { return }
    let isView = "SELECT 1 FROM sqlite_schema WHERE type = 'view' AND name = ? COLLATE NOCASE"
    guard try database.row(sql: isView, arguments: [table]) == nil else {
      throw HostFailure(
        .invalid,
        "its \(table.escapingControls) is a view, and rows are written into tables only: give the source another name "
          + "(name = \"…\"), as that of the table behind it, or write another file")
    }
    let rows = all.filter { $0["hidden"].integer == 0 }
    generated = all.filter { $0["hidden"].integer != 0 }.map { $0["name"].text ?? "" }
    let keys = rows.filter { $0["pk"].integer != 0 }.map { $0["name"].text ?? "" }
    guard keys.count == 1, keys[0] == idField || keys[0] == SinkSchema.ownKey else {
      let wanted = [idField, SinkSchema.ownKey].compactMap(\.self).joined(separator: " or ")
      throw HostFailure(
        .database, "the table \(table.escapingControls) has no primary key \(wanted) to find items by")
    }
    primaryKey = keys[0]
    exists = true
    columns = rows.map {
      Column(
        name: $0["name"].text ?? "", type: SinkColumnType(rawValue: $0["type"].text ?? "") ?? .any,
        standard: $0["dflt_value"].text)
    }
    let sql = try database.row(
      sql: "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", arguments: [table])?.text
    isOwn = sql == creation(as: table)
    isOurs = try isOwn || isMadeHere(sql ?? "") || isRead(in: database)
    guard !isOwn else { return }
    let key = rows.first { $0["name"].text == primaryKey }
    othersKey = SinkColumnType(affinityOf: key?["type"].text ?? "")
    columns = columns.map { Column(name: $0.name, type: .any) }
  }

  /// Whether the statement begins as those do that create tables here: others are added behind.
  private func isMadeHere(_ sql: String) -> Bool {
    guard let first = columns.first else { return false }
    let type = first.type == .any ? "" : " \(first.type.rawValue)"
    let key = first.name == primaryKey ? " PRIMARY KEY" : ""
    return sql.hasPrefix("CREATE TABLE \(table.asIdentifier) (\(first.name.asIdentifier)\(type)\(key)")
  }

  /// Whether a reading of its stream is remembered.
  private func isRead(in database: Database) throws -> Bool {
    let isKept = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = '_lookahead_readings'"
    guard try database.row(sql: isKept) != nil else { return false }
    return try database.row(
      sql: "SELECT 1 FROM _lookahead_readings WHERE stream = ? LIMIT 1", arguments: [table]) != nil
  }

  /// Gives every member of the items a column, and creates the table if missing.
  mutating func prepare(
    for items: [Item], idField: String?, isNumbered: Bool, in database: Database
  ) throws {
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
      columns.append(Column(name: primaryKey, type: isNumbered ? .integer : survey.idType))
    }
    for (member, type) in keyFirst(survey.types) {
      let type = member == primaryKey && !isKeyApart ? survey.idType : type ?? .any
      columns.append(Column(name: column(for: member).name, type: type))
      assign(member, toColumn: columns.count - 1)
    }
    try database.execute(sql: creation(as: table))
    exists = true
  }

  /// The members, with the key's own first if another one differs only in the case of its letters, which SQLite
  /// ignores: the key gets its column, and the other one a number.
  private func keyFirst(
    _ types: [(member: String, type: SinkColumnType?)]
  ) -> [(member: String, type: SinkColumnType?)] {
    let isContested = types.contains { $0.member != primaryKey && $0.member.isSameIdentifier(as: primaryKey) }
    guard isContested else { return types }
    return types.filter { $0.member == primaryKey } + types.filter { $0.member != primaryKey }
  }

  /// Changes the table to fit the item that needs it.
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

  /// The column for a member, added if necessary.
  private mutating func column(
    _ member: String, _ type: SinkColumnType, in database: Database
  ) throws -> Int {
    let (index, name) = column(for: member)
    if let index { return index }
    guard !generated.contains(where: { $0.isSameIdentifier(as: name) }) else {
      throw HostFailure(
        .invalid,
        "the items of \(table.escapingControls) have a member \(member.escapingControls), and SQLite fills the column of that name "
          + "itself (GENERATED ALWAYS AS): take the member out in the source's transform")
    }
    return try addColumn(name, type, in: database)
  }

  private mutating func addColumn(
    _ name: String, _ type: SinkColumnType, in database: Database
  ) throws -> Int {
    try database.execute(
      sql: "ALTER TABLE \(table.asIdentifier) ADD COLUMN \(name.asIdentifier) \(type.rawValue)")
    columns.append(Column(name: name, type: type))
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

  /// SQLite can't change a column's type, so the table is rebuilt, with its indexes and triggers.
  private mutating func loosen(_ column: Int, in database: Database) throws {
    columns[column].type = .any
    let (name, new) = (table.asIdentifier, SinkSchema.rebuilt.asIdentifier)
    let attachments = try database.rows(
      sql: "SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND type <> 'table' AND sql IS NOT NULL",
      arguments: [table]
    ).compactMap(\.text)
    try database.execute(sql: creation(as: SinkSchema.rebuilt))
    try database.execute(sql: "INSERT INTO \(new) SELECT * FROM \(name)")
    try database.execute(sql: "DROP TABLE \(name)")
    try database.execute(sql: "ALTER TABLE \(new) RENAME TO \(name)")
    for sql in attachments { try database.execute(sql: sql) }
  }

  /// The column of the member named like our key.
  private static let apartKey = SinkSchema.ownKey + "_2"
  /// The table's name during the rebuild.
  private static let rebuilt = "_lookahead_rebuilt"
}
