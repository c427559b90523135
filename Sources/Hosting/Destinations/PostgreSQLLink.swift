import Glibc
import Paging

/// A connection to a PostgreSQL server that holds the schema of a run's tables for itself.
final class PostgreSQLLink: DestinationLink {
  let dialect: any Dialect = PostgreSQLDialect()
  private(set) var connection: ADBCConnection
  let schema: String
  let canBreak = true
  let transactionSize = 8 << 20
  private(set) var reach = ServerReach()
  /// Which of the server's sessions is that of the connection; nil where nothing is written.
  private var session: String?
  private let driver: ADBCDriver
  private let address: PostgreSQLAddress
  /// How long another run is waited for; nil where nothing is written.
  private let lockWait: Duration?
  /// Whether others write the schema too.
  private let isShared: Bool

  /// Connects; fails if another run writes there.
  init(_ address: PostgreSQLAddress, _ driver: ADBCDriver, lockWait: Duration?, isShared: Bool = false)
    throws(SinkError)
  {
    self.isShared = isShared
    self.address = address
    self.driver = driver
    self.lockWait = lockWait
    do {
      connection = try PostgreSQLLink.connect(address, driver)
      schema = try PostgreSQLLink.findSchema(address.schema, connection)
      if lockWait != nil { session = PostgreSQLLink.session(connection) }
      try hold()
      reach = ServerReach(
        port: PostgreSQLLink.connectedPort, looksUpNames: !address.hasPlainHosts,
        files: PostgreSQLLink.files + address.files)
    } catch {
      throw PostgreSQLLink.explain(error, address)
    }
  }

  private static func connect(_ address: PostgreSQLAddress, _ driver: ADBCDriver) throws -> ADBCConnection {
    let connection = try ADBCConnection(ADBCDatabase(driver, options: [("uri", address.connectionString)]))
    for setting in PostgreSQLDialect().settings { try connection.execute(setting) }
    return connection
  }

