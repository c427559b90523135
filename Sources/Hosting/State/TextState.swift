import CSQLite
import Glibc
import Items
import Paging

/// What is remembered of a text output, in a database beside it: the readings, and how much of each file counts.
///
/// Rows are written first, then the length that counts with them, and the digest of the last bytes before it: what an
/// interrupted run wrote beyond is cut off. Only moments at which no page is half written count.
final class TextState {
  /// How much of a file counts.
  struct Extent: Equatable {
    /// Bytes of the text.
    var length: Int
    /// The columns of a CSV, and where its rows change their width; other texts have none.
    var layout: String?
    /// How much that is of a file in which the text is packed.
    var packed: PackedText.Place?

    /// Bytes of the file.
    var fileLength: Int { packed?.length ?? length }
    /// The same of the text alone.
    var text: Extent { Extent(length: length, layout: layout) }
  }

  /// What is known of a file.
  struct Known {
    /// The runs that go on with each other and have written it last; 0 where what counts of it can't be told.
    var chain: Int
    /// How much of it counts, and what stands for its last bytes; a second form is about to take the place of the first.
    var forms: [(extent: Extent, digest: String)]
  }

  /// What was delivered of a reading since the place before.
  private struct Step {
    let reading: Int
    var brought: BroughtIDs
    var count: Int
    var mark: ReadingMark?
    var isNumbered: Bool

    /// Adds what came behind it.
    mutating func add(_ later: Step) {
      brought.append(later.brought)
      count += later.count
      (mark, isNumbered) = (later.mark, isNumbered || later.isNumbered)
    }
  }

  private let file: StateFile
  private let options: StateOptions
  private let path: String
  private let database: Database
  let tables: StateTables
  private var hasBegun = false
  /// What came since the last moment that was noted.
  private var steps: [Step] = []
  /// How many of them belong to the last moment that counts.
  private var ready = 0
  /// What came of readings in the middle of a page, since their last places.
  private var halves: [Int: Step] = [:]
  /// Whether there is something of steps that are left.
  private var hasLeftSteps = false
  private var endedSteps = EndedSteps()
  private var readings: Set<Int> = []
  /// What this run has brought so far.
  private(set) var brought = BroughtReadings()
  /// What an earlier run has left of each file.
  private(set) var files: [String: Known] = [:]
  /// Whether the machine was started anew since a run that did not end in order: of what that one wrote, anything may be lost.
  let wasCut: Bool
  /// Whether it has written another form, so that its files are others, or none.
  private var isOfOtherForm = false
  /// Whether this run goes on with it.
  var goesOn: Bool { tables.goesOn }

  init(_ file: StateFile, _ options: StateOptions) throws(SinkError) {
    self.file = file
    self.options = options
    path = file.path.escapingControls
    if options.isFresh { file.empty() }
    do {
      database = try TextState.open(file.path)
      // A database that has no log yet can't make a journal in the cage.
      if try database.row(sql: "PRAGMA journal_mode")?.text != "wal" {
        try database.execute(
          sql: """
            PRAGMA journal_mode = MEMORY; PRAGMA application_id = \(StateFile.application);
            PRAGMA journal_mode = WAL
            """)
      }
      try database.execute(sql: "BEGIN IMMEDIATE")
      try database.execute(sql: TextState.schema + FileEnds.schema)
      tables = try StateTables(options, isText: true, in: database)
      wasCut = try tables.wasCut(in: database, now: file.boot)
      files = try TextState.files(in: database)
      hasBegun = true
    } catch {
      let failure = SinkError(error, database: path)
      // A disk that refuses it says nothing of what is in it.
      if failure.isDiskFailure { throw failure }
      throw SinkError(
        HostFailure(
          .io, "\(failure.failure.message): the state of the output is damaged (--fresh begins anew)"))
    }
  }

  /// Whether the run before was given the same parameters and wrote the same form: else its files are others. Those of
  /// another form can't be added to.
  func hasSame(parameters: String, form: String) throws(SinkError) -> (parameters: Bool, form: Bool) {
    var hasSame = (parameters: false, form: false)
    try access { database in
      hasSame.parameters = try self.tables.hasSame("parameters", parameters, in: database)
      hasSame.form = try self.tables.hasSame("form", form, in: database)
      guard !hasSame.form else { return }
      self.isOfOtherForm = true
      for name in self.files.keys { self.files[name]?.chain = 0 }
      try database.execute(sql: "UPDATE _lookahead_files SET chain = 0")
    }
    return hasSame
  }

  /// Whether what came before went elsewhere: to a pipe, or to a file and not to a folder.
  func wentElsewhere(isFolder: Bool) -> Bool {
    isOfOtherForm || files.keys.contains { $0.isEmpty == isFolder }
  }

  /// The files with which this run goes on.
  var ownFiles: [String: Known] { files.filter { $0.value.chain == tables.chain } }

