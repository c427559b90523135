import Items
import Paging

/// The columns of a stream's table, and their members of the items.
struct SinkSchema {
  /// What an item needs before it can be written.
  enum Change {
    /// Columns for its members that take their values.
    case fit
    /// A separate column for the member named like our key that is not the id; existing rows get the key's value, if it
    /// came from such members.
    case keepKeyApart(copying: Bool)
  }

  private let table: String
  /// Whether the database remembers which columns members have.
  private let remembers: Bool
  /// The column of the items' ids.
  private(set) var primaryKey = SinkSchema.ownKey
  private var columns = TableColumns()
  /// The primary key's column, if the table exists.
  private(set) var keyColumn = 0
  /// Whether the table exists in the database.
  private(set) var exists = false
  /// Whether the table was created here, so that it may be rebuilt, whatever columns others have added; other tables belong to their
  /// owners.
  private(set) var isOwn = true
  /// The type of the ids of a table that belongs to somebody else.
  private var othersKey = SinkColumnType.any
  /// Whether this made it, or has written into it, whatever others have added since.
  private(set) var isOurs = true
  /// Whether a unique constraint of it says what becomes of an item that another row is in the way of: no item is left out, nor takes
  /// the place of another, in silence.
  private var hasLenientKeys = false
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

  private init(table: String, remembers: Bool) { (self.table, self.remembers) = (table, remembers) }

  /// The statement that writes an item: a parameter per member, one for the id if no member holds it, and one for each
  /// column of our own, which is added where it is missing. A row is its item: what only an earlier one had goes. One that reads a
  /// feed has its columns instead of the parameters, save those of our own.
  mutating func upsert(
    with extras: [String], from feed: String? = nil, in database: Database
  ) throws -> String {
    var names = columnOfMember.map { columns[$0].name.asIdentifier }
    if idMember == nil { names.append(primaryKey.asIdentifier) }
    for extra in extras {
      if !has(column: extra) { _ = try addColumn(extra, .integer, in: database) }
      names.append(extra.asIdentifier)
    }
    let given = names.count - extras.count
    let values = names.indices.map { feed != nil && $0 < given ? "c\($0)" : "?" }.joined(separator: ", ")
    let rows = feed.map { "SELECT \(values) FROM \($0) WHERE true" } ?? "VALUES (\(values))"
    var updates = names.filter { $0 != primaryKey.asIdentifier }.map { column in
      let (old, new) = ("_lookahead_old.\(column)", "excluded.\(column)")
      return "\(column) = \(column == SinkRow.partColumn.asIdentifier ? MovedRows.part(old, new) : new)"
    }
    let written = Set(columnOfMember)
    for (place, column) in columns.enumerated() where column.isOwn && !written.contains(place) {
      guard !SinkRow.isOurs(column.name), column.name != primaryKey else { continue }
      updates.append("\(column.name.asIdentifier) = NULL")
    }
    changesNothing = updates.isEmpty
    let action = changesNothing ? "NOTHING" : "UPDATE SET \(updates.joined(separator: ", "))"
    return """
      INSERT \(hasLenientKeys ? "OR ABORT " : "")INTO \(table.asIdentifier) AS _lookahead_old \
      (\(names.joined(separator: ", "))) \(rows) ON CONFLICT (\(primaryKey.asIdentifier)) DO \(action)
      """
  }

  /// The statement that deletes the row of an id, its first parameter, unless it is of another part than the second one.
  var removal: String {
    "DELETE FROM \(table.asIdentifier) WHERE \(primaryKey.asIdentifier) = ?1"
      + (has(column: SinkRow.partColumn) ? " AND coalesce(\(SinkRow.partColumn) = ?2, true)" : "")
  }

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

  /// Whether it was made to count its rows.
  var isCounted: Bool { exists && columns[keyColumn].isCounter }

  func has(column: String) -> Bool { columns.place(named: column) != nil }

  /// The type of a member's column.
  func type(ofMember place: Int) -> SinkColumnType { columns[columnOfMember[place]].type }

