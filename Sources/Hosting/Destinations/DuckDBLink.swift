import Glibc
import Paging

/// A DuckDB file of its own.
final class DuckDBLink: DestinationLink {
  let dialect: any Dialect = DuckDBDialect()
  let connection: ADBCConnection
  let schema = "main"
  let canBreak = false
  let transactionSize = 64 << 20
  let reach = ServerReach()
  private let shown: String
  private let file: String
  /// Whether there was no file.
  private let isMade: Bool

  /// Opens a file, which is made where it is missing; `shown` is its name in messages.
  init(_ file: String, shown: String, _ driver: ADBCDriver) throws(SinkError) {
    self.shown = shown
    self.file = file
    isMade = access(file, F_OK) != 0
    do {
      connection = try ADBCConnection(
        ADBCDatabase(driver, options: [("path", file), ("autoload_known_extensions", "false")]))
      for setting in dialect.settings { try connection.execute(setting) }
    } catch {
      throw DuckDBLink.explain(error, shown)
    }
  }

  func reconnect() throws { preconditionFailure("a file does not go away") }

  func close(_ ending: StoreEnding, isUnwritten: Bool) throws {
    if isUnwritten, isMade, ending != .whole { return _ = unlink(file) }
    if ending != .broken { try connection.execute("CHECKPOINT") }
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
