import CSQLite
import Items
import Paging

/// What is remembered, in tables of the same names in the destination and in memory: one logic for all databases works in
/// memory, and what it changes goes to the destination in the transaction of the rows.
final class StateMirror {
  private let memory: Database
  /// Whether the destination has them.
  private(set) var isMade = false
  /// What the destination says of the run that holds it, as this one knows it.
  private var epoch: String?
  /// The number of the last commit.
  private var commit = 0
  /// Tables that an earlier version did not have, and that are not there.
  private var missing: Set<String> = []
  /// Where what others have written since begins, as the database counts.
  private var mark: Int64?
  /// The row that says what this one has committed, where several write: another one may have a commit of the same number.
  private let own = "commit/" + String(UInt64.random(in: .min ... .max), radix: 16)

  /// How the tables of streams are.
  static let tables = "_lookahead_tables"
  /// Columns that statements name.
  private static let name = "name".asIdentifier
  private static let value = "value".asIdentifier
  private static let columns = "columns".asIdentifier

  init(_ memory: Database) throws {
    self.memory = memory
    try StateTables.create(in: memory)
  }

  /// Reads what the destination remembers, and notes from now on what changes. Where several write, the ids of a reading are read when
  /// it is begun here.
  func load(from link: any DestinationLink, isShared: Bool) throws {
    try memory.execute(sql: "BEGIN")
    try loadAll(from: link, withIDs: !isShared)
    for table in MirroredTable.all { try watch(table) }
    try memory.execute(sql: "COMMIT")
  }

  private func loadAll(from link: any DestinationLink, withIDs: Bool) throws {
    isMade = try !link.columns(of: MirroredTable.all[0].name).isEmpty
    missing = []
    guard isMade else { return }
    if try link.columns(of: MirroredTable.claims).isEmpty { missing = [MirroredTable.claims] }
    for table in MirroredTable.all where !missing.contains(table.name) && (withIDs || !table.hasBytes) {
      try load(table, from: link)
    }
  }

  /// Reads again what the destination remembers, if others have written since; false if nobody has. Nothing may have changed
  /// here meanwhile.
  func follow(_ link: any DestinationLink, in store: DestinationStore) throws -> Bool {
    guard try store.has(table: "_lookahead_state") else { return false }
    if isMade, try value(StateMirror.commitName, store) == "\(commit)" { return false }
    let since = mark
    // Read anew if it breaks off here.
    (commit, mark) = (-1, nil)
    let next = try link.dialect.mark.flatMap { try link.connection.first($0) { $0.integer(0) } } ?? nil
    if let since, missing.isEmpty {
      for table in MirroredTable.all where !table.hasBytes {
        let isWhole = table.name == "_lookahead_state"
        if isWhole { try memory.execute(sql: "DELETE FROM main.\(table.name)") }
        try load(table, from: link, isWhole ? nil : link.dialect.isNewer(than: since))
      }
    } else {
      for table in MirroredTable.all where !table.hasBytes {
        try memory.execute(sql: "DELETE FROM main.\(table.name)")
      }
      try loadAll(from: link, withIDs: false)
    }
    mark = next
    try forgetChanges()
    return true
  }

  /// Reads the ids that a reading has brought, and what has come with its bookmarks; nothing of it may have changed here meanwhile.
  func loadIDs(ofStream stream: String, partition: String, from link: any DestinationLink) throws {
    let known = try memory.row(
      sql: "SELECT id FROM _lookahead_readings WHERE stream = ? AND partition = ?",
      arguments: [stream, partition])
    guard let reading = try known?.integer(), let table = MirroredTable.all.first(where: \.hasBytes), isMade
    else { return }
    // What was written here in the open transaction is newer.
    let condition = "\("reading".asIdentifier) IN (\(reading), \(~reading))"
    let isNewer = "SELECT 1 FROM temp.\(StateMirror.changed(table)) WHERE \(condition) LIMIT 1"
    guard try memory.row(sql: isNewer) == nil else { return }
    try memory.execute(sql: "DELETE FROM main.\(table.name) WHERE \(condition)")
    try load(table, from: link, condition)
    try memory.execute(sql: "DELETE FROM temp.\(StateMirror.changed(table)) WHERE \(condition)")
  }

