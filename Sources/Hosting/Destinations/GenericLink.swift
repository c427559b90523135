import CADBC
import Glibc
import Paging

/// A database behind any driver that ingests rows, and that takes back all of a transaction, its tables too.
///
/// What it lacks of that is found before anything is fetched, and named; nothing is written without it.
final class GenericLink: DestinationLink {
  let dialect: any Dialect
  private let driver: ADBCDriver
  private var opened: Opened?

  private struct Opened {
    let connection: ADBCConnection
    /// Looks for tables: some drivers end the transaction of the other one where there is none.
    let lookout: ADBCConnection
  }

  /// Tables that the open transaction has made.
  private var made: Set<String> = []
  let schema = ""
  let canBreak = false
  let transactionSize = 8 << 20
  let reach: ServerReach
  private(set) var hasTemporaryTables = true
  private let address: DriverAddress

  /// Connects; what is a file is opened later, in the cage, since before it no threads may be started.
  init(_ address: DriverAddress) throws(SinkError) {
    self.address = address
    dialect = GenericDialect(name: address.shown)
    let folders = address.options.compactMap { GenericLink.folder($0.value) }
    reach = ServerReach(folders: folders, isAnywhere: folders.isEmpty)
    do {
      driver = try GenericLink.driver(address)
      if folders.isEmpty { opened = try GenericLink.open(address, driver) }
    } catch {
      throw GenericLink.explain(error, address)
    }
  }

  private static func open(_ address: DriverAddress, _ driver: ADBCDriver) throws -> Opened {
    let options = address.options.map { (name: $0.name, value: $0.value) }
    let database = try ADBCDatabase(driver, options: options)
    return Opened(connection: try ADBCConnection(database), lookout: try ADBCConnection(database))
  }

  var connection: ADBCConnection {
    guard let opened else { preconditionFailure("it is not prepared") }
    return opened.connection
  }

  /// Fails with the name of what the driver lacks.
  func prepare() throws {
    let opened = try opened ?? GenericLink.open(address, driver)
    self.opened = opened
    hasTemporaryTables = try GenericLink.prove(opened.connection)
  }

  private static func driver(_ address: DriverAddress) throws -> ADBCDriver {
    guard address.isPath else { return try LoadedDrivers.shared.driver(named: address.driver) }
    guard let path = ResolvedPath(address.driver)?.path else { throw SystemError(number: EINVAL) }
    return try ADBCDriver(path: path)
  }

  /// The folder of a file that an option names; nil for anything else.
  private static func folder(_ value: String) -> String? {
    var path = value.hasPrefix("file:") ? String(value.dropFirst(5).prefix { $0 != "?" }) : value
    if path.hasPrefix("//") { path = String(path.dropFirst(2)) }
    guard !path.isEmpty, path != ":memory:", !path.contains("://"), path.contains(".") || path.contains("/"),
      let resolved = ResolvedPath(path)?.path
    else { return nil }
    let folder = CagePath.folder(of: resolved)
    return access(folder, W_OK) == 0 ? folder : nil
  }

  private struct Lack: Error { let what: String }

  /// Tries all that is needed in a transaction that is taken back; answers whether tables can be the connection's own.
  private static func prove(_ connection: ADBCConnection) throws -> Bool {
    func needing<Result>(_ what: String, _ body: () throws -> Result) throws -> Result {
      do {
        return try body()
      } catch let error as ADBCError {
        _ = try? connection.rollback()
        throw Lack(what: "\(what) (\(error.line))")
      }
    }
    func ingest(_ table: String, isTemporary: Bool) throws {
      let column = ColumnBuilder("n", .integer)
      column.append(7)
      try BuiltRows([column], count: 1).copy(
        over: connection, into: ADBCTarget(table: table, mode: .create, isTemporary: isTemporary))
    }
    func count(_ table: String) throws -> Int64? {
      try connection.first("SELECT count(\"n\") FROM \(table.asIdentifier)") { $0.integer(0) } ?? nil
    }
    try needing("transactions (adbc.connection.autocommit)") { try connection.setAutocommit(false) }
    try needing("bulk ingestion (adbc.ingest.mode.create)") { try ingest(probe, isTemporary: false) }
    let found = try needing("SQL with names in double quotes") { try count(probe) }
    guard found == 1 else {
      throw Lack(what: "bulk ingestion (adbc.ingest.mode.create): the row is not there")
    }
    try needing("transactions that are taken back (rollback)") { try connection.rollback() }
    guard (try? count(probe)) == nil else {
      _ = try? connection.execute("DROP TABLE \(probe.asIdentifier)")
      _ = try? connection.commit()
      throw Lack(what: "transactions that take back the tables made in them")
    }
    try connection.rollback()
    var isTemporary = false
    do {
      try ingest(own, isTemporary: true)
      isTemporary = try count(own) == 1
    } catch is ADBCError {}
    try connection.rollback()
    return isTemporary
  }

  private static let probe = "_lookahead_probe"
  private static let own = "_lookahead_own"

  func columns(of table: String) throws -> [(name: String, type: String)] {
    if !made.contains(table) {
      do {
        _ = try opened?.lookout.schema(of: table)
      } catch {
        guard error.isMissing else { throw error }
        return []
      }
    }
    return GenericLink.columns(try connection.schema(of: table))
  }

  func makeRoom(forColumns count: Int, merging: Bool) {}

  func hasMade(table: String) { made.insert(table) }

  private static func columns(_ fields: ArrowFields) -> [(name: String, type: String)] {
    withExtendedLifetime(fields) {
      (0..<Int(fields.schema.n_children)).map { place in
        let field = fields.schema.children[place]?.pointee
        let name = field?.name.map { String(cString: $0) }
        return (name: name ?? "", type: field?.format.map { String(cString: $0) } ?? "")
      }
    }
  }

  /// The transaction is there already; whoever changes the state's rows first has it alone.
  func begin() throws {
    try rollBack()
    guard try !columns(of: "_lookahead_state").isEmpty else { return }
    try connection.execute("UPDATE \"_lookahead_state\" SET \"value\" = \"value\" WHERE \"name\" = 'epoch'")
  }

  func commit() throws {
    try connection.commit()
    made = []
  }

  func rollBack() throws {
    made = []
    try connection.rollback()
  }

  func reconnect() throws { preconditionFailure("what broke is not connected to again") }

  func close(_ ending: StoreEnding, isUnwritten: Bool) throws { try opened?.connection.rollback() }

  func explain(_ error: any Error) -> SinkError { GenericLink.explain(error, address) }

  func lost(_ error: ADBCError) -> HostFailure { HostFailure(.io, error.line) }

  private static func explain(_ error: any Error, _ address: DriverAddress) -> SinkError {
    if let error = error as? SinkError { return error }
    var failure: HostFailure
    switch error {
    case let known as HostFailure: failure = known
    case let known as ADBCError: failure = HostFailure(.database, known.line)
    case let known as SystemError: failure = HostFailure(.io, known.reason)
    case let lack as Lack:
      failure = HostFailure(
        .invalid, "nothing can be written there, since the driver, or its database, lacks \(lack.what)")
    default: failure = HostFailure(.database, "\(error)")
    }
    failure.message = "\(address.shown): \(failure.message.hiding(address.secrets))"
    return SinkError(failure)
  }
}

extension ADBCError {
  /// Whether a table is not there, as drivers say it.
  var isMissing: Bool {
    status == .notFound
      || ["no such table", "does not exist", "not found"].contains { message.lowercased().contains($0) }
  }
}
