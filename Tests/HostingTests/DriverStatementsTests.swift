import Hosting
import Items
import Paging
import TestSupport
import Testing

/// Statements and their values, which databases with drivers take as SQLite does.
@Suite(.serialized, .enabled(if: TestDatabases.areThere, Comment(rawValue: TestDatabases.need)))
struct DriverStatementsTests {
  private let folder = TemporaryFolder()
  private let calls = DriverCalls(permissions: .all)

  @Test(arguments: [
    "select 1 as a;", "select 1 as a; -- done", "/* ; */ select 1 as a ;;", "select array[1] as a;",
    "show client_encoding;",
  ])
  func `a semicolon may end a query`(sql: String) throws {
    for handle in try databases() where handle.isServer || !sql.hasPrefix("show") {
      let reply = calls.answer(.query(handle: handle.number, SQLStatement(sql)))
      #expect(reply.text?.hasPrefix("[{") == true, "\(reply)")
    }
  }

  @Test(arguments: ["", " ;", "-- select 1"])
  func `nothing is no query, and changes nothing`(sql: String) throws {
    for handle in try databases() {
      let reply = calls.answer(.query(handle: handle.number, SQLStatement(sql)))
      #expect(reply.failure?.message.contains("there is no statement") == true, "\(reply)")
      #expect(calls.answer(.execute(handle: handle.number, SQLStatement(sql))) == .count(0))
    }
  }

  @Test func `values without a parameter are refused`() throws {
    for handle in try databases() {
      for (sql, count, expected) in [
        ("select $1 as a", 2, "2 values for 1 parameters"), ("select 1 as a", 1, "1 values for 0 parameters"),
        ("select $1 as a, $1 as b;", 3, "3 values for 1 parameters"),
      ] {
        let statement = SQLStatement(sql, positional: Array(repeating: .text("x"), count: count))
        for reply in [
          calls.answer(.query(handle: handle.number, statement)),
          calls.answer(.openRows(handle: handle.number, statement)),
          calls.answer(.execute(handle: handle.number, statement)),
        ] {
          #expect(reply.failure?.message.contains(expected) == true, "\(sql): \(reply)")
        }
      }
    }
  }

  @Test func `the rows that all statements have changed are counted, and those of queries are not`() throws {
    for handle in try databases() {
      for (sql, expected) in [
        ("create table x (id integer)", 0), ("insert into x values (1), (2), (3)", 3), ("select * from x", 0),
        ("insert into x values (4), (5); insert into x values (6);", 3),
        ("table x; delete from x where id > 5;", 1),
        ("with y as (select 7 as id) insert into x select id from y", 1), ("values (1), (2)", 0),
        ("with y as (select 7 as id) select * from y", 0), ("begin; delete from x; rollback", 6), (";", 0),
        ("delete from x; insert into x values (8)", 7),
      ] {
        let reply = calls.answer(.execute(handle: handle.number, SQLStatement(sql)))
        #expect(reply == .count(expected), "\(handle) \(sql)")
      }
      let several = SQLStatement("insert into x values ($1); delete from x", positional: [.integer(1)])
      let refused = calls.answer(.execute(handle: handle.number, several))
      #expect(refused.failure?.message.contains("values are for one statement") == true, "\(refused)")
      #expect(
        calls.answer(.query(handle: handle.number, SQLStatement("select * from x"))).text == #"[{"id":8}]"#)
    }
  }

  @Test func `several statements are one transaction in PostgreSQL, or a part of the script's`() throws {
    let database = try PostgreSQLServer.shared.makeDatabase()
    try database.run("create table x (id integer)")
    let handle = try open(database.url())
    func execute(_ sql: String) -> HostReply { calls.answer(.execute(handle: handle, SQLStatement(sql))) }
    func count() throws -> String { try database.run("select count(*) from x") }

    let failed = execute("insert into x values (1); insert into x values (1 / 0)")
    #expect(failed.failure != nil)
    #expect(try count() == "0\n")

    let answers = [
      execute("begin"), execute("insert into x values (1); insert into x values (2)"), execute("rollback"),
    ]
    #expect(answers[1] == .count(2))
    #expect(try count() == "0\n")

    #expect(execute("insert into x values (1); insert into x values (2)") == .count(2))
    #expect(try count() == "2\n")
  }

  private func databases() throws -> [(number: Int, isServer: Bool)] {
    [
      (try open(folder.file("a.duckdb")), false),
      (try open(PostgreSQLServer.shared.makeDatabase().url()), true),
    ]
  }

  private func open(_ address: String) throws -> Int {
    let reply = calls.answer(.connectDatabase(address: address, isReadOnly: false, timeout: .seconds(60)))
    try #require(reply.failure == nil)
    return reply.handle
  }
}
