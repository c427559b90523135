import Hosting
import TestSupport
import Testing

/// The real drivers, called through our own declaration of their interface.
@Suite(.enabled(if: TestDrivers.areInstalled, "no drivers: scripts/bootstrap.sh --tests installs them"))
struct ADBCTests {
  @Test(.enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.need)))
  func `PostgreSQL keeps what was committed and nothing else`() throws {
    let database = try PostgreSQLServer.shared.makeDatabase()
    let connection = try ADBCConnection(postgresql(database.url()))

    try connection.execute("create table items (id bigint primary key)")
    try connection.setAutocommit(false)
    try connection.execute("insert into items values (1), (2)")
    try connection.commit()
    let changed = try connection.execute("delete from items")
    try connection.rollback()

    #expect(changed == 2)
    #expect(try rows(of: connection.query("select id from items")) == 2)
    #expect(try database.run("select id from items order by id") == "1\n2\n")
  }

  @Test(.enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.need)))
  func `PostgreSQL's errors come with their code and their words`() throws {
    let database = try PostgreSQLServer.shared.makeDatabase()
    let connection = try ADBCConnection(postgresql(database.url()))

    let error = #expect(throws: ADBCError.self) { try connection.execute("select * from nowhere") }

    #expect(error?.sqlState == "42P01")
    #expect(error?.message.contains("relation \"nowhere\" does not exist") == true)
  }

  @Test func `a server that is not there is an error and nothing worse`() throws {
    #expect(throws: ADBCError.self) { try ADBCConnection(postgresql("postgresql://127.0.0.1:1/none")) }
  }

  @Test func `DuckDB is a module of Python that needs no Python`() throws {
    let connection = try ADBCConnection(ADBCDatabase(duckDB(), options: [("path", ":memory:")]))

    try connection.execute("create table items as select range as id from range(100000)")

    #expect(try rows(of: connection.query("select * from items")) == 100_000)
    let error = #expect(throws: ADBCError.self) { try connection.execute("select * from nowhere") }
    #expect(error?.message.contains("nowhere") == true)
  }

  @Test func `a library that is no driver is refused`() throws {
    let error = #expect(throws: ADBCError.self) { try ADBCDriver(path: "libz.so.1") }

    #expect(
      error?.message
        == "libz.so.1 is no ADBC driver: it exports none of AdbcDriverZInit, AdbcZInit, duckdb_adbc_init, AdbcDriverInit"
    )
  }

  private func postgresql(_ url: String) throws -> ADBCDatabase {
    try ADBCDatabase(ADBCDriver(path: TestDrivers.postgresql), options: [("uri", url)])
  }

  private func duckDB() throws -> ADBCDriver {
    try ADBCDriver(path: TestDrivers.duckDB, python: TestDrivers.python)
  }

  private func rows(of stream: ArrowStream) throws -> Int {
    var count = 0
    while let batch = try stream.next() { count += batch.count }
    return count
  }
}
