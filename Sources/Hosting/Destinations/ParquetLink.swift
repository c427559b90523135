import Glibc
import Paging

/// Parquet files, a file a stream, which are there, whole, at the end of a run: until then the rows are in a DuckDB file beside
/// them, with what is remembered, from which a run that was stopped goes on; or in a log, as long as they only become more.
final class ParquetLink: DestinationLink {
  let dialect: any Dialect = DuckDBDialect()
  let schema = "main"
  let canBreak = false
  let transactionSize = 64 << 20
  let longestWait = Duration.seconds(3)
  let reach = ServerReach()
  private let stage: DuckDBLink
  private let place: ParquetPlace
  private let ahead: RowsAhead
  /// Keeps other runs away from the stage; it is closed after DuckDB, whose own lock that would take away.
  private var lock: FileDescriptor?

  var connection: ADBCConnection { stage.connection }

  /// Opens what an earlier run has left, unless this one is to begin anew; fails if another run is at work with it.
  init(_ place: ParquetPlace, isFresh: Bool, _ driver: ADBCDriver) throws(SinkError) {
    self.place = place
    let lock = try place.lockStage(isFresh: isFresh)
    self.lock = lock
    do throws(SinkError) {
      stage = try DuckDBLink(place.stage, shown: place.shown, driver)
    } catch {
      if ParquetPlace.isEmpty(lock) { place.removeStage() }
      throw error
    }
    do {
      // What is there for a while only is not worth packing.
      try stage.connection.execute("SET force_compression = 'uncompressed'")
      ahead = try RowsAhead(stage, place, driver)
    } catch {
      throw stage.explain(error)
    }
  }

  func makeRoom(forColumns count: Int, merging: Bool) throws {
    try stage.makeRoom(forColumns: count, merging: merging)
  }

  func take(_ rows: BuiltRows, of table: String) throws -> Bool { try ahead.take(rows, of: table) }

  func keepsRows(of table: String) -> Bool { ahead.keepsRows(of: table) }

  func restore(_ table: String) throws { try ahead.restore(table) }

  func commit() throws {
    try ahead.prepare()
    try stage.commit()
    ahead.hasCommitted()
  }

  func rollBack() throws {
    ahead.rollBack()
    try stage.rollBack()
  }

  func reconnect() throws { preconditionFailure("a file does not go away") }

  func close(_ ending: StoreEnding, isUnwritten: Bool) throws {
    defer { lock = nil }
    defer { ahead.close() }
    guard ending == .whole else { return try stage.close(ending, isUnwritten: isUnwritten) }
    defer { connection.close() }
    try write(isUnwritten: isUnwritten)
    // It is removed: nobody has to tidy it up.
    try connection.execute("PRAGMA disable_checkpoint_on_shutdown")
    connection.close()
    // Whatever of it is left where this process is killed now, the next run begins anew.
    try? lock?.empty()
    place.removeStage()
  }

  /// Writes a file for each table and puts it in place of the old one.
  private func write(isUnwritten: Bool) throws {
    var tables: [(name: String, hidden: [String])] = []
    if !isUnwritten {
      try connection.forEachRow(
        "SELECT \"name\", \"columns\" FROM \(StateMirror.tables.asIdentifier) ORDER BY \"name\""
      ) { row in
        tables.append((row.text(0) ?? "", TableSchema.hidden(row.text(1) ?? "").map(\.asIdentifier)))
      }
    }
    for table in tables {
      let file = place.file(of: table.name)
      if try ahead.finish(table.name) {
        try complete(file)
        continue
      }
      try restoreAll(of: table.name)
      let columns = table.hidden.isEmpty ? "*" : "* EXCLUDE (\(table.hidden.joined(separator: ", ")))"
      try copy("SELECT \(columns) FROM main.\(table.name.asIdentifier)", to: file)
    }
    for file in try emptyFiles(besides: tables.map(\.name), isUnwritten: isUnwritten) {
      // A file needs a column.
      try copy("SELECT 1 AS _id WHERE false", to: file)
    }
  }

  /// The files without rows: those of streams that were read and have no table, or the only one.
  private func emptyFiles(besides tables: [String], isUnwritten: Bool) throws -> [String] {
    guard place.isFolder else { return tables.isEmpty ? [place.file(of: "")] : [] }
    guard !isUnwritten else { return [] }
    var streams: [String] = []
    try connection.forEachRow(
      "SELECT DISTINCT \"stream\" FROM \"_lookahead_readings\" WHERE \"state\" <> 'forgotten' ORDER BY \"stream\""
    ) { streams.append($0.text(0) ?? "") }
    return streams.filter { !tables.contains($0) }.map(place.file)
  }

  private func restoreAll(of table: String) throws {
    try begin()
    try restore(table)
    try commit()
  }

  private func copy(_ query: String, to file: String) throws {
    let partial = file + ".partial"
    let statement = """
      COPY (\(query)) TO \(partial.asLiteral) (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 61440)
      """
    // A group of rows is held whole: of long texts it may be more than is thought of.
    var rooms = [512, 2048, 8192]
    while let failure = failure(of: statement) {
      guard failure.message.contains("Out of Memory"), !rooms.isEmpty else { throw failure }
      try stage.makeRoom(rooms.removeFirst())
    }
    try complete(file)
  }

  /// Puts a file that is written in place of the old one.
  private func complete(_ file: String) throws {
    let partial = file + ".partial"
    let descriptor = try FileDescriptor.open(partial, O_RDONLY)
    try descriptor.synchronize()
    try WholeFile.rename(partial, to: file)
  }

  private func failure(of statement: String) -> ADBCError? {
    do throws(ADBCError) {
      try connection.execute(statement)
      return nil
    } catch { return error }
  }

  func explain(_ error: any Error) -> SinkError { stage.explain(error) }

  func lost(_ error: ADBCError) -> HostFailure { stage.lost(error) }
}

/// Where Parquet files are to be.
struct ParquetPlace {
  /// The file, or the folder, absolute.
  let target: String
  let isFolder: Bool
  /// As the user gave it.
  let shown: String

  /// The DuckDB file with the rows of a run that has not ended.
  var stage: String { isFolder ? "\(target)/.lookahead-rows.partial" : "\(target).rows.partial" }

  func file(of stream: String) -> String { isFolder ? "\(target)/\(stream).parquet" : target }

  /// The rows of such a run that are in no table of it.
  var log: String { "\(stage).log" }

  /// Locks the stage, which is made where it is missing, and is a new one if that is to be.
  func lockStage(isFresh: Bool) throws(SinkError) -> FileDescriptor {
    var lock = try openStage()
    while isFresh, !ParquetPlace.isEmpty(lock) {
      // Nobody is at work with it. Whoever reads it keeps what is there.
      removeStage()
      lock = try openStage()
    }
    // It has none of what lies beside it.
    if ParquetPlace.isEmpty(lock) { removeLogs() }
    return lock
  }

  private func openStage() throws(SinkError) -> FileDescriptor {
    guard let file = try OutputLock.open(stage, O_RDWR | O_CREAT | O_NOFOLLOW, shown: shown) else {
      throw SinkError(SystemError(number: ENOENT), path: shown)
    }
    return file
  }

  static func isEmpty(_ file: FileDescriptor) -> Bool { (try? file.status())?.st_size == 0 }

  /// Removes the stage, which is locked, behind what lies beside it: once it is gone, another run makes one of its own.
  func removeStage() {
    removeLogs()
    unlink(stage)
  }

  private func removeLogs() { for path in [stage + ".wal", log] { unlink(path) } }
}
