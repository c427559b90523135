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
  /// The connection, once no rows are copied over it any more.
  var connection: ADBCConnection {
    get throws {
      try finishCopying()
      return link.connection
    }
  }
  private(set) var mayHaveChanged = false
  var log: String? { link.unmovedLog }
  let moved = MovedRows()

  let link: any DestinationLink
  private let mirror: StateMirror
  private let copier = RowCopier()
  /// The rows that are copied right into a table, while nothing else is done on the connection.
  private var copying: (table: DestinationTable, fields: [BuiltRows.Field], rows: [TableRows])?
  private let hurried: StopFlag
  /// Whether other workers write too, each for moments.
  let isShared: Bool
  /// Whether texts that are days or moments make columns of them.
  let recognizesTimes: Bool
  /// Whether no column of days or moments is wanted.
  let keepsTimesAsTexts: Bool
  /// Whether tables are taken that somebody else has made.
  let adopts: Bool
  private let declared: DeclaredTypes
  private let journal = Journal()
  /// How long what came waits for more: so long that committing takes little of the time.
  private var patience = Duration.milliseconds(50)
  /// Bytes of the open transaction, and rows.
  private var (transactionBytes, transactionRows) = (0, 0)
  /// Those of them that are yet to be executed.
  private var waitingBytes = 0
  private var begunAt: ContinuousClock.Instant?
  private var isInTransaction = false
  /// The number of the transaction that was begun last.
  private(set) var transaction = 0
  /// Whether the open transaction is known to begin where this one left the database.
  private var isChecked = false
  /// Whether the open transaction has what would be needed on another connection, and is no longer in the journal.
  private var isSpilled = false
  /// Whether nothing is committed any more.
  private var isLost = false
  private var tables: [DestinationTable] = []
  /// The number of the item that was set aside last; below zero until it is known.
  var lastAsideRow: Int64 = -1

  /// Goes on with what the database remembers. While the flag is set, a connection that broke is not waited for.
  init(
    _ link: any DestinationLink, hurried: StopFlag, adopts: Bool = false, recognizesTimes: Bool = true,
    types: DeclaredTypes = DeclaredTypes(), isShared: Bool = false
  ) throws {
    self.link = link
    self.hurried = hurried
    self.isShared = isShared
    self.adopts = adopts
    keepsTimesAsTexts = !recognizesTimes
    self.recognizesTimes = recognizesTimes && link.dialect.recognizesTimes
    declared = types
    memory = try Database(path: ":memory:", waiting: .zero)
    mirror = try StateMirror(memory)
    try link.prepare()
    try mirror.load(from: link, isShared: isShared)
  }

  /// When more is not waited for.
  var dueAt: ContinuousClock.Instant? {
    guard let begunAt else { return nil }
    if isShared || transactionBytes >= link.transactionSize { return begunAt }
    guard transactionRows > link.groupSize - DestinationStore.nearFull, link.groupSize > 0 else {
      return begunAt + patience
    }
    let rest = link.groupSize - transactionRows % link.groupSize
    let isEnough = transactionBytes * 2 >= link.transactionSize || begunAt + patience <= .now
    return isEnough && rest <= DestinationStore.nearFull ? begunAt : begunAt + link.longestWait * 2
  }

  func begin() throws {
    try memory.execute(sql: "BEGIN")
    begunAt = .now
    if isShared { try persisting { try take() } }
  }

  /// Has the database for itself until the commit, with what others have written.
  private func take() throws {
    try open()
    mayHaveChanged = try mirror.follow(link, in: self)
    if mayHaveChanged { (tables, lastAsideRow) = ([], -1) }
  }

  func recall(stream: String, partition: String) throws {
    guard isShared else { return }
    try reading { try mirror.loadIDs(ofStream: stream, partition: partition, from: link) }
  }

  private func open() throws {
    try link.begin()
    (isInTransaction, isChecked, transaction) = (true, false, transaction + 1)
    if isShared { try link.lock() }
  }

  func table(_ name: String, idField: String?, keys: [String]) throws -> any StreamTable {
    let table = try DestinationTable(name, idField: idField, keys: keys, self)
    tables.append(table)
    try makeRoom()
    return table
  }

  /// What the source of a stream says that columns are.
  func types(of stream: String) -> [String: DeclaredType] { declared[stream] }

  func aside(_ owner: Int) -> any WaitingItems { DestinationAside(owner, self) }

  func attempt(_ body: () throws -> Void) throws {
    try memory.cachedStatement(sql: "SAVEPOINT delivery").execute()
    let (mark, bytes) = (journal.mark, transactionBytes)
    do {
      try body()
      try memory.cachedStatement(sql: "RELEASE delivery").execute()
    } catch {
      try? memory.execute(sql: "ROLLBACK TO delivery; RELEASE delivery")
      isLost = isLost || !journal.undo(to: mark)
      if !isLost {
        waitingBytes = max(0, waitingBytes - (transactionBytes - bytes))
        transactionBytes = bytes
      }
      throw error
    }
  }

  /// Has a change of a table wait, together with others of that table.
  func add(_ change: TableChange, to table: DestinationTable) {
    journal.add(change, to: table)
    transactionRows += change.rowCount
    count(change.byteCount)
  }

  /// Has items wait that are to be set aside, together with others.
  func add(_ items: AsideItems) {
    journal.add(items)
    count(items.items.reduce(16) { $0 + $1.bytes.count })
  }

  /// Has something else wait, which may be done more than once.
  func add(_ action: @escaping () throws -> Void) {
    journal.add(action)
    count(16)
  }

  private func count(_ bytes: Int) {
    (transactionBytes, waitingBytes) = (transactionBytes + bytes, waitingBytes + bytes)
  }

  /// Reads what is there, with what waits.
  func reading<Result>(_ body: (ADBCConnection) throws -> Result) throws -> Result {
    try persisting {
      try settle()
      return try body(connection)
    }
  }

  func reading(_ body: () throws -> Void) throws { try reading { _ in try body() } }

  /// Copies what waits while more comes.
  func advance() throws {
    let isCopied = journal.last?.table?.isCopied == true
    guard waitingBytes >= (isCopied ? link.portion << 8 : DestinationStore.batchSize) else { return }
    do {
      try persisting { try settle() }
    } catch {
      isLost = true
      throw error
    }
    if !link.canBreak { journal.drop() }
  }

  /// Gives the memory of what waits back, in the middle of a transaction that brings more than is kept.
  func spillIfLarge() throws {
    guard waitingBytes >= DestinationStore.batchSize * 2 else { return }
    try persisting { try settle() }
    journal.drop()
    isSpilled = true
  }

  /// None ends by itself: what is sent behind a failure fails as well.
  func checkTransaction() {}

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
      (isInTransaction, isChecked) = (false, false)
    }
    (isInTransaction, isSpilled, begunAt) = (false, false, nil)
    moved.commit()
    forget()
    try mirror.hasCommitted(number)
    patience = min(max(start.duration(to: .now) * 20, .milliseconds(50)), link.longestWait)
    try memory.execute(sql: "COMMIT")
  }

  func rollBack() {
    isLost = true
    stopCopying()
    if isInTransaction { try? link.rollBack() }
    isInTransaction = false
    if memory.isInsideTransaction { try? memory.execute(sql: "ROLLBACK") }
    begunAt = nil
    forget()
  }

  private func forget() {
    journal.drop()
    (transactionBytes, transactionRows, waitingBytes) = (0, 0, 0)
    moved.forget()
  }

  func close(_ ending: StoreEnding) throws {
    stopCopying()
    tables = []
    copier.close()
    try link.close(ending, isUnwritten: !mirror.isMade)
  }

  func explain(_ error: any Error) -> SinkError { link.explain(error) }

  /// Does in the open transaction what waits.
  private func settle() throws {
    if !isInTransaction { try open() }
    if !isChecked {
      try mirror.check(self)
      isChecked = true
    }
    do {
      try journal.execute(in: self)
    } catch {
      // A part of it may be done: it is not done again, unless on another connection.
      isLost = isLost || !canReturn(after: error)
      throw error
    }
    waitingBytes = 0
  }

  /// Does it again on a new connection where the old one broke.
  private func persisting<Result>(_ body: () throws -> Result) throws -> Result {
    let end = ContinuousClock.now + DestinationStore.longestAbsence
    while true {
      do {
        return try body()
      } catch let error as ADBCError where canReturn(after: error) {
        guard !isSpilled else { throw link.lost(error) }
        try reconnect(until: end, after: error)
      }
    }
  }

  private func canReturn(after error: any Error) -> Bool {
    link.canBreak && (error as? ADBCError)?.isConnectionLost == true
  }

  private func reconnect(until end: ContinuousClock.Instant, after first: ADBCError) throws {
    stopCopying()
    isInTransaction = false
    journal.restart()
    moved.forget()
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

  /// Rows that a group may lack and is full enough: no more are written together.
  private static let nearFull = 10_000
  /// Bytes that are merged at once.
  private static let batchSize = 8 << 20
  /// How long a server may be away.
  private static let longestAbsence = Duration.seconds(30)
}