  private func load(_ table: MirroredTable, from link: any DestinationLink, _ condition: String? = nil) throws
  {
    let names = table.columns.map(\.name.asIdentifier).joined(separator: ", ")
    let values = table.columns.map { _ in "?" }.joined(separator: ", ")
    let statement = try memory.makeStatement(
      sql: "INSERT OR REPLACE INTO \(table.name) (\(names)) VALUES (\(values))")
    let rows = condition.map { " WHERE \($0)" } ?? ""
    try link.connection.forEachRow(
      "SELECT \(names) FROM \(link.dialect.table(table.name, in: link.schema))\(rows)"
    ) { row in
      var arguments: [(any SQLArgument)?] = []
      for (place, column) in table.columns.enumerated() {
        switch column.kind {
        case .integer: arguments.append(row.integer(place))
        case .text: arguments.append(row.text(place))
        case .bytes: arguments.append(row.bytes(place).map { SQLValue.blob(link.dialect.bytes($0)) })
        }
      }
      if table.name == "_lookahead_state" {
        let name = row.text(0)
        if name?.hasPrefix("commit/") == true { return }
        if name == "epoch" { epoch = row.text(1) }
        if name == StateMirror.commitName { return commit = row.text(1).flatMap { Int($0) } ?? 0 }
        // Its values are numbers, save those that are none.
        if let number = row.text(1).flatMap({ Int64($0) }) { arguments[1] = number }
      }
      try statement.execute(arguments: arguments)
    }
  }

  private static let commitName = "commit"

  /// Has the rows noted that change.
  private func watch(_ table: MirroredTable) throws {
    let changed = StateMirror.changed(table)
    let keys = table.keys.joined(separator: ", ")
    try memory.execute(sql: "CREATE TEMP TABLE \(changed) (\(keys), PRIMARY KEY (\(keys))) WITHOUT ROWID")
    for (event, rows) in [("INSERT", ["new"]), ("UPDATE", ["old", "new"]), ("DELETE", ["old"])] {
      let notes = rows.map { row in
        let values = table.keys.map { "\(row).\($0)" }.joined(separator: ", ")
        let isNoted = table.keys.map { "\($0) = \(row).\($0)" }.joined(separator: " AND ")
        // Not OR IGNORE: what a statement does on a conflict holds in its triggers too.
        return
          "INSERT INTO \(changed) SELECT \(values) WHERE NOT EXISTS (SELECT 1 FROM \(changed) WHERE \(isNoted));"
      }
      try memory.execute(
        sql: """
          CREATE TEMP TRIGGER \(changed)_\(event) AFTER \(event) ON main.\(table.name) \
          BEGIN \(notes.joined(separator: " ")) END
          """)
    }
  }

  private static func changed(_ table: MirroredTable) -> String { "changed\(table.name)" }

  /// The number of the next commit.
  var nextCommit: Int { commit + 1 }

  /// Begins a transaction: fails if another run has taken the database since, or it is not as this one left it.
  ///
  /// Where several write, others may have come first: then nothing that was done here holds.
  func check(_ store: DestinationStore) throws {
    guard try store.has(table: "_lookahead_state") else {
      if isMade { throw StateMirror.setBack }
      return try make(in: store)
    }
    let newest = try value("epoch", store, lock: store.dialect.lock)
    let there = try value(StateMirror.commitName, store) ?? "0"
    if store.isShared, there != "\(commit)" { throw StateMirror.overtaken }
    guard newest == epoch else {
      throw HostFailure(
        .io,
        "another run has taken it over (number \(newest ?? "0"), and this is \(epoch ?? "0")): nothing more is written"
      )
    }
    guard there == "\(commit)" else { throw StateMirror.setBack }
  }

  /// The error for a worker whose connection broke, and that is no longer the last one to have written.
  private static let overtaken = HostFailure(
    .io,
    "the connection broke, and others have written since: what this one had not committed is read again when it is started again",
    isTransient: true)

  /// The error for a server that lost what it had committed, or was restored.
  private static let setBack = HostFailure(
    .io,
    "it is not as this run left it with its last commit: it was set back; the run goes on from there when it is started again"
  )

