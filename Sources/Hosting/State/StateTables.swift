import CSQLite
import Items
import JSON
import Paging

/// What is remembered of an output, in tables of a database: readings with their positions, the ids that they have brought,
/// bookmarks. In the database of the items it is part of their transactions.
///
/// A run takes the next epoch. While an older run is not ended, what it read to its end is not read again. That of several processes
/// has no end of its own: a run of one process, or of another name, comes after it. Used on one thread.
final class StateTables {
  /// A reading of this run.
  private struct Reading {
    var items: Int
    var parts: Int
    /// Whether it was asked for some stretch of its source, and where that begins.
    var isBounded = false
    var since: Bytes?
    /// How the next reading follows it.
    var write = WriteMode.merge
    var isIncremental = false
    var bookmarkField: String?
    /// Since the last mark.
    var brought = BroughtIDs()
    var newItems = 0

    /// Whether the next reading comes behind it, now that it is over.
    func comesBefore(hasBookmark: Bool) -> Bool { write == .append || isIncremental && hasBookmark }
  }

  /// How a run has left its output.
  private enum Left: Int { case ended, open, failed, shared }

  private let options: StateOptions
  /// Whether the output is a text, of which no line is replaced.
  private let isText: Bool
  private var readings: [Int: Reading] = [:]
  private var epoch = 0
  /// Runs that go on with each other have the same.
  private(set) var chain = 0
  /// The same for runs that do the steps of one workflow, also where one of them failed.
  private(set) var workflow = 0
  /// Whether the run before did not come to its end.
  private(set) var goesOn = false

  /// Creates the tables where there are none; fails if they are of a later version, or damaged.
  init(_ options: StateOptions, isText: Bool = false, in database: Database) throws {
    (self.options, self.isText) = (options, isText)
    try StateTables.create(in: database)
    let format = try number("format", in: database)
    guard format == 0 || StateTables.readable.contains(format) || options.isFresh else {
      let way = format > StateTables.format ? "use a newer lookahead, or --no-state" : "--fresh begins anew"
      throw HostFailure(
        .invalid, "its state has format \(format), and this version knows \(StateTables.format): \(way)")
    }
    try begin(in: database)
  }

  /// Creates the tables where there are none.
  static func create(in database: Database) throws {
    try database.execute(sql: StateTables.schema + ReadingIDs.schema + Aside.schema + StateTables.claims)
  }

  /// Takes the next epoch, and goes on with the run before unless it came to its end.
  private func begin(in database: Database) throws {
    epoch = try number("epoch", in: database) + 1
    guard let left = Left(rawValue: try number("isOpen", in: database)) else {
      throw HostFailure.damaged("isOpen")
    }
    let isSame = try options.run.map { try hasSame("run", $0, in: database) } ?? true
    if options.isShared, isSame, left == .open || left == .shared { return try join(in: database) }
    goesOn = left == .open && !options.isFresh && isSame
    chain = try number("chain", in: database) + (goesOn ? 0 : 1)
    workflow = try number("workflow", in: database) + (left == .ended || options.isFresh ? 1 : 0)
    let unended = left == .ended || options.isFresh ? chain : try number("unended", in: database)
    for (name, value) in [
      ("unended", unended), ("format", StateTables.format), ("epoch", epoch), ("chain", chain),
      ("workflow", workflow), ("isOpen", (options.isShared ? Left.shared : Left.open).rawValue),
    ] {
      try set(name, value, in: database)
    }
  }

  /// Takes part in a run that others have begun.
  private func join(in database: Database) throws {
    epoch -= 1
    goesOn = true
    chain = try number("chain", in: database)
    workflow = try number("workflow", in: database)
  }

  /// A number of the state; zero before it was ever set.
  private func number(_ name: String, in database: Database) throws -> Int {
    let row = try database.row(sql: StateTables.value, arguments: [name])
    do throws(HostFailure) {
      return try row.map { row throws(HostFailure) in try StoredFields(row).count("value") } ?? 0
    } catch {
      // What is begun anew needs none of what was.
      if options.isFresh { return 0 }
      throw HostFailure.damaged(name)
    }
  }

