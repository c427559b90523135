import Glibc
import Paging

/// A DuckDB file of its own.
final class DuckDBLink: DestinationLink {
  let dialect: any Dialect = DuckDBDialect()
  let connection: ADBCConnection
  let schema = "main"
  let canBreak = false
  let transactionSize = 64 << 20
  /// Nobody else sees the file meanwhile.
  let longestWait = Duration.seconds(3)
  let groupSize = 122_880
  /// Each is a statement, which takes as long as a thousand rows.
  let portion = 8192
  let reach = ServerReach()
  private let shown: String
  private let file: String
  /// Whether there was no file.
  private let isMade: Bool
  private(set) var unmovedLog: String?
  /// Megabytes that the database may hold.
  private var memory: Int

  /// Opens a file, which is made where it is missing; `shown` is its name in messages.
  init(_ file: String, shown: String, _ driver: ADBCDriver) throws(SinkError) {
    self.shown = shown
    self.file = file
    do {
      isMade = try DuckDBMaking.complete(file, driver) || access(file, F_OK) != 0
      connection = try ADBCConnection(
        ADBCDatabase(driver, options: [("path", file), ("autoload_known_extensions", "false")]))
      DuckDBLink.removeSpills(beside: file)
      for setting in dialect.settings { try connection.execute(setting) }
      // Nobody knows how long the rows are that a file has already.
      memory = DuckDBLink.memory(forColumns: 0, merging: !isMade)
      try limitMemory()
    } catch {
      throw DuckDBLink.explain(error, shown)
    }
  }

  /// Removes what a run that was killed had put beside the file, which is open now, and nobody else's: DuckDB does so only where
  /// this one needs to put something there, too.
  private static func removeSpills(beside file: String) {
    guard let folder = try? FileDescriptor.open(file + ".tmp", O_RDONLY | O_DIRECTORY),
      let names = try? folder.names(upTo: 1 << 20)
    else { return }
    for name in names where name.starts(with: "duckdb_temp_".utf8) { folder.remove(name) }
  }

  /// A column of rows that are written takes some blocks of a quarter of a megabyte, whatever is in it: a fixed limit would
  /// be too low for wide tables, and hold too much for others. Rows that are changed are held whole, with what they were, and so are
  /// long ones until a transaction ends.
  private static func memory(forColumns count: Int, merging: Bool) -> Int {
    max(10 + 2 * count, merging ? 512 : 48)
  }

  func makeRoom(forColumns count: Int, merging: Bool) throws {
    try makeRoom(DuckDBLink.memory(forColumns: count, merging: merging))
  }

  /// Lets the database hold so many megabytes at least.
  func makeRoom(_ wanted: Int) throws {
    guard wanted > memory else { return }
    memory = wanted
    try limitMemory()
  }

  private func limitMemory() throws { try connection.execute("SET memory_limit = '\(memory)MB'") }

  func reconnect() throws { preconditionFailure("a file does not go away") }

  func close(_ ending: StoreEnding, isUnwritten: Bool) throws {
    defer { connection.close() }
    if isUnwritten, isMade, ending != .whole { return _ = unlink(file) }
    guard ending != .broken else { return }
    do { try connection.execute("CHECKPOINT") } catch { unmovedLog = file + ".wal" }
  }

  func explain(_ error: any Error) -> SinkError { DuckDBLink.explain(error, shown) }

  func lost(_ error: ADBCError) -> HostFailure { HostFailure(.io, error.line) }

  private static func explain(_ error: any Error, _ shown: String) -> SinkError {
    if let error = error as? SinkError { return error }
    var failure: HostFailure
    switch error {
    case let known as HostFailure: failure = known
    case let known as ADBCError where known.message.contains("Could not set lock"):
      let holder = known.message.firstMatch(of: /PID ([0-9]+)/).map { " (process \($0.1))" } ?? ""
      failure = HostFailure(.io, "another run, or a reader, has it open\(holder)")
    case let known as ADBCError: failure = HostFailure(.database, known.line)
    default: failure = HostFailure(.database, "\(error)")
    }
    failure.message = "\(shown.escapingControls): \(failure.message)"
    return SinkError(failure)
  }
}