  private func value(_ name: String, _ store: DestinationStore, lock: String = "") throws -> String? {
    let table = store.dialect.table("_lookahead_state", in: store.schema)
    return try store.connection.first(
      "SELECT \(StateMirror.value) FROM \(table) WHERE \(StateMirror.name) = \(name.asLiteral)\(lock)"
    ) {
      $0.text(0)
    } ?? nil
  }

  private func make(in store: DestinationStore) throws {
    for table in MirroredTable.all { try make(table, in: store) }
    let text = store.dialect.declaration(of: .text)
    let columns = ["name", "columns"].map { "\($0.asIdentifier) \(text)" }
    try create(StateMirror.tables, columns, "name".asIdentifier, in: store)
    try DestinationAside.make(in: store)
  }

  private func make(_ table: MirroredTable, in store: DestinationStore) throws {
    let columns = table.columns.map { column in
      "\(column.name.asIdentifier) \(store.dialect.declaration(of: column.kind.type))"
    }
    let keys = table.keys.map(\.asIdentifier).joined(separator: ", ")
    try create(table.name, columns, keys, in: store)
    let there = store.dialect.table(table.name, in: store.schema)
    for column in table.columns where column.kind == .bytes {
      let statement = store.dialect.storingAsIs(column.name.asIdentifier, of: there)
      if let statement { try store.execute(statement) }
    }
  }

  private func create(_ name: String, _ columns: [String], _ keys: String, in store: DestinationStore) throws
  {
    let key = store.dialect.refusesTwins ? ", PRIMARY KEY (\(keys))" : ""
    let table = store.dialect.table(name, in: store.schema)
    try store.execute("CREATE TABLE \(table) (\(columns.joined(separator: ", "))\(key))")
  }

  /// Writes what has changed, and the number of the commit.
  func write(_ number: Int, to store: DestinationStore) throws {
    for table in MirroredTable.all { try write(table, to: store) }
    let state = store.dialect.table("_lookahead_state", in: store.schema)
    let name = StateMirror.commitName.asLiteral
    try store.execute("DELETE FROM \(state) WHERE \(StateMirror.name) = \(name)")
    try store.execute(
      "INSERT INTO \(state) (\(StateMirror.name), \(StateMirror.value)) VALUES (\(name), '\(number)')")
    if store.isShared {
      try store.execute("DELETE FROM \(state) WHERE \(StateMirror.name) = \(own.asLiteral)")
      try store.execute(
        "INSERT INTO \(state) (\(StateMirror.name), \(StateMirror.value)) VALUES (\(own.asLiteral), '\(number)')"
      )
    } else {
      try store.execute("DELETE FROM \(state) WHERE \(StateMirror.name) LIKE 'commit/%'")
    }
  }

  private func write(_ table: MirroredTable, to store: DestinationStore) throws {
    let changed = StateMirror.changed(table)
    let there = store.dialect.table(table.name, in: store.schema)
    let keys = try memory.rows(sql: "SELECT * FROM temp.\(changed)")
    guard !keys.isEmpty else { return }
    if missing.contains(table.name), try !store.has(table: table.name) { try make(table, in: store) }
    for part in keys.divided(into: 200) {
      let conditions = part.map { row in
        table.keys.map { "\($0.asIdentifier) = \(store.literal(row[$0], isText: table.isText($0)))" }
          .joined(separator: " AND ")
      }
      try store.execute(
        "DELETE FROM \(there) WHERE \(conditions.map { "(\($0))" }.joined(separator: " OR "))")
    }
    let names = table.columns.map(\.name.asIdentifier).joined(separator: ", ")
    let using = table.keys.joined(separator: ", ")
    let rows = try memory.rows(
      sql: "SELECT \(names) FROM main.\(table.name) JOIN temp.\(changed) USING (\(using))")
    if table.hasBytes, store.dialect.hasBytes { return try copy(rows, of: table, into: store) }
    for part in rows.divided(into: 200) {
      let values = part.map { row in
        "(\(table.columns.map { store.literal(row[$0.name], isText: $0.kind == .text) }.joined(separator: ", ")))"
      }
      try store.execute("INSERT INTO \(there) (\(names)) VALUES \(values.joined(separator: ", "))")
    }
  }