  private func set(_ name: String, _ value: Int, in database: Database) throws {
    try database.execute(
      sql: "INSERT OR REPLACE INTO _lookahead_state (name, value) VALUES (?, ?)", arguments: [name, value])
  }

  /// Fails if another run has taken the output since: this one was thought dead.
  func checkEpoch(in database: Database) throws {
    let newest = try number("epoch", in: database)
    guard newest == epoch else {
      throw HostFailure(
        .io,
        "another run has taken it over (number \(newest), and this is \(epoch)): nothing more is written")
    }
  }

  /// Whether the run before was given the same, by the name of what it is. Notes that of this one.
  func hasSame(_ name: String, _ text: String, in database: Database) throws -> Bool {
    let before = try database.row(sql: StateTables.value, arguments: [name])?.text
    try database.execute(
      sql: "INSERT OR REPLACE INTO _lookahead_state (name, value) VALUES (?, ?)", arguments: [name, text])
    return before == text
  }

  /// Whether the last run was not ended in order, and the machine was started anew since. Notes that this one is under way.
  func wasCut(in database: Database, now boot: String) throws -> Bool {
    let before = try database.row(sql: StateTables.value, arguments: ["boot"])?.text ?? ""
    try set(boot: boot, in: database)
    return !before.isEmpty && before != boot
  }

  /// The start of the machine under which a run is under way; empty once it has ended in order.
  func set(boot: String, in database: Database) throws {
    try database.execute(
      sql: "INSERT OR REPLACE INTO _lookahead_state (name, value) VALUES ('boot', ?)", arguments: [boot])
  }

  /// The part of a stream that was read first: rows that do not say it are its own.
  static func firstPart(of stream: String, in database: Database) throws -> Int {
    try database.row(
      sql: "SELECT min(id) FROM _lookahead_readings WHERE stream = ?", arguments: [stream])?.integer() ?? 0
  }

  /// What the run before wrote is not there: nothing goes on.
  func startOver(in database: Database) throws {
    goesOn = false
    chain += 1
    try set("chain", chain, in: database)
    try database.execute(
      sql: """
        UPDATE _lookahead_readings SET state = 'given up', position = NULL WHERE state = 'open';
        DELETE FROM _lookahead_ids;
        """)
  }

  /// Whether a reading has come to some page and not to its end.
  func hasOpen(in database: Database) throws -> Bool {
    let open = "SELECT 1 FROM _lookahead_readings WHERE state = 'open' AND position IS NOT NULL LIMIT 1"
    return try database.row(sql: open) != nil
  }

  /// Whether later readings come behind what is there of the stream, or of any.
  func isAddedTo(_ stream: String?, in database: Database) throws -> Bool {
    try database.row(
      sql: "SELECT 1 FROM _lookahead_readings WHERE isAddedTo AND (?1 IS NULL OR stream = ?1) LIMIT 1",
      arguments: [stream]) != nil
  }

  /// The run has come to an end by itself: the next one reads everything anew that was read to its end. After a failure it
  /// goes on with the steps.
  func end(isWhole: Bool, in database: Database) throws {
    try set("isOpen", (isWhole ? Left.ended : .failed).rawValue, in: database)
  }
}