  /// The port to which the newest connection of this process goes; nil for a socket in a file.
  private static var connectedPort: UInt16? {
    for number in (3..<Int32(1024)).reversed() {
      var peer = sockaddr_in6()
      var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
      let code = withUnsafeMutableBytes(of: &peer) {
        getpeername(number, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), &size)
      }
      // The port is at the same place in addresses of both kinds.
      guard code == 0 else { continue }
      let isNet = Int32(peer.sin6_family) == AF_INET || Int32(peer.sin6_family) == AF_INET6
      return isNet ? UInt16(bigEndian: peer.sin6_port) : nil
    }
    return nil
  }

  /// The files that libpq reads as it connects: passwords, services, certificates.
  private static var files: [String] {
    func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    let named = ["PGPASSFILE", "PGSSLROOTCERT", "PGSSLCERT", "PGSSLKEY"].compactMap(variable)
    let home = variable("HOME")
    let own = home.map { ["\($0)/.pgpass", "\($0)/.postgresql"] } ?? []
    return named + (own + ServiceFile.paths).filter { access($0, R_OK) == 0 }
  }

  /// The schema that was asked for, which is made where there is none, or the connection's own.
  private static func findSchema(_ wanted: String?, _ connection: ADBCConnection) throws -> String {
    guard let wanted else {
      guard let own = try connection.first("SELECT current_schema()::text", { $0.text(0) }) ?? nil else {
        throw HostFailure(
          .invalid, "no schema of its search path is there: name one, as postgresql://…?schema=public")
      }
      return own
    }
    if try !connection.hasRow("SELECT 1 FROM pg_namespace WHERE nspname = \(wanted.asLiteral)") {
      try connection.execute("CREATE SCHEMA IF NOT EXISTS \(wanted.asIdentifier)")
    }
    return wanted
  }

  /// Takes the lock that one run of all has, or several workers together; the server gives it back when the connection is gone.
  private func hold() throws {
    guard let lockWait else { return }
    let key = key("")
    if isShared { try connection.execute("SET lock_timeout = '\(PostgreSQLLink.longestTransaction)s'") }
    let end = ContinuousClock.now + lockWait
    while try connection.first(
      "SELECT pg_try_advisory_lock\(isShared ? "_shared" : "")(\(key))::int", { $0.integer(0) }) != 1
    {
      guard ContinuousClock.now < end else {
        let holder = try connection.first(
          """
          SELECT pid::text || coalesce(' from ' || host(client_addr), '') FROM pg_locks JOIN pg_stat_activity USING (pid) \
          WHERE locktype = 'advisory' AND granted AND objsubid = 1 \
          AND (classid::bigint << 32 | objid::bigint) = \(key)
          """, { $0.text(0) })
        let process = (holder ?? nil).map { " (process \($0) of the server)" } ?? ""
        throw HostFailure(.io, "another run is writing it\(process)")
      }
      usleep(50_000)
    }
  }

  private func key(_ what: String) -> String {
    "hashtextextended(\("lookahead \(schema)\(what)".asLiteral), 0)"
  }

  func lock() throws {
    do throws(ADBCError) {
      try connection.execute("SELECT pg_advisory_xact_lock(\(key(" rows")))")
    } catch {
      guard error.sqlState == "55P03" else { throw error }
      throw HostFailure(
        .io,
        "another worker has not ended its transaction for \(PostgreSQLLink.longestTransaction) s",
        isTransient: true)
    }
  }

  /// Seconds.
  private static let longestTransaction = 60

  /// The server may not know yet that the old connection broke, and keep its locks: its session is ended first.
  func reconnect() throws {
    connection = try PostgreSQLLink.connect(address, driver)
    if let session {
      _ = try? connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE \(session)")
    }
    session = PostgreSQLLink.session(connection)
    try hold()
  }

  /// The condition for the session of a connection, and for no later one of the same number; nil where the server does not tell.
  private static func session(_ connection: ADBCConnection) -> String? {
    let told = try? connection.first(
      """
      SELECT 'pid = ' || pid || ' AND backend_start = ' || quote_literal(backend_start) FROM pg_stat_activity \
      WHERE pid = pg_backend_pid()
      """
    ) { $0.text(0) }
    return told ?? nil
  }

  func makeRoom(forColumns count: Int, merging: Bool) {}

  func close(_ ending: StoreEnding, isUnwritten: Bool) {}

  func explain(_ error: any Error) -> SinkError { PostgreSQLLink.explain(error, address) }

  func lost(_ error: ADBCError) -> HostFailure {
    HostFailure(
      .io,
      "the connection broke and did not come back (\(error.line)); what is committed is right: the run goes on there when it is "
        + "started again", isTransient: true)
  }

  private static func explain(_ error: any Error, _ address: PostgreSQLAddress) -> SinkError {
    if let error = error as? SinkError { return error }
    var failure: HostFailure
    switch error {
    case let known as HostFailure: failure = known
    case let known as ADBCError where known.sqlState == "42501":
      failure = HostFailure(
        .database,
        "\(known.line): the user needs that right (GRANT CREATE ON SCHEMA … TO …), or a schema of its own (?schema=NAME)"
      )
    case let known as ADBCError: failure = HostFailure(.database, known.line)
    default: failure = HostFailure(.database, "\(error)")
    }
    let secrets = address.secrets + [hostVariable("PGPASSWORD")].compactMap(\.self)
    failure.message = "\(address.shown.escapingControls): \(failure.message.hiding(secrets))"
    return SinkError(failure)
  }
}

extension ADBCError {
  /// What it says, in one line, without what the driver adds.
  var line: String {
    var text = message.replacing("[libpq] ", with: "")
    if let end = text.firstRange(of: "\nCONTEXT:") { text = String(text[..<end.lowerBound]) }
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.escapingControls
  }
}
