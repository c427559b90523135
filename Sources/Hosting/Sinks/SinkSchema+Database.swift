import GRDB
import Items
import Paging

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
