import Glibc
import Items
import Paging

/// A database behind a driver that takes rows.
///
/// What is written waits in a journal until there is enough of it, or a moment has passed. Then all of it goes there in one
/// transaction, with what is remembered: a connection that breaks meanwhile is made again, and the journal once more, unless
/// the transaction had come through.
final class DestinationStore: RowStore {
  let memory: Database
  var dialect: any Dialect { link.dialect }
  var schema: String { link.schema }
  var connection: ADBCConnection { link.connection }
  let mayHaveChanged = false
  let log: String? = nil

  private let link: any DestinationLink
  private let mirror: StateMirror
  private let copier = RowCopier()
  private let hurried: StopFlag
  /// Whether texts that are days or moments make columns of them.
  let recognizesTimes: Bool
  /// Whether tables are taken that somebody else has made.
  private let adopts: Bool
  private let declared: DeclaredTypes
  private var journal: [JournalEntry] = []
  /// How long what came waits for more: so long that committing takes little of the time.
  private var patience = Duration.milliseconds(50)
  /// Entries that the open transaction has already.
  private var executed = 0
  /// Bytes of the journal that wait.
  private var waitingBytes = 0
  private var begunAt: ContinuousClock.Instant?
  private var isInTransaction = false
  /// Whether the open transaction has what is no longer in the journal.
  private var isSpilled = false
  /// Whether nothing is committed any more.
  private var isLost = false
  private var tables: [DestinationTable] = []
  /// The number of the item that was set aside last; below zero until it is known.
  var lastAsideRow: Int64 = -1

  /// Goes on with what the database remembers. While the flag is set, a connection that broke is not waited for.
  init(
    _ link: any DestinationLink, hurried: StopFlag, adopts: Bool = false, recognizesTimes: Bool = true,
    types: DeclaredTypes = DeclaredTypes()
  ) throws {
    self.link = link
    self.hurried = hurried
    self.adopts = adopts
    self.recognizesTimes = recognizesTimes && link.dialect.recognizesTimes
    declared = types
    memory = try Database(path: ":memory:", waiting: .zero)
    mirror = try StateMirror(memory)
    try link.prepare()
    try mirror.load(from: link)
  }

  /// When more is not waited for.
  var dueAt: ContinuousClock.Instant? {
    guard let begunAt else { return nil }
    return waitingBytes >= DestinationStore.batchSize ? begunAt : begunAt + patience
  }

  func begin() throws {
    try memory.execute(sql: "BEGIN")
    begunAt = .now
  }

  func table(_ name: String, idField: String?) throws -> any StreamTable {
    let table = try DestinationTable(name, idField: idField, self)
    tables.append(table)
    return table
  }

  /// The type of a new column whose first value is of that type.
  func type(of wanted: ColumnType) -> ColumnType {
    if !dialect.recognizesTimes, wanted == .json { return .text }
    return recognizesTimes ? wanted : wanted.withoutTimes
  }

  /// What the source of a stream says that columns are.
  func types(of stream: String) -> [String: DeclaredType] { declared[stream] }

  func aside(_ owner: Int) -> any WaitingItems { DestinationAside(owner, self) }

  func attempt(_ body: () throws -> Void) throws {
    try memory.cachedStatement(sql: "SAVEPOINT delivery").execute()
    let before = (journal.count, journal.last?.changes.count ?? 0, waitingBytes)
    do {
      try body()
      try memory.cachedStatement(sql: "RELEASE delivery").execute()
    } catch {
      if isSpilled || before.0 > journal.count || executed > before.0 { isLost = true }
      try? memory.execute(sql: "ROLLBACK TO delivery; RELEASE delivery")
      if !isLost {
        journal.removeSubrange(before.0...)
        journal.last?.cut(before.1)
        waitingBytes = before.2
      }
      throw error
    }
  }

  /// Has a change of a table wait.
  func add(_ change: TableChange, to table: DestinationTable) {
    if let last = journal.last, journal.count > executed, last.table === table {
      last.append(change)
    } else {
      journal.append(JournalEntry(table, change))
    }
    waitingBytes += change.byteCount
  }

  /// Has something else wait, which may be done more than once.
  func add(byteCount: Int = 16, _ action: @escaping () throws -> Void) {
    journal.append(JournalEntry(action))
    waitingBytes += byteCount
  }

  /// Reads what is there, with what waits.
  func reading<Result>(_ body: (ADBCConnection) throws -> Result) throws -> Result {
    try persisting {
      try settle()
      return try body(connection)
    }
  }

  /// The same, for what needs no connection of its own.
  func reading(_ body: () throws -> Void) throws { try reading { _ in try body() } }

  /// Gives the memory of what waits back, in the middle of a transaction that brings more than is kept.
  func spillIfLarge() throws {
    guard waitingBytes >= DestinationStore.batchSize * 2 else { return }
    try persisting { try settle() }
    (journal, executed, waitingBytes) = ([], 0, 0)
    isSpilled = true
  }

  func commit() throws {
    guard !isLost else {
      rollBack()
      throw HostFailure(.io, "the last items could not be written")
    }
    let start = ContinuousClock.now
    let number = mirror.nextCommit
    var isDecided = true
    try persisting {
      if !isDecided, try mirror.isCommitted(number, self) { return }
      isDecided = true
      try settle()
      try mirror.write(number, to: self)
      isDecided = false
      try link.commit()
      isInTransaction = false
    }
    (isInTransaction, isSpilled, begunAt) = (false, false, nil)
    (journal, executed, waitingBytes) = ([], 0, 0)
    try mirror.hasCommitted(number)
    patience = min(max(start.duration(to: .now) * 10, .milliseconds(50)), .seconds(1))
    try memory.execute(sql: "COMMIT")
  }