  /// The primary key's type, if the table exists.
  var keyType: SinkColumnType { columns[keyColumn].type }

  /// Maps a member to a column.
  private mutating func assign(_ member: String, toColumn column: Int) {
    let place = members.append(member)
    columnOfMember.append(column)
    columns.give(column, to: member)
    if column == keyColumn { idMember = place }
  }

  /// The column for a member: the one that is remembered; one of its name, or of its name and a number, of which nothing is
  /// remembered; or else the name of a new one, if SQLite would confuse it with another, or if it is a name of our own. Columns of
  /// others may differ from the member in case.
  private func column(for member: String) -> (index: Int?, name: String) {
    if let place = columns.place(for: member), !(isKeyApart && place == keyColumn) {
      return (place, columns[place].name)
    }
    let name = member.replacing("\0", with: "\u{FFFD}")
    var candidate = name
    var number = 2
    while true {
      let index = columns.place(named: candidate)
      let isReserved = isOwn && SinkRow.isOurs(candidate)
      guard index != nil || isReserved else { return (nil, candidate) }
      if let index, !isReserved {
        let isTaken = columns[index].member != nil || isKeyApart && index == keyColumn
        if !isTaken && (isNamed(index, candidate) || !columns[index].isOwn) { return (index, candidate) }
      }
      candidate = "\(name)_\(number)"
      number += 1
    }
  }

  private func isNamed(_ place: Int, _ name: String) -> Bool {
    columns[place].name.utf8.elementsEqual(name.utf8)
  }
}

extension SinkSchema {
  /// SQLite's default limit; near it, every statement is slow.
  private static let mostColumns = 2000

  /// Reads the table's schema from the database, if it exists; by one of `keys` its rows are found.
  init(table: String, keys: [String], remembers: Bool, in database: Database) throws {
    self.init(table: table, remembers: remembers)
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
    let primary = rows.filter { $0["pk"].integer != 0 }.map { $0["name"].text ?? "" }
    guard primary.count == 1, keys.contains(primary[0]) else {
      let wanted = keys.joined(separator: " or ").escapingControls
      throw HostFailure(
        .database, "the table \(table.escapingControls) has no primary key \(wanted) to find items by")
    }
    primaryKey = primary[0]
    exists = true
    for row in rows {
      columns.append(
        TableColumns.Column(
          name: row["name"].text ?? "", type: SinkColumnType(rawValue: row["type"].text ?? "") ?? .any,
          standard: row["dflt_value"].text))
    }
    keyColumn = columns.place(named: primaryKey) ?? 0
    try recall(in: database)
    let found = try database.row(
      sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE",
      arguments: [table])
    let name = found?["name"].text ?? table
    // What a statement does on a conflict holds in its triggers, too, so that those would do something else.
    hasLenientKeys =
      try TableColumns.hasLenientKeys(in: found?["sql"].text ?? "") && !hasTriggers(in: database)
    let own = columns.own(of: name, key: primaryKey, in: found?["sql"].text ?? "")
    let isMade = own.contains(keyColumn)
    if !name.utf8.elementsEqual(table.utf8), try isMade || isRead(name, in: database) {
      throw HostFailure.sameTable(name, table, "SQLite")
    }
    isOwn = isMade
    isOurs = try isOwn || isRead(table, in: database)
    for place in columns.indices where !isOwn || !own.contains(place) { columns.disown(place) }
    guard !isOwn else { return }
    let key = rows.first { $0["name"].text == primaryKey }
    othersKey = SinkColumnType(affinityOf: key?["type"].text ?? "")
  }

  /// Whether triggers have a say in each row.
  func hasTriggers(in database: Database) throws -> Bool {
    try database.row(
      sql: "SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE LIMIT 1",
      arguments: [table]) != nil
  }

  /// Whether a reading of a stream is remembered.
  private func isRead(_ stream: String, in database: Database) throws -> Bool {
    let isKept = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = '_lookahead_readings'"
    guard try database.row(sql: isKept) != nil else { return false }
    return try database.row(
      sql: "SELECT 1 FROM _lookahead_readings WHERE stream = ? LIMIT 1", arguments: [stream]) != nil
  }