/// Readings.
extension StateTables {
  /// Begins a reading, or goes on with it. `hasRows` says whether the stream's table has rows.
  func begin(
    _ request: ReadingRequest, stream: String, hasRows: Bool, in database: Database
  ) throws -> Beginning {
    let write =
      options.write ?? request.write ?? (options.isRefreshing && !request.isIncremental ? .mirror : .merge)
    if write == .append, options.isRefreshing, !request.isIncremental { throw StateTables.noHistory }
    var (stored, isNew) = try stored(request, stream: stream, hasRows: hasRows, in: database)
    var begun = try stored.begun(for: request, in: database)
    if keepsBoundary(write), !request.isBounded, stored.leavesBoundary, !begun.isBookmarkChanged {
      begun.boundary = try ReadingBoundary(of: begun.id).known(.left, in: database)
    }
    func beginning(_ begun: BegunReading, isFirst: Bool, lastRow: Int64?) throws -> Beginning {
      readings[begun.id] = Reading(
        items: begun.items, parts: begun.position == nil ? 0 : stored.parts,
        isBounded: request.isBounded, since: request.since, write: write,
        isIncremental: request.isIncremental, bookmarkField: request.bookmarkField)
      let other = try database.row(
        sql: "SELECT 1 FROM _lookahead_readings WHERE stream = ? AND partition <> ? LIMIT 1",
        arguments: [stream, request.partition])
      return Beginning(
        begun: begun, stream: stream, write: write, isFirst: isFirst, isIncremental: request.isIncremental,
        wasAsked: options.write != nil, isRefreshing: options.isRefreshing, isOneOfSeveral: other != nil,
        lastRow: lastRow, isNumbered: begun.position != nil && stored.isNumbered)
    }
    let isComplete =
      stored.state == .complete && stored.chain == chain && stored.declaration == request.declaration
    if request.isAnew { readings[begun.id] = nil }
    // A run reads no part of a source twice at the same time, nor again when it goes on.
    if readings[begun.id] != nil || isComplete && !options.isRefreshing {
      (begun.isDone, begun.items, begun.pages) = (true, stored.items, stored.pages)
      return try beginning(begun, isFirst: stored.isFirst, lastRow: nil)
    }
    // A source that is read again and again is compared with what was read before, so it begins anew.
    if stored.state == .open, !options.isRefreshing, !request.isAnew, let position = stored.position {
      try check(stored, request, position)
      (begun.position, begun.newBookmark) = (position, stored.newBookmark)
      (begun.items, begun.pages) = (stored.items, stored.pages)
      begun.known = try ids(of: begun.id).known(in: database)
      begun.newBoundary = try ReadingBoundary(of: begun.id).known(.new, in: database)
      begun.changedParts = ReadingParts(text: request.parts).changes(since: ReadingParts(text: stored.script))
      return try beginning(begun, isFirst: stored.isFirst, lastRow: stored.lastRow)
    }
    // An open reading without a page begins again, under the same number.
    let isAgain = stored.state == .open && !options.isRefreshing
    let isFirst = isAgain ? stored.isFirst : !hasRows
    if isNew, isAgain, !request.isAnew {
      var result = try beginning(begun, isFirst: isFirst, lastRow: nil)
      result.isAgain = true
      return result
    }
    if !isAgain { begun.number += 1 }
    if write == .merge, stored.isNumbered, !isFirst { throw StateTables.refusal(stream) }
    let outdated = request.isAnew ? try ids(of: begun.id).known(in: database) : nil
    try ReadingBoundary(of: begun.id).forget(.new, in: database)
    if begun.boundary.isEmpty { try ReadingBoundary(of: begun.id).forget(.left, in: database) }
    try ids(of: begun.id).clear(in: database)
    try database.cachedStatement(
      sql: """
        UPDATE _lookahead_readings SET number = ?, state = 'open', chain = ?, position = NULL, items = 0, \
        parts = 0, newBookmark = NULL, declaration = ?, script = ?, isFirst = ? WHERE id = ?
        """
    ).execute(
      arguments: [begun.number, chain, request.declaration, request.parts, isFirst, begun.id])
    var result = try beginning(begun, isFirst: isFirst, lastRow: nil)
    (result.isAgain, result.outdated) = (isAgain, outdated)
    result.hasItems = !isAgain && stored.hasItems
    result.isRest = stored.state == .givenUp && stored.chain == chain && stored.items > 0 && write != .append
    return result
  }