/// What is done inside a transaction.
extension DestinationStore {
  func execute(_ sql: String) throws { try connection.execute(sql) }

  /// Copies rows in, for the time of the call.
  func withBatch(_ rows: BuiltRows, _ body: (String) throws -> Void) throws {
    try rows.freeing { try makeRoom(merging: rows.isWide) }
    try rows.copy(
      over: connection,
      into: ADBCTarget(table: DestinationStore.batch, mode: .create, isTemporary: link.hasTemporaryTables))
    let batch = dialect.table(DestinationStore.batch, in: dialect.temporary)
    try body(batch)
    try execute("DROP TABLE \(batch)")
  }

  /// Copies rows right into a table, while the next ones are built. Where the id of one turns out to be there, all those that
  /// followed each other are merged instead.
  func copy(_ built: BuiltRows, of rows: [TableRows], into table: DestinationTable) throws {
    if try link.take(built, of: table.name) { return }
    try built.freeing {
      if !dialect.takesStreams { try makeRoom(merging: built.isWide) }
      guard copying?.table !== table || copying?.fields != built.fields || !dialect.takesStreams else {
        return
      }
      try finishCopying()
      if dialect.refusesTwins { try execute("SAVEPOINT copying") }
      copying = (table, built.fields, [])
      let target = ADBCTarget(table: table.name, schema: schema, mode: .append)
      copier.begin(built.fields, over: link.connection, into: target)
    }
    copying?.rows += dialect.refusesTwins ? rows : []
    try undoingTwins { () throws(ADBCError) in try copier.copy(built, isLast: !dialect.takesStreams) }
  }