  /// Gives every member of the items a column that takes its values, and creates the table if missing.
  mutating func fit(
    _ items: some Sequence<Item>, idField: String?, isNumbered: Bool, in database: Database
  ) throws {
    var survey = SinkSurvey(idField: idField)
    for item in items { try survey.see(item) }
    let count = columns.count
    if !exists {
      if let idField, survey.isIDInField { primaryKey = idField }
      keyColumn = -1
    }
    let apart = columns.place(named: SinkSchema.apartKey).map { columns[$0].member ?? SinkSchema.ownKey }
    let mayBeApart = isNumbered || survey.hasStrayKey || apart == SinkSchema.ownKey
    isKeyApart = isKeyApart || primaryKey == SinkSchema.ownKey && mayBeApart
    if !exists, isKeyApart || survey.kinds.allSatisfy({ $0.member != primaryKey }) {
      keyColumn = columns.count
      let type = isNumbered ? .integer : survey.idType
      columns.append(TableColumns.Column(name: primaryKey, type: type, isCounter: isNumbered))
    }
    for (member, kinds) in inOrder(survey.kinds) where members.place(of: member) == nil {
      try add(member, kinds, survey.idType)
    }
    try checkRoom()
    if exists {
      try loosen(misfits(survey, isNumbered: isNumbered).sorted(), of: count, in: database)
      for column in columns[count...] { try add(column, in: database) }
    } else {
      try database.execute(sql: columns.creation(of: table, key: primaryKey))
      exists = true
    }
    try keep(in: database)
  }

  /// The members, with those first whose columns have their very names: where SQLite confuses another one with such a member, that
  /// one's gets a number.
  private func inOrder(
    _ members: [(member: String, kinds: SinkValueKinds)]
  ) -> [(member: String, kinds: SinkValueKinds)] {
    func isFirst(_ member: String) -> Bool {
      member == primaryKey || columns.place(named: member).map { isNamed($0, member) } ?? false
    }
    let isContested = members.contains {
      $0.member != primaryKey && $0.member.isSameIdentifier(as: primaryKey)
    }
    guard exists || isContested else { return members }
    return members.filter { isFirst($0.member) } + members.filter { !isFirst($0.member) }
  }

  /// Finds the column of a new member, or has a new one for it.
  private mutating func add(_ member: String, _ kinds: SinkValueKinds, _ idType: SinkColumnType) throws {
    let (index, name) = column(for: member)
    guard let index else {
      let isKey = !exists && member == primaryKey && !isKeyApart
      let type = isKey ? idType : SinkColumnType(for: kinds) ?? .any
      if isKey { keyColumn = columns.count }
      try append(TableColumns.Column(name: name, type: type))
      return assign(member, toColumn: columns.count - 1)
    }
    assign(member, toColumn: index)
  }

  private mutating func append(_ column: TableColumns.Column) throws {
    guard !generated.contains(where: { $0.isSameIdentifier(as: column.name) }) else {
      throw HostFailure(
        .invalid,
        "the items of \(table.escapingControls) have a member \(column.name.escapingControls), and SQLite fills the column of that "
          + "name itself (GENERATED ALWAYS AS): take the member out in the source's transform")
    }
    columns.append(column)
  }

  private func checkRoom() throws {
    let count = columns.count + generated.count
    guard count > Self.mostColumns else { return }
    throw HostFailure(
      .database,
      "the items of \(table.escapingControls) need \(count.grouped) columns, which is more than SQLite has "
        + "(\(Self.mostColumns.grouped)): write NDJSON, or nest them")
  }

  /// The columns whose types values or ids would not be what they are in.
  private func misfits(_ survey: borrowing SinkSurvey, isNumbered: Bool) -> Set<Int> {
    var misfits: Set<Int> = []
    for (member, kinds) in survey.kinds {
      guard let place = members.place(of: member), place != idMember, !type(ofMember: place).keeps(kinds)
      else { continue }
      misfits.insert(columnOfMember[place])
    }
    if !isNumbered, isCounted || !keyType.keeps(ids: survey.idKinds) { misfits.insert(keyColumn) }
    return misfits
  }