  /// What is known of the reading that is to begin; a new row where nothing is.
  private func stored(
    _ request: ReadingRequest, stream: String, hasRows: Bool, in database: Database
  ) throws -> (StoredReading, isNew: Bool) {
    func row() throws -> Row? {
      try database.row(
        sql: "SELECT * FROM _lookahead_readings WHERE stream = ? AND partition = ?",
        arguments: [stream, request.partition])
    }
    guard let known = try row() else {
      return (try insert(request, stream, hasRows: hasRows, in: database), true)
    }
    // What this run has begun is fresh already.
    guard options.isFresh, (try? StoredReading(known))?.chain != chain else {
      return (try StoredReading(known), false)
    }
    _ = try StoredReading.forget(
      where: "stream = ? AND partition = ?", [stream, request.partition], in: database)
    guard let forgotten = try row() else { throw HostFailure.damaged("readings") }
    return (try StoredReading(forgotten), false)
  }

  /// A row for a reading that is to begin. Rows of other parts of the source are none before it.
  private func insert(
    _ request: ReadingRequest, _ stream: String, hasRows: Bool, in database: Database
  ) throws -> StoredReading {
    let other = try database.row(
      sql: "SELECT 1 FROM _lookahead_readings WHERE stream = ? LIMIT 1", arguments: [stream])
    let isFirst = !hasRows || other != nil
    try database.cachedStatement(
      sql: """
        INSERT INTO _lookahead_readings (stream, partition, number, state, chain, items, parts, declaration, \
        script, isFirst, isNumbered) VALUES (?, ?, 1, 'open', ?, 0, 0, ?, ?, ?, 0)
        """
    ).execute(
      arguments: [stream, request.partition, chain, request.declaration, request.parts, isFirst])
    return StoredReading(
      newAs: Int(database.lastInsertedRowID), of: request, stream: stream, chain: chain, isFirst: isFirst)
  }

  /// An open reading goes on with the same declaration only, as other keys or sizes mean other pages, and not with another script.
  private func check(_ stored: StoredReading, _ request: ReadingRequest, _ position: Position) throws {
    let began = ReadingParts(text: stored.script)
    let isOther = ReadingParts(text: request.parts).isOther(than: began)
    guard isOther || stored.declaration != request.declaration else { return }
    let reason =
      isOther
      ? "it was begun by another script (\(began.scriptNames.joined(separator: ", ").escapingControls))"
      : "it was declared as \(stored.declaration.escapingControls) and is now \(request.declaration.escapingControls)"
    throw HostFailure(
      .invalid,
      "source '\(request.source.escapingControls)' can't go on where it stopped (page \((position.pages + 1).grouped), "
        + "\(stored.items.grouped) items are there): \(reason); --fresh begins anew")
  }

  /// Whether this run has begun the reading, and it is not over.
  func isBegun(_ reading: Int) -> Bool { readings[reading] != nil }

  /// A reading is left as it was last kept.
  func leave(_ reading: Int) { readings[reading] = nil }

  private func ids(of reading: Int) -> ReadingIDs { ReadingIDs(reading: reading) }

  /// Whether what came with the bookmark must not be written again; where it takes the place of itself, that does no harm.
  private func keepsBoundary(_ write: WriteMode) -> Bool {
    (isText && write == .merge || write == .append) && !options.isRefreshing
  }

  /// Notes so many items, whose ids these are, for a reading.
  func add(_ brought: BroughtIDs, _ count: Int, to reading: Int) {
    readings[reading]?.brought.append(brought)
    readings[reading]?.newItems += count
  }