  /// Returns when the rows are there that are copied right into a table.
  private func finishCopying() throws {
    guard copying != nil else { return }
    try undoingTwins { () throws(ADBCError) in
      try copier.finish()
      if dialect.refusesTwins { try link.connection.execute("RELEASE SAVEPOINT copying") }
      copying = nil
    }
  }

  private func undoingTwins(_ body: () throws(ADBCError) -> Void) throws {
    do throws(ADBCError) {
      try body()
    } catch {
      let undone = copying
      stopCopying()
      guard error.sqlState == "23505", let undone else { throw error }
      try execute("ROLLBACK TO SAVEPOINT copying")
      try execute("RELEASE SAVEPOINT copying")
      try undone.table.merge(undone.rows)
    }
  }

  /// Whatever is copied still is of no use.
  private func stopCopying() {
    copying = nil
    try? copier.finish()
  }

  private static let batch = "_lookahead_batch"

  /// What was kept of a table; nil where nothing was.
  func kept(of table: String) throws -> String? { try mirror.table(table, in: self) }

  func droppedTables() throws -> Set<String> {
    try reading { _ in
      guard try self.has(table: StateMirror.tables) else { return [] }
      return Set(try self.mirror.tables(in: self).filter { try !self.has(table: $0) })
    }
  }

  func forget(table name: String) throws { try reading { try self.mirror.forget(table: name, in: self) } }

  /// Makes room for the rows of the tables as they are now.
  func makeRoom(merging: Bool = false) throws {
    try finishCopying()
    try link.makeRoom(forColumns: tables.reduce(0) { $0 + $1.columnCount }, merging: merging)
  }

  /// Keeps how a table is.
  func keep(_ schema: TableSchema, of table: String) throws {
    try mirror.keep(schema.text, of: table, in: self)
  }
}