  /// Nothing goes on: of what the run before wrote, it is not known what counts.
  func startOver() throws(SinkError) {
    let names = ownFiles.keys
    for name in names { files[name]?.chain = 0 }
    try access { database in
      for name in names { try FileEnds(of: name).forget(in: database) }
      try database.execute(
        sql: "UPDATE _lookahead_files SET chain = 0 WHERE chain = ?", arguments: [self.tables.chain])
      try self.tables.startOver(in: database)
    }
  }

  /// Whether what readings bring to the stream, or to any, comes behind what is there.
  func isAddedTo(_ stream: String?) throws(SinkError) -> Bool {
    try asked { database in try self.tables.isAddedTo(stream, in: database) }
  }

  /// This run goes on with the file, or writes it anew.
  func settle(_ name: String, goesOn: Bool) throws(SinkError) {
    files[name]?.chain = tables.chain
    if !goesOn { files[name] = nil }
    try access { database in
      try database.execute(
        sql: goesOn
          ? "UPDATE _lookahead_files SET chain = ?2 WHERE name = ?1"
          : "DELETE FROM _lookahead_files WHERE name = ?1 AND chain <> ?2",
        arguments: [name, self.tables.chain])
      if !goesOn { try FileEnds(of: name).forget(in: database) }
    }
  }

  /// Why this run can't go on with an output that has items of a source that the script no longer returns; nil where there is none.
  func refusal(of returned: ReturnedStreams, _ output: String) throws(SinkError) -> String? {
    try asked { database in try self.tables.refusal(of: returned, output, in: database) }
  }

  func begin(_ request: ReadingRequest, stream: String) throws(SinkError) -> StateTables.Beginning {
    try note()
    let beginning = try asked { database in
      try self.tables.begin(request, stream: stream, hasRows: false, in: database)
    }
    readings.insert(beginning.begun.id)
    brought.begin(beginning, stream: stream)
    return beginning
  }

  func begin(step key: String, _ parameters: String) throws(SinkError) -> BegunStep {
    var begun = try asked { database in try self.tables.begin(step: key, parameters, in: database) }
    begun.result = begun.result ?? endedSteps.result(of: begun.id)
    return begun
  }

  /// Keeps what a step emits.
  func setAside(_ delivery: Delivery, ofStep step: Int) throws(SinkError) {
    try access { database in
      try Aside.of(step: step, in: database).add(delivery.items, stream: delivery.stream, isNumbered: false)
    }
  }

  /// Ends a step: `write` writes what it has emitted.
  func end(
    step: Int, _ result: Bytes, _ write: (_ items: [Item], _ stream: String?) throws -> Void
  ) throws(SinkError) {
    try note()
    var hasItems = false
    try access { database in
      try Aside.of(step: step, in: database).forEach { items, stream, _ in
        hasItems = true
        try write(items, stream)
      }
    }
    endedSteps.append(EndedSteps.Ended(step: step, result: result, hasItems: hasItems))
    guard isAtPage else { return }
    endedSteps.count()
    try noteEndedSteps()
  }

  /// Notes the steps that are over, now that what they brought counts.
  private func noteEndedSteps() throws(SinkError) {
    let ended = endedSteps.takeCounting()
    guard !ended.isEmpty else { return }
    try access { database in
      for step in ended {
        if step.hasItems { try self.tables.noteItemsOfSteps(in: database) }
        try self.tables.end(step: step.step, step.result, in: database)
      }
    }
  }

  /// Has `write` write what a step has emitted that the run does not bring to its end. Like half a page it does not count: a run
  /// that goes on cuts it off, and does the step again.
  func leave(
    step: Int, _ write: (_ items: [Item], _ stream: String?) throws -> Void
  ) throws(SinkError) {
    hasLeftSteps = true
    try access { database in
      let aside = Aside.of(step: step, in: database)
      try aside.forEach { items, stream, _ in try write(items, stream) }
      try aside.clear()
    }
  }

  /// Notes what was written of a reading; says whether the moment counts.
  func add(_ delivery: Delivery) -> Bool {
    brought.add(delivery)
    guard let reading = delivery.reading, readings.contains(reading) else { return isAtPage }
    var step = Step(
      reading: reading, brought: delivery.broughtIDs(), count: delivery.itemCount, mark: delivery.mark,
      isNumbered: delivery.isNumbered)
    if var half = halves.removeValue(forKey: reading) {
      half.add(step)
      step = half
    }
    if step.mark == nil { halves[reading] = step } else { steps.append(step) }
    guard isAtPage else { return false }
    ready = steps.count
    endedSteps.count()
    return true
  }

  /// Whether no page is half written.
  var isAtPage: Bool { halves.isEmpty && !hasLeftSteps }

  /// Items whose ids are gathered before they are noted together.
  private static let mostGathered = 1 << 16