  /// Notes how far a reading has come, with what was added for it; `complete` does what is left at its end.
  func mark(
    _ reading: Int, _ mark: ReadingMark, lastRow: Int64?, isNumbered: Bool, in database: Database,
    complete: (_ known: () throws -> KnownIDs) throws -> Void
  ) throws {
    guard var known = readings[reading] else { return }
    known.items += known.newItems
    known.newItems = 0
    if !known.brought.isEmpty {
      try ids(of: reading).add(known.brought, part: known.parts, in: database)
      known.parts += 1
      known.brought = BroughtIDs()
    }
    readings[reading] = known
    let keeps = keepsBoundary(known.write) && !known.isBounded && mark.place != .end(isComplete: false)
    if keeps, let boundary = mark.boundary {
      try ReadingBoundary(of: reading).keep(boundary, isOver: mark.place.isEnd, in: database)
    }
    let bookmark = try mark.bookmark.flatMap { new -> String? in
      // What was asked for beside the usual takes no bookmark back, nor past what nobody has read.
      guard known.isBounded, case .end = mark.place else { return new.string }
      let row = try database.row(
        sql: "SELECT bookmark FROM _lookahead_readings WHERE id = ?", arguments: [reading])
      let old = try row.flatMap { try StoredFields($0).jsonIfAny("bookmark") }
      guard let old else { return known.since == nil ? new.string : nil }
      // Where nobody can tell which of them is later, what lies between may not have been read.
      let isBeyond = known.since.map { $0 != old && !old.isLater(than: $0) } ?? false
      return (old.isLater(than: new) || isBeyond ? old : new).string
    }
    switch mark.place {
    case .position(let position):
      try database.cachedStatement(
        sql: """
          UPDATE _lookahead_readings SET position = ?, items = ?, parts = ?, newBookmark = ?, lastRow = ?, \
          isNumbered = ?, state = 'open' WHERE id = ?
          """
      ).execute(
        arguments: [position.text, known.items, known.parts, bookmark, lastRow, isNumbered, reading])
    case .end(let isComplete):
      try complete { try ids(of: reading).known(in: database) }
      // What a refresh has read the next run reads again, whenever this one is stopped.
      let chain = options.isRefreshing && !isText ? 0 : chain
      try database.cachedStatement(
        sql: """
          UPDATE _lookahead_readings SET position = NULL, items = ?, parts = ?, newBookmark = NULL, lastRow = NULL, \
          isNumbered = ?, bookmark = coalesce(?, bookmark), state = ?, chain = ?, isAddedTo = isAddedTo OR ? WHERE id = ?
          """
      ).execute(
        arguments: [
          known.items, mark.pages, isNumbered, isComplete ? bookmark : nil,
          isComplete ? "complete" : "given up", chain,
          known.comesBefore(hasBookmark: isComplete && mark.bookmark != nil), reading,
        ])
      if isComplete { try BookmarkField(of: reading).note(known.bookmarkField, of: bookmark, in: database) }
      try ids(of: reading).clear(in: database)
      if !options.isRefreshing { readings[reading] = nil }
    }
  }

  private static let format = 3
  /// Formats with which a run goes on.
  private static let readable = 2...format
  private static let value = "SELECT value FROM _lookahead_state WHERE name = ?"
  private static let schema = """
    CREATE TABLE IF NOT EXISTS _lookahead_state (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS _lookahead_readings (
      id INTEGER PRIMARY KEY, stream TEXT NOT NULL, partition TEXT NOT NULL, number INTEGER NOT NULL,
      state TEXT NOT NULL, chain INTEGER NOT NULL, position TEXT, items INTEGER NOT NULL, parts INTEGER NOT NULL,
      bookmark TEXT, newBookmark TEXT, declaration TEXT NOT NULL, script TEXT NOT NULL, isFirst INTEGER NOT NULL,
      lastRow INTEGER, isNumbered INTEGER NOT NULL, isAddedTo INTEGER NOT NULL DEFAULT 0,
      UNIQUE (stream, partition));
    CREATE TABLE IF NOT EXISTS _lookahead_steps (
      id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, workflow INTEGER NOT NULL, result TEXT);
    """
}
