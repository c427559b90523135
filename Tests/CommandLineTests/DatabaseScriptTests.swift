import Foundation
import TestSupport
import Testing

/// Scripts that read databases, in the cage that all scripts are in.
@Suite(.waiting, .enabled(if: TestDatabases.areThere, Comment(rawValue: TestDatabases.need)))
struct DatabaseScriptTests {
  private func run(_ scratch: Scratch, _ arguments: String...) throws -> CommandResult {
    var command = Command.lookahead(["run", "feed.lua"] + arguments).within(scratch)
    command.environment = TestDatabases.environment
    return try command.run()
  }

  @Test func `rows of PostgreSQL become items, by name and by address of the host`() throws {
    let database = try PostgreSQLServer.shared.makeDatabase()
    try database.run("create table items as select g as id, 'n' || g as name from generate_series(1, 5000) g")
    for host in ["127.0.0.1", "localhost"] {
      let url = database.url().replacing("127.0.0.1", with: host)
      let scratch = try Scratch(
        script: """
          local db = lookahead.database.open("\(url)")
          for row in db:rows("select * from items order by id") do lookahead.emit(row) end
          """)

      let result = try run(scratch, "--allow-net=\(host)")

      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.lines.count == 5000)
      #expect(result.lines.last == #"{"id":5000,"name":"n5000"}"#)
    }
  }

  @Test func `a server without a permission is named with the option that allows it`() throws {
    let scratch = try Scratch(script: "lookahead.database.open('postgresql://me:secret@127.0.0.1/x')")

    let result = try run(scratch)

    #expect(result.exitCode == 77)
    #expect(result.errors.contains("--allow-net=127.0.0.1:5432"))
    #expect(!result.errors.contains("secret"))
  }

  @Test func `a host whose address is denied is not connected to`() throws {
    let database = try PostgreSQLServer.shared.makeDatabase()
    let url = database.url().replacing("127.0.0.1", with: "localhost")
    let scratch = try Scratch(script: "lookahead.database.open('\(url)')")

    let result = try run(scratch, "--allow-net", "--deny-net=127.0.0.1,[::1]")

    #expect(result.exitCode == 77, "\(result.errors)")
  }

  @Test func `DuckDB works in the cage`() throws {
    let scratch = try Scratch(
      script: """
        local db = lookahead.database.open("a.duckdb", { readOnly = false })
        db:execute("create table t as select range as id from range(10)")
        db:close()
        db = lookahead.database.open("a.duckdb")
        for row in db:rows("select id from t where id > $1 order by id", { 7 }) do lookahead.emit(row) end
        """)

    let result = try run(scratch, "--allow-write=.")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.lines == [#"{"id":8}"#, #"{"id":9}"#])
  }

  /// DuckDB takes names for patterns, and would look for what they match where a script may not look.
  @Test(arguments: [
    ("a [b]/x.parquet", "x.parquet", []), ("a [b]/y[1].parquet", "y[[]1].parquet", []),
    ("x[1].parquet", "../x[1].parquet", ["--allow-read=x[1].parquet"]),
  ])
  func `a Parquet file is read in the cage whatever it and its folder are called`(
    file: String, address: String, options: [String]
  ) throws {
    let scratch = try Scratch()
    try scratch.write(
      "a [b]/feed.lua",
      """
      local db = lookahead.database.open("\(address)")
      for row in db:rows("select * from data") do lookahead.emit(row) end
      """)
    let python = try Spawned(
      TestDrivers.interpreter,
      [
        "-c", "import duckdb, sys; duckdb.sql(sys.argv[1])",
        "copy (select 1 as id) to '\(file)' (format parquet)",
      ],
      environment: ProcessInfo.processInfo.environment, folder: scratch.path)
    python.endInput()
    #expect(python.waitForExit() == 0)

    var command = Command.lookahead(["run", "a [b]/feed.lua"] + options).within(scratch)
    command.environment = TestDatabases.environment
    let result = try command.run()

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.lines == [#"{"id":1}"#])
  }

  @Test func `a recording replays without the database, and has no password`() throws {
    let database = try PostgreSQLServer.shared.makeDatabase()
    let address = "127.0.0.1:\(database.server.port)/\(database.name)"
    let scratch = try Scratch(
      script: """
        local db = lookahead.database.open("postgresql://guarded:open%20sesame@\(address)")
        for row in db:rows("select g as id from generate_series(1, 3) g") do lookahead.emit(row) end
        """)

    let live = try run(scratch, "--allow-net=127.0.0.1", "--record", "run.rec")
    let replay = try scratch.lookahead("run", "feed.lua", "--replay", "run.rec")

    #expect(live.exitCode == 0, "\(live.errors)")
    #expect(replay.exitCode == 0, "\(replay.errors)")
    #expect(live.output == replay.output)
    #expect(live.lines.count == 3)
    let recorded = try scratch.text("run.rec")
    #expect(!recorded.contains("sesame"))
  }

  @Test func `a check knows what the address needs`() throws {
    let scratch = try Scratch(
      script: """
        local a = lookahead.database.open("postgresql://me@db.example.com:5433/shop")
        local b = lookahead.database.open("/data/x.duckdb", { readOnly = false })
        print(a, b)
        """)

    let result = try scratch.lookahead("check", "feed.lua")

    #expect(result.output.contains("--allow-net=db.example.com:5433"), "\(result.output)\(result.errors)")
    #expect(result.output.contains("--allow-write=/data/x.duckdb"), "\(result.output)\(result.errors)")
  }

  @Test func `a value that a driver can't read is not said to pass`() throws {
    let scratch = try Scratch(
      script: """
        local db = lookahead.database.open("adbc:sqlite?uri=a.sqlite")
        for row in db:rows("select * from items order by id") do lookahead.emit(row) end
        """)
    let rows = "with recursive c(n) as (select 1 union all select n + 1 from c where n < 3000)"
    _ = try scratch.shell(
      """
      sqlite3 a.sqlite 'create table items (id integer primary key, v integer);
        \(rows) insert into items select n, iif(n = 1999, "nineteen", n) from c'
      """)

    let result = try run(scratch, "--allow-all", "-o", "a.ndjson")

    #expect(result.errors.contains("Type mismatch"), "\(result.errors)")
    #expect(!result.errors.contains("may pass"))
    #expect(![0, 75].contains(result.exitCode))
  }
}