  func rollBack() {
    isLost = true
    if isInTransaction { try? link.rollBack() }
    isInTransaction = false
    if memory.isInsideTransaction { try? memory.execute(sql: "ROLLBACK") }
    (journal, executed, waitingBytes, begunAt) = ([], 0, 0, nil)
  }

  func close(_ ending: StoreEnding) throws {
    tables = []
    copier.finish()
    try link.close(ending, isUnwritten: !mirror.isMade)
  }

  func explain(_ error: any Error) -> SinkError { link.explain(error) }

  /// Does in the open transaction what waits.
  private func settle() throws {
    if !isInTransaction {
      try link.begin()
      isInTransaction = true
      try mirror.check(self)
    }
    while executed < journal.count {
      try journal[executed].execute()
      executed += 1
    }
  }

  /// Does it again on a new connection where the old one broke.
  private func persisting<Result>(_ body: () throws -> Result) throws -> Result {
    let end = ContinuousClock.now + DestinationStore.longestAbsence
    while true {
      do {
        return try body()
      } catch let error as ADBCError where link.canBreak && error.isConnectionLost {
        guard !isSpilled else { throw link.lost(error) }
        try reconnect(until: end, after: error)
      }
    }
  }

  private func reconnect(until end: ContinuousClock.Instant, after first: ADBCError) throws {
    isInTransaction = false
    executed = 0
    for table in tables { table.forget() }
    var pause: UInt32 = 50_000
    while true {
      do {
        return try link.reconnect()
      } catch let error as ADBCError where error.isConnectionLost {
        guard ContinuousClock.now < end, !hurried.isSet else { throw link.lost(first) }
        usleep(pause)
        pause = min(pause * 2, 1_000_000)
      }
    }
  }

  /// Bytes that go there at once.
  private static let batchSize = 8 << 20
  /// How long a server may be away.
  private static let longestAbsence = Duration.seconds(30)
}

/// What is done inside a transaction.
extension DestinationStore {
  func execute(_ sql: String) throws { try connection.execute(sql) }

  /// Copies rows in, for the time of the call.
  func withBatch(_ rows: BuiltRows, _ body: (String) throws -> Void) throws {
    try rows.copy(
      over: connection,
      into: ADBCTarget(table: DestinationStore.batch, mode: .create, isTemporary: link.hasTemporaryTables))
    let batch = dialect.table(DestinationStore.batch, in: dialect.temporary)
    try body(batch)
    try execute("DROP TABLE \(batch)")
  }

  /// Copies rows right into a table, each time that `body` has some; false if the id of one is there, and nothing was copied.
  func copying(into table: String, _ body: (_ copy: (BuiltRows) throws -> Void) throws -> Void) throws -> Bool
  {
    try execute("SAVEPOINT copying")
    do {
      let target = ADBCTarget(table: table, schema: schema, mode: .append)
      try copier.whileCopying {
        try body { rows in try copier.copy(rows, over: connection, into: target) }
      }
      try execute("RELEASE SAVEPOINT copying")
      return true
    } catch let error as ADBCError where error.sqlState == "23505" {
      try execute("ROLLBACK TO SAVEPOINT copying")
      try execute("RELEASE SAVEPOINT copying")
      return false
    }
  }

  private static let batch = "_lookahead_batch"

  /// How a table is, by what is kept of it; nil if there is none. One that is not ours is refused, or adopted.
  func schema(of table: String, idField: String?) throws -> TableSchema? {
    let declared = try link.columns(of: table)
    guard !declared.isEmpty else { return nil }
    guard let text = try mirror.table(table, in: self) else {
      guard adopts else {
        throw HostFailure(
          .invalid,
          "it has a table \(table.escapingControls) already, which lookahead did not make: --adopt writes into it, or give the "
            + "source another name (name = \"…\"), or write into another schema or database")
      }
      return try adopt(table, declared, idField)
    }
    guard let schema = TableSchema(text: text, declared: declared, dialect) else {
      throw HostFailure(
        .invalid,
        "its table \(table.escapingControls) is not as lookahead left it (the column of the ids is gone, or what is kept of it "
          + "in \(StateMirror.tables) is damaged): drop or rename it")
    }
    return schema
  }

  /// Takes a table over that somebody else has made: rows are found by the id, in a column of its name.
  private func adopt(
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
    if try connection.hasRow(dialect.doubt(of: key, in: table, schema: schema)) {
      throw refused(dialect.way(toFindBy: key.escapingControls, in: table, schema: schema))
    }
    let adopted = TableSchema(adopting: declared, key: key, dialect)
    try keep(adopted, of: table)
    return adopted
  }

  /// Notes that the open transaction has made a table.
  func hasMade(table: String) { link.hasMade(table: table) }

  /// Whether there is a table.
  func has(table: String) throws -> Bool { try !link.columns(of: table).isEmpty }

  /// Keeps how a table is.
  func keep(_ schema: TableSchema, of table: String) throws {
    try mirror.keep(schema.text, of: table, in: self)
  }
}

/// Changes of one table that follow each other, or something else to do.
final class JournalEntry {
  let table: DestinationTable?
  private(set) var changes: [TableChange] = []
  private let action: (() throws -> Void)?

  init(_ table: DestinationTable, _ change: TableChange) {
    self.table = table
    changes = [change]
    action = nil
  }

  init(_ action: @escaping () throws -> Void) {
    self.action = action
    table = nil
  }

  func append(_ change: TableChange) { changes.append(change) }

  /// Keeps the first ones.
  func cut(_ count: Int) { changes.removeSubrange(count...) }

  func execute() throws {
    try action?()
    try table?.execute(changes)
  }
}
