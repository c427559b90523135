import Glibc
import Items
import Paging

/// Items as rows of an SQLite database, one table per stream, with what is remembered of their readings. An item with an
/// existing id replaces its row, and a removed one deletes it. Places are ignored: a table is unordered.
///
/// Deliveries of a group share a transaction; a failed one leaves nothing behind, and those before it stay. A reading that
/// mirrors its source is set aside until it is complete; then one transaction makes the table equal to it.
final class SinkDatabase: SinkWriter {
  private(set) var bytes = 0
  private(set) var remains = SinkRemains()
  private(set) var changes = SinkChanges()
  private let place: OutputPlace
  private var configuration: SinkConfiguration { place.configuration }
  private let path: String
  private let database: Database
  /// By lower-case name, as SQLite distinguishes tables.
  private var tables: [String: SinkTable] = [:]
  /// Nil until a reading begins.
  private var state: StateTables?
  private var readings: [Int: TableReading] = [:]
  /// How far readings have come since the last commit.
  private var positions: [Int: (ReadingMark, lastRow: Int64?, isNumbered: Bool)] = [:]
  /// Where several processes write the database.
  private var shared: SharedReadings?
  /// Which tables there are, and how they are made, when this process last looked.
  private var schemaVersion = 0
  private var hasBegun = false
  private var isJournalChosen = false

  init(_ place: OutputPlace) throws(SinkError) {
    self.place = place
    path = place.configuration.path.escapingControls
    shared = place.configuration.state.isShared ? SharedReadings() : nil
    let file = try SinkDatabase.check(place.configuration)
    do {
      database = try SinkDatabase.open(file, place.configuration.lockWait)
    } catch {
      throw SinkError(error, database: path)
    }
  }

  func begin(_ request: ReadingRequest) throws(SinkError) -> BegunReading {
    var begun = BegunReading(request)
    guard configuration.state.isKept else { return begun }
    try access { database in
      try self.begin(in: database)
      try self.storePositions(in: database)
      let state = try self.openState(in: database)
      let name = request.stream ?? self.configuration.defaultStream
      let table = try self.table(name, in: database)
      let beginning = try state.begin(
        request, stream: name, hasRows: table.hasRows(in: database), in: database)
      begun = beginning.begun
      try self.shared?.claim(begun, request, state, in: database)
      self.readings[begun.id] = try TableReading(beginning, table, in: database)
    }
    return begun
  }

  func begin(step key: String, _ parameters: String) throws(SinkError) -> BegunStep {
    var begun = BegunStep(id: 0)
    guard configuration.state.isKept else { return begun }
    try access { database in
      try self.begin(in: database)
      begun = try self.openState(in: database).begin(step: key, parameters, in: database)
    }
    return begun
  }

  private func openState(in database: Database) throws -> StateTables {
    if let state { return state }
    let new = try StateTables(configuration.state, in: database)
    state = new
    return new
  }

  func write(_ delivery: Delivery) throws(SinkError) {
    let name = delivery.stream ?? configuration.defaultStream
    try access { database in
      try self.begin(in: database)
      try database.cachedStatement(sql: "SAVEPOINT delivery").execute()
      do {
        if let step = delivery.step, self.state != nil {
          try self.write(delivery, ofStep: step, in: database)
        } else {
          try self.write(delivery, to: try self.table(name, in: database), in: database)
        }
        try database.cachedStatement(sql: "RELEASE delivery").execute()
      } catch {
        // What was created since the savepoint is gone, so tables have to be inspected again.
        self.tables = [:]
        if database.isInsideTransaction {
          try database.execute(sql: "ROLLBACK TO delivery; RELEASE delivery")
        }
        throw error
      }
    }
    bytes += delivery.byteCount
  }

  /// What a step emits waits for its end.
  private func write(_ delivery: Delivery, ofStep step: Int, in database: Database) throws {
    let aside = Aside.of(step: step)
    try aside.add(
      delivery.items, stream: delivery.stream, isNumbered: delivery.isNumbered, in: database)
    guard let result = delivery.stepResult, let state else { return }
    try aside.forEach(in: database) { items, stream, isNumbered in
      let table = try self.table(stream ?? self.configuration.defaultStream, in: database)
      try table.write(items, as: SinkRow(isNumbered: isNumbered), in: database)
    }
    try state.end(step: step, result, in: database)
  }

  private func write(_ delivery: Delivery, to table: SinkTable, in database: Database) throws {
    if let state, try shared?.takes(delivery, state, in: database) == false { return }
    guard let state, let id = delivery.reading, let reading = readings[id] else {
      try table.write(delivery.items, as: SinkRow(isNumbered: delivery.isNumbered), in: database)
      return try table.apply(delivery.operations, in: database)
    }
    // A position that is not stored yet says nothing of half a page behind it.
    if delivery.mark == nil { try storePosition(of: id, in: database) }
    try reading.write(delivery, to: table, in: database)
    state.add(delivery.broughtIDs, delivery.itemCount, to: id)
    guard let mark = delivery.mark else { return }
    positions[id] = (mark, reading.lastRow, reading.isNumbered)
    guard mark.place.isEnd else { return }
    positions[id] = nil
    try state.mark(id, mark, lastRow: reading.lastRow, isNumbered: reading.isNumbered, in: database) {
      known in
      if !configuration.state.isRefreshing { readings[id] = nil }
      try changes.add(reading.complete(known, in: table, mark, in: database), to: table.name)
    }
  }