  private mutating func addColumn(_ name: String, _ type: SinkColumnType, in database: Database) throws {
    try append(TableColumns.Column(name: name, type: type))
    try checkRoom()
    try add(columns[columns.count - 1], in: database)
  }

  private func add(_ column: TableColumns.Column, in database: Database) throws {
    try database.execute(
      sql:
        "ALTER TABLE \(table.asIdentifier) ADD COLUMN \(column.name.asIdentifier) \(column.type.rawValue)")
  }

  /// Gives the member named like our key a column of its own; from now on the id is not a member.
  mutating func keepKeyApart(copying: Bool, in database: Database) throws {
    guard let idMember else { return }
    isKeyApart = true
    columns.give(keyColumn, to: nil)
    let (index, name) = column(for: SinkSchema.ownKey)
    if index == nil { try addColumn(name, .any, in: database) }
    let place = index ?? columns.count - 1
    columns.give(place, to: SinkSchema.ownKey)
    columnOfMember[idMember] = place
    self.idMember = nil
    if copying {
      let (to, from) = (columns[place].name.asIdentifier, primaryKey.asIdentifier)
      try database.execute(sql: "UPDATE \(table.asIdentifier) SET \(to) = \(from)")
    }
    try keep(in: database)
  }

  /// SQLite can't change a column's type, so the table is rebuilt, with its indexes and triggers; of the columns, it has so many.
  private mutating func loosen(_ misfits: [Int], of count: Int, in database: Database) throws {
    guard !misfits.isEmpty else { return }
    let making = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?"
    let found = try database.row(sql: making, arguments: [table])?.text ?? ""
    let sql = try columns.loosen(
      misfits, of: table, as: SinkSchema.rebuilt, key: primaryKey, count,
      in: generated.isEmpty && columns.allSatisfy(\.isOwn) ? nil : found)
    let (name, new) = (table.asIdentifier, SinkSchema.rebuilt.asIdentifier)
    let attachments = try database.rows(
      sql: "SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND type <> 'table' AND sql IS NOT NULL",
      arguments: [table]
    ).compactMap(\.text)
    let names = columns.prefix(count).map(\.name.asIdentifier).joined(separator: ", ")
    try database.execute(sql: sql)
    try database.execute(sql: "INSERT INTO \(new) (\(names)) SELECT \(names) FROM \(name)")
    try database.execute(sql: "DROP TABLE \(name)")
    try database.execute(sql: "ALTER TABLE \(new) RENAME TO \(name)")
    for sql in attachments { try database.execute(sql: sql) }
  }

  /// Reads which columns members have, as far as that is remembered.
  private mutating func recall(in database: Database) throws {
    let isKept = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?"
    guard remembers, try database.row(sql: isKept, arguments: [StateMirror.tables]) != nil else { return }
    let kept = "SELECT columns FROM \(StateMirror.tables) WHERE name = ?"
    guard let text = try database.row(sql: kept, arguments: [table])?.text else { return }
    guard columns.recall(text) else {
      throw HostFailure(
        .io,
        "what it remembers of its table \(table.escapingControls) is damaged: delete its row in \(StateMirror.tables), or write "
          + "another file")
    }
  }

  /// Has the database remember which columns members have.
  private mutating func keep(in database: Database) throws {
    guard remembers, columns.hasNews else { return }
    try database.execute(
      sql:
        "CREATE TABLE IF NOT EXISTS \(StateMirror.tables) (name TEXT PRIMARY KEY, columns TEXT) WITHOUT ROWID"
    )
    try database.execute(
      sql: "INSERT OR REPLACE INTO \(StateMirror.tables) (name, columns) VALUES (?, ?)",
      arguments: [table, columns.text])
    columns.hasKept()
  }

  /// The column of the member named like our key.
  private static let apartKey = SinkSchema.ownKey + "_2"
  /// The table's name during the rebuild.
  private static let rebuilt = "_lookahead_rebuilt"
}