  /// Bytes are copied: as texts of SQL they would be several times as long, and have to be parsed.
  private func copy(_ rows: [Row], of table: MirroredTable, into store: DestinationStore) throws {
    guard !rows.isEmpty else { return }
    let columns = table.columns.map { ColumnBuilder($0.name, $0.kind.type) }
    for row in rows {
      for column in columns {
        switch row[column.name] {
        case .integer(let number): column.append(number)
        case .text(let text): column.append(text)
        case .blob(let bytes): bytes.withUnsafeBytes { column.append($0) }
        case .null, .boolean, .real: column.appendNull()
        }
      }
    }
    let names = table.columns.map(\.name.asIdentifier).joined(separator: ", ")
    let there = store.dialect.table(table.name, in: store.schema)
    try store.withBatch(BuiltRows(columns, count: rows.count)) { batch in
      try store.execute("INSERT INTO \(there) (\(names)) SELECT \(names) FROM \(batch)")
    }
  }

  /// Whether a commit came through, of which nobody has heard.
  func isCommitted(_ number: Int, _ store: DestinationStore) throws -> Bool {
    guard try store.has(table: "_lookahead_state") else { return false }
    return try value(store.isShared ? own : StateMirror.commitName, store) == "\(number)"
  }

  /// Notes that the destination has it all.
  func hasCommitted(_ number: Int) throws {
    commit = number
    isMade = true
    missing = []
    epoch = try memory.row(sql: "SELECT value FROM _lookahead_state WHERE name = 'epoch'")?.text
    try forgetChanges()
  }

  private func forgetChanges() throws {
    for table in MirroredTable.all {
      try memory.execute(sql: "DELETE FROM temp.\(StateMirror.changed(table))")
    }
  }
}

/// How the tables of streams are.
extension StateMirror {
  /// What was kept of a table; nil where nothing was.
  func table(_ name: String, in store: DestinationStore) throws -> String? {
    let there = store.dialect.table(StateMirror.tables, in: store.schema)
    return try store.connection.first(
      "SELECT \(StateMirror.columns) FROM \(there) WHERE \(StateMirror.name) = \(name.asLiteral)"
    ) {
      $0.text(0)
    } ?? nil
  }

  /// The names of those of which anything was kept.
  func tables(in store: DestinationStore) throws -> [String] {
    var names: [String] = []
    let there = store.dialect.table(StateMirror.tables, in: store.schema)
    try store.connection.forEachRow("SELECT \(StateMirror.name) FROM \(there)") { row in
      if let name = row.text(0) { names.append(name) }
    }
    return names
  }

  /// Forgets how a table was.
  func forget(table name: String, in store: DestinationStore) throws {
    let there = store.dialect.table(StateMirror.tables, in: store.schema)
    try store.execute("DELETE FROM \(there) WHERE \(StateMirror.name) = \(name.asLiteral)")
  }

  /// Keeps how a table is.
  func keep(_ text: String, of name: String, in store: DestinationStore) throws {
    let there = store.dialect.table(StateMirror.tables, in: store.schema)
    try forget(table: name, in: store)
    try store.execute(
      "INSERT INTO \(there) (\(StateMirror.name), \(StateMirror.columns)) VALUES (\(name.asLiteral), \(text.asLiteral))"
    )
  }
}

extension DestinationStore {
  /// A value in SQL.
  func literal(_ value: SQLValue, isText: Bool) -> String {
    switch value {
    case .null: "NULL"
    case .boolean(let value): value ? "TRUE" : "FALSE"
    case .integer(let number): isText ? "'\(number)'" : "\(number)"
    case .real(let number): isText ? "'\(number)'" : "\(number)"
    case .text(let text): text.asLiteral
    case .blob(let bytes): dialect.literal(bytes)
    }
  }
}

extension Array {
  /// The elements in parts of at most so many.
  func divided(into size: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
  }
}

extension SQLValue: SQLArgument {
  var sqlValue: SQLValue { self }
}