  private func storePosition(of reading: Int, in database: Database) throws {
    guard let (mark, lastRow, isNumbered) = positions.removeValue(forKey: reading) else { return }
    try state?.mark(reading, mark, lastRow: lastRow, isNumbered: isNumbered, in: database) { _ in }
  }

  /// Stores how far the readings have come, as what was written is about to count.
  private func storePositions(in database: Database) throws {
    for reading in positions.keys.sorted() { try storePosition(of: reading, in: database) }
  }

  func commit() throws(SinkError) { try commitAll() }

  func publish() throws(SinkError) { try commitAll() }

  private func commitAll() throws(SinkError) {
    guard hasBegun else { return }
    hasBegun = false
    try access { database in
      // SQLite ends a transaction by itself when, say, the disk is full.
      guard database.isInsideTransaction else {
        throw DatabaseError(message: "the last items could not be written")
      }
      do {
        try self.state?.checkEpoch(in: database)
        try self.storePositions(in: database)
        try database.cachedStatement(sql: "COMMIT").execute()
      } catch {
        if database.isInsideTransaction { try database.execute(sql: "ROLLBACK") }
        throw error
      }
    }
    for event in shared?.takeNews() ?? [] { place.partEvents(event) }
  }

  func leave(partition id: String) throws(SinkError) {
    guard let reading = shared?.leave(partition: id) else { return }
    try commitAll()
    readings[reading] = nil
    state?.leave(reading)
  }

  func close(_ ending: SinkEnding) throws(SinkError) {
    defer { place.release() }
    var problem: SinkError?
    do throws(SinkError) {
      try settle(ending)
    } catch {
      problem = error
    }
    tables = [:]
    if isJournalChosen && problem == nil { moveLog() }
    do {
      try database.close()
    } catch {
      problem = problem ?? SinkError(error, database: path)
    }
    if !isJournalChosen { place.leave() }
    if let problem { throw problem }
  }

  /// Moves what is in the log into the file. Closing it does so too, but says nothing where the disk refuses.
  private func moveLog() {
    do throws(SinkError) {
      try access { database in try database.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)") }
    } catch {
      if error.isDiskFailure { remains.log = path + "-wal" }
    }
  }

  private func settle(_ ending: SinkEnding) throws(SinkError) {
    if ending == .whole { try access { database in try self.chooseJournal(in: database) } }
    // Where others write too, nobody's end is that of the run.
    if let state, ending.endsRun, shared == nil {
      try access { database in
        try self.begin(in: database)
        try state.end(isWhole: ending == .whole, in: database)
      }
    }
    try commitAll()
  }

  /// Readers and this writer don't block each other. Must be written first.
  private func chooseJournal(in database: Database) throws {
    guard !isJournalChosen, !hasBegun else { return }
    try DatabaseWait(timeout: configuration.lockWait).repeating {
      try database.execute(sql: "PRAGMA journal_mode = WAL")
    }
    isJournalChosen = true
  }

  private func begin(in database: Database) throws {
    if hasBegun { return }
    try chooseJournal(in: database)
    try database.cachedStatement(sql: "BEGIN IMMEDIATE").execute()
    hasBegun = true
    guard shared != nil else { return }
    // Another process may have made columns.
    let version = try database.row(sql: "PRAGMA schema_version")?.integer() ?? 0
    if version != schemaVersion { tables = [:] }
    schemaVersion = version
  }

  private func table(_ name: String, in database: Database) throws -> SinkTable {
    let key = name.lowercased()
    guard let table = tables[key] else {
      if let failure = configuration.refusal(ofStreams: [name]) { throw failure }
      let table = try SinkTable(name, idField: configuration.idField, in: database)
      tables[key] = table
      return table
    }
    guard table.name == name else {
      throw HostFailure(
        .invalid,
        "the streams \(table.name.escapingControls) and \(name.escapingControls) would be one table")
    }
    return table
  }

  private func access(_ body: (Database) throws -> Void) throws(SinkError) {
    do {
      try body(database)
    } catch let error as SinkError {
      throw error
    } catch {
      throw SinkError(error, database: path)
    }
  }

  /// The path for SQLite: absolute, so that it is never parsed as a URI. Throws if it can't be a database.
  @discardableResult
  static func check(_ configuration: SinkConfiguration) throws(SinkError) -> String {
    let path = configuration.path
    guard path != "-" else {
      throw SinkError(
        HostFailure(.invalid, "a database can't go to standard output: name a file, as -o items.db"))
    }
    guard !configuration.isFolder else {
      throw SinkError(HostFailure(.invalid, "\(path.escapingControls) is a folder, not a database"))
    }
    guard let resolved = ResolvedPath(path)?.path else {
      throw SinkError(SystemError(number: EINVAL), path: path)
    }
    let folder = String(resolved[..<resolved.lastIndex(of: "/")!])
    if !folder.isEmpty && Glibc.access(folder, F_OK) != 0 {
      let folder = folder.escapingControls
      throw SinkError(
        HostFailure(
          .notFound, "can't write \(path.escapingControls): the folder \(folder) does not exist"))
    }
    return resolved
  }

  private static func open(_ file: String, _ wait: Duration) throws -> Database {
    try Database(path: file, waiting: wait) { database in
      // A rebuilt table is dropped for a moment; that must not affect tables that refer to it. And temporary files could
      // not be made in the cage.
      try database.execute(
        sql: """
          PRAGMA foreign_keys = OFF; PRAGMA synchronous = NORMAL; PRAGMA legacy_alter_table = ON;
          PRAGMA temp_store = MEMORY
          """)
    }
  }
}