  /// Notes how far the readings had come at the last moment that counts.
  private func note() throws(SinkError) {
    try noteEndedSteps()
    guard ready > 0 else { return }
    let steps = self.steps.prefix(ready)
    self.steps.removeFirst(ready)
    ready = 0
    let last = Dictionary(steps.indices.map { (steps[$0].reading, $0) }) { max($0, $1) }
    try access { database in
      var count = 0
      for (place, step) in zip(steps.indices, steps) {
        self.tables.add(step.brought, step.count, to: step.reading)
        count += step.count
        // The next position of the same reading says all that this one does; but ids are not gathered without end for it.
        let isDue = last[step.reading] == place || count >= Self.mostGathered
        guard let mark = step.mark, mark.place.isEnd || isDue else { continue }
        count = 0
        try self.tables.mark(
          step.reading, mark, lastRow: nil, isNumbered: step.isNumbered, in: database
        ) { _ in }
      }
    }
  }

  /// Keeps the last moment that counts. The files have what belongs to it. A second form of a file is about to take its place.
  func commit(_ files: [(name: String, extent: Extent, digest: String)], isSecond: Bool = false)
    throws(SinkError)
  {
    try note()
    guard hasBegun || !files.isEmpty else { return }
    try access { database in
      for file in files {
        try database.cachedStatement(
          sql:
            "INSERT OR REPLACE INTO _lookahead_files (name, form, chain, length, layout, digest) VALUES (?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [
          file.name, isSecond ? 1 : 0, self.tables.chain, file.extent.fileLength,
          file.extent.storedLayout, file.digest,
        ])
        guard !isSecond else { continue }
        try database.cachedStatement(sql: "DELETE FROM _lookahead_files WHERE name = ? AND form = 1").execute(
          arguments: [file.name])
      }
      try self.tables.checkEpoch(in: database)
      try database.cachedStatement(sql: "COMMIT").execute()
      self.hasBegun = false
    }
  }

  /// Closes it. A run whose readings are all over leaves only what the next one needs; where it ended by itself, and streams have files
  /// of their own, only those go on that are not over. Returns those that nobody goes on with.
  func close(isOver: Bool, hasFailed: Bool, isFolder: Bool, _ returned: ReturnedStreams) throws(SinkError)
    -> [LeftReading]
  {
    var isNeeded = true
    var left: [LeftReading] = []
    try access { database in
      if isOver {
        left = try self.tables.left(by: returned, in: database)
        try self.tables.giveUp(left, in: database)
      }
      if try isOver && !self.tables.hasOpen(in: database) {
        try self.tables.end(isWhole: true, in: database)
        isNeeded = try self.tables.isAddedTo(nil, in: database)
      } else if try hasFailed && !self.tables.staysForNext(in: database) {
        try self.tables.end(isWhole: false, in: database)
      } else if isFolder, isOver || hasFailed {
        try self.tables.endThoseAlone(in: database)
      }
      guard isNeeded else { return }
      // All of it is on the disk.
      try self.tables.set(boot: "", in: database)
      try database.cachedStatement(sql: "COMMIT").execute()
      self.hasBegun = false
    }
    if isNeeded {
      do { try database.close() } catch {
        throw SinkError(error, database: path)
      }
    } else {
      // What is about to be forgotten need not come to the disk first.
      database.withConnection(csqlite_leave_log)
      giveUp()
      file.empty()
    }
    file.leave()
    return left
  }

  /// Closes it as it was when it was last committed.
  func giveUp() {
    if database.isInsideTransaction { try? database.execute(sql: "ROLLBACK") }
    try? database.close()
  }

  func asked<Answer>(_ question: (Database) throws -> Answer) throws(SinkError) -> Answer {
    var answer: Answer?
    try access { database in answer = try question(database) }
    guard let answer else { preconditionFailure("it was answered, or an error was thrown") }
    return answer
  }

  func access(_ body: (Database) throws -> Void) throws(SinkError) {
    do {
      if !hasBegun {
        try database.cachedStatement(sql: "BEGIN IMMEDIATE").execute()
        hasBegun = true
      }
      try body(database)
    } catch let error as SinkError {
      throw error
    } catch {
      throw SinkError(error, database: path)
    }
  }

  private static func open(_ path: String) throws -> Database {
    try Database(path: path, waiting: .seconds(5)) { database in
      // The log stays, empty: it could not be made again in the cage.
      var stays: Int32 = 1
      database.withConnection { _ = sqlite3_file_control($0, "main", SQLITE_FCNTL_PERSIST_WAL, &stays) }
      // One process at a time, which needs no memory shared by several. What is written is seldom read again in the run,
      // so half a megabyte of pages is enough.
      try database.execute(
        sql: """
          PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY;
          PRAGMA journal_size_limit = 0; PRAGMA cache_size = -512
          """
      )
    }
  }

  private static let schema = """
    CREATE TABLE IF NOT EXISTS _lookahead_files (
      name TEXT NOT NULL, form INTEGER NOT NULL, chain INTEGER NOT NULL, length INTEGER NOT NULL, layout TEXT, digest TEXT NOT NULL,
      PRIMARY KEY (name, form)) WITHOUT ROWID;
    """
}
