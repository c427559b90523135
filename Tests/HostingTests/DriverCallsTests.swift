import Foundation
import Hosting
import Items
import Paging
import TestSupport
import Testing

/// Databases as scripts see them: the calls, their answers, and what they may not do.
@Suite(.serialized, .enabled(if: TestDatabases.areThere, Comment(rawValue: TestDatabases.need)))
struct DriverCallsTests {
  private let folder = TemporaryFolder()
  private let calls = DriverCalls(permissions: .all)

  @Test func `values come without loss`() throws {
    let handle = try open(PostgreSQLServer.shared.makeDatabase().url())

    let text = query(
      handle,
      """
      select 9223372036854775807 as big, (-32768)::int2 as small, 4294967295::oid as oid, 12.50::numeric as price,
        'NaN'::numeric as no_price, 'nan'::float8 as nan, '-infinity'::float4 as low, 0.1::float4 as tenth, true as ok,
        'a"b' as text, ''::text as empty, '\\x00ff'::bytea as raw, '2026-01-02 03:04:05.5+02'::timestamptz as at,
        '2026-01-02 03:04:05'::timestamp as here, 'infinity'::timestamptz as never, '-infinity'::date as always,
        date '0044-03-15' as day, time '23:59:59.000001' as time, interval '1 year -2 days 3.5 s' as span,
        '{"a": [1, null]}'::jsonb as doc, array[1, null] as list, to_jsonb(array[[1, 2], [3, null]]) as square, null as nothing,
        '6f2b8f0e-51f2-4c0c-9b61-2c1e66b8f6f1'::uuid as uuid
      """)

    #expect(
      text
        == #"[{"big":9223372036854775807,"small":-32768,"oid":4294967295,"price":"12.50","no_price":"NaN","#
        + #""nan":"NaN","low":"-Infinity","tenth":0.1,"ok":true,"text":"a\"b","empty":"","raw":"AP8=","#
        + #""at":"2026-01-02T01:04:05.5Z","here":"2026-01-02T03:04:05","never":"infinity","always":"-infinity","#
        + #""day":"0044-03-15","time":"23:59:59.000001","span":"P1Y-2DT3.5S","doc":{"a": [1, null]},"#
        + #""list":[1,null],"square":[[1, 2], [3, null]],"nothing":null,"uuid":"6f2b8f0e-51f2-4c0c-9b61-2c1e66b8f6f1"}]"#
    )
  }

  @Test(arguments: ["inet '127.0.0.1'", "money '1'", "int4range(1, 2)", "row(1, 'a')", "point(1, 2)"])
  func `what only PostgreSQL can read is refused by the column's name`(value: String) throws {
    let handle = try open(PostgreSQLServer.shared.makeDatabase().url())

    let reply = calls.answer(.query(handle: handle, SQLStatement("select 1 as one, \(value) as odd")))

    #expect(reply.failure?.code == .database, "\(reply)")
    // Of rows without a name for their type not even their bytes come.
    #expect(reply.failure?.message.contains("select odd::text") == true || value.hasPrefix("row"))
  }

  @Test func `values of DuckDB come without loss`() throws {
    let handle = open(folder.file("a.duckdb"), isReadOnly: false)

    let text = query(
      handle,
      """
      select 18446744073709551615::ubigint as big, -170141183460469231731687303715884105727::hugeint as huge,
        -0.05::decimal(5, 2) as cents, 'nan'::double as nan, {'a': 1, 'b': [date '2026-01-02', null]} as s,
        map {'k': 1} as m, map {1: 2} as pairs, 'x'::enum('x', 'y') as e, union_value(n := 2) as u,
        timestamp '2026-01-02 03:04:05' as at, '2026-01-02 00:00:00+00'::timestamptz as utc,
        timestamp_ns '1969-12-31 23:59:59.123456789' as fine, '\\xAA'::blob as raw, 'a long text beyond twelve' as t
      """)

    #expect(
      text
        == #"[{"big":"18446744073709551615","huge":"-170141183460469231731687303715884105727","cents":"-0.05","#
        + #""nan":"NaN","s":{"a":1,"b":["2026-01-02",null]},"m":{"k":1},"pairs":[[1,2]],"e":"x","u":2,"#
        + #""at":"2026-01-02T03:04:05","utc":"2026-01-02T00:00:00Z","fine":"1969-12-31T23:59:59.123456789","#
        + #""raw":"qg==","t":"a long text beyond twelve"}]"#)
  }

  @Test func `parameters are values and never SQL`() throws {
    let database = try PostgreSQLServer.shared.makeDatabase()
    try database.run("create table t (id bigint, name text); insert into t values (1, 'a'), (2, 'b')")
    let handle = open(database.url())
    let evil = "a'; drop table t; --"

    let found = calls.answer(
      .query(
        handle: handle,
        SQLStatement("select id, $2 as evil from t where id > $1", positional: [.integer(1), .text(evil)])))
    let isNull = calls.answer(
      .query(handle: handle, SQLStatement("select $1::int is null as yes", positional: [.null])))

    #expect(found.text == #"[{"id":2,"evil":"a'; drop table t; --"}]"#)
    #expect(isNull.text == #"[{"yes":true}]"#)
    #expect(try database.run("select count(*) from t") == "2\n")
  }

  @Test(arguments: [
    "delete from t", "with d as (delete from t returning 1) select * from d", "begin read write",
    "do $$ begin delete from t; end $$",
    "select 1; delete from t", "select 1) to stdout; delete from t; --", "/* select */ delete from t",
    "-- select\ndelete from t",
    "set transaction read write", "explain analyze delete from t", "copy t to '/tmp/x'",
  ])
  func `a database that is read is not changed`(sql: String) throws {
    let database = try PostgreSQLServer.shared.makeDatabase()
    try database.run("create table t (id int); insert into t values (1)")
    let handle = open(database.url())
    // What was set before holds no longer.
    _ = query(handle, "select set_config('default_transaction_read_only', 'off', false)")

    let replies = [
      calls.answer(.query(handle: handle, SQLStatement(sql))),
      calls.answer(.execute(handle: handle, SQLStatement(sql))),
    ]

    #expect(replies.allSatisfy { $0.failure?.code == .database }, "\(replies)")
    #expect(try database.run("select count(*) from t") == "1\n")
  }

  @Test func `statements count the rows that they change, and transactions are the script's`() throws {
    let database = try PostgreSQLServer.shared.makeDatabase()
    let handle = open(database.url(), isReadOnly: false)
    func execute(_ sql: String, _ values: [SQLValue] = []) -> HostReply {
      calls.answer(.execute(handle: handle, SQLStatement(sql, positional: values)))
    }

    _ = execute("create table t (id int, name text)")
    let inserted = execute("insert into t values ($1, $2)", [.integer(1), .text("a")])
    let more = execute("insert into t select g, 'b' from generate_series(2, 10) g")
    _ = execute("begin")
    let deleted = execute("delete from t where id > $1", [.integer(5)])
    _ = execute("rollback")

    #expect([inserted, more, deleted] == [.count(1), .count(9), .count(5)])
    #expect(try database.run("select count(*) from t") == "10\n")
  }

  @Test func `rows come some at a time, and loops do not get in each other's way`() throws {
    let handle = try open(PostgreSQLServer.shared.makeDatabase().url())
    let sql = SQLStatement("select g as id from generate_series(1, 100000) g")

    let first = calls.answer(.openRows(handle: handle, sql)).handle
    let second = calls.answer(.openRows(handle: handle, sql)).handle
    let beginnings = [first, second].map { calls.answer(.nextRows(handle: $0, limit: 2)).text }
    let meanwhile = query(handle, "select 1 as one")
    let next = calls.answer(.nextRows(handle: first, limit: 1)).text

    #expect(beginnings == [#"[{"id":1},{"id":2}]"#, #"[{"id":1},{"id":2}]"#])
    #expect(meanwhile == #"[{"one":1}]"#)
    #expect(next == #"[{"id":3}]"#)
  }

  @Test func `an error in the middle of rows is an error, and the database goes on`() throws {
    let handle = try open(PostgreSQLServer.shared.makeDatabase().url())
    // Beyond the first batch, so that rows have come before it.
    let sql = SQLStatement("select 1 / (900000 - g) as id from generate_series(1, 1000000) g")

    let opened = calls.answer(.openRows(handle: handle, sql))
    var last = HostReply.done
    for _ in 0..<2000 where last.failure == nil {
      last = calls.answer(.nextRows(handle: opened.handle, limit: 1000))
    }

    #expect(opened.handle > 0)
    #expect(last.failure?.message.contains("division by zero") == true, "\(last)")
    #expect(query(handle, "select 1 as one") == #"[{"one":1}]"#)
  }

  @Test func `a call that takes too long is cancelled on the server`() throws {
    let database = try PostgreSQLServer.shared.makeDatabase()
    let handle = calls.answer(
      .connectDatabase(address: database.url(), isReadOnly: true, timeout: .milliseconds(300))
    ).handle
    let watching = DispatchSource.makeTimerSource(queue: .global())
    watching.schedule(deadline: .now(), repeating: .milliseconds(50))
    watching.setEventHandler { [calls] in calls.abandonOverdue() }
    watching.resume()
    defer { watching.cancel() }

    let reply = calls.answer(.query(handle: handle, SQLStatement("select pg_sleep(60)")))

    #expect(reply.failure?.code == .timeout, "\(reply)")
    #expect(query(handle, "select 1 as one") == #"[{"one":1}]"#)
    #expect(
      try database.run(
        "select count(*) from pg_stat_activity where query like '%pg_sleep(60)%' and state = 'active' and pid <> pg_backend_pid()"
      ) == "0\n")
  }

  @Test func `the end of a run ends a call`() throws {
    let database = try PostgreSQLServer.shared.makeDatabase()
    let handle = open(database.url())
    let ended = DispatchSemaphore(value: 0)
    calls.perform(.query(handle: handle, SQLStatement("select count(*) from pg_sleep(60)"))) { reply in
      if reply.failure != nil { ended.signal() }
    }
    while try database.run(
      "select count(*) from pg_stat_activity where query like '%pg_sleep(60)%' and state = 'active' and pid <> pg_backend_pid()"
    ) == "0\n" {}

    calls.finish()

    #expect(ended.wait(timeout: .now() + 20) == .success)
  }

  @Test func `no message has the password`() throws {
    let database = try PostgreSQLServer.shared.makeDatabase()
    let address = "127.0.0.1:\(database.server.port)/\(database.name)"
    let addresses = [
      "postgresql://guarded:wrong-secret@\(address)",
      "postgresql://guarded:wrong%2Dsecret@\(address)?sslmode=odd",
      "postgresql://guarded:wrong-secret@\(address)?passfile=/etc/passwd",
      "postgresql://guarded:wrong-secret@/x",
      "postgresql://guarded:wrong-secret@h o/x", "mysql://guarded:wrong-secret@\(address)",
      "postgresql://guarded:wrong-secret@127.0.0.1:1/x",
    ]

    for address in addresses {
      let failure = calls.answer(.connectDatabase(address: address, isReadOnly: true, timeout: .seconds(9)))
        .failure
      #expect(failure != nil)
      #expect(failure?.message.contains("secret") == false, "\(failure?.message ?? "")")
    }
    let right = "postgresql://guarded:open%20sesame@\(address)"
    #expect(query(open(right), "select current_user as me") == #"[{"me":"guarded"}]"#)
  }

  @Test func `files are what the permissions say, and SQL reaches no others`() throws {
    let path = folder.file("a.duckdb")
    _ = calls.answer(
      .execute(handle: open(path, isReadOnly: false), SQLStatement("create table t as select 1 as id")))
    calls.finish()
    let secret = folder.write("secret", to: "secret.csv")
    var permissions = Permissions()
    permissions.read = Access(.only([path]))
    let reader = DriverCalls(permissions: permissions)
    func opened(_ path: String, isReadOnly: Bool = true) -> HostReply {
      reader.answer(.connectDatabase(address: path, isReadOnly: isReadOnly, timeout: .seconds(9)))
    }

    #expect(opened(folder.file("b.duckdb")).failure?.needs == "--allow-read=\(folder.file("b.duckdb"))")
    #expect(opened(path, isReadOnly: false).failure?.needs == "--allow-write=\(path)")
    #expect(opened("postgresql://me@127.0.0.1/x").failure?.needs == "--allow-net=127.0.0.1:5432")
    #expect(opened("adbc:sqlite?uri=x").failure?.needs == "--allow-all")
    let handle = opened(path).handle
    for sql in [
      "select * from read_csv('\(secret)')", "select * from '\(secret)'",
      "attach '\(folder.file("c.duckdb"))' as c",
      "copy t to '\(folder.file("t.csv"))'", "set enable_external_access = true", "install httpfs",
      "insert into t values (2)",
    ] {
      let reply = reader.answer(.query(handle: handle, SQLStatement(sql)))
      #expect(reply.failure?.code == .database, "\(sql): \(reply)")
    }
    #expect(folder.names == ["a.duckdb", "secret.csv"])
  }

  @Test func `a Parquet file is the table data`() throws {
    let writer = open(folder.file("a.duckdb"), isReadOnly: false)
    // What writes Parquet here is Python, since a script's DuckDB writes no other file.
    _ = calls.answer(.close(handle: writer))
    let python = try Spawned(
      TestDrivers.interpreter,
      [
        "-c",
        "import duckdb; duckdb.sql(\"copy (select range as id from range(5)) to '\(folder.file("x.parquet"))'\")",
      ], environment: ProcessInfo.processInfo.environment, folder: "/")
    python.endInput()
    #expect(python.waitForExit() == 0)

    #expect(query(open(folder.file("x.parquet")), "select sum(id)::int as sum from data") == #"[{"sum":10}]"#)
    #expect(
      query(open(folder.file("x.parquet")), "select 1 from x").hasSuffix(
        "the rows of the file are the table data"))
    #expect(query(open(folder.file("*.parquet")), "select count(*) as n from data") == #"[{"n":5}]"#)
  }

  private func open(_ address: String, isReadOnly: Bool = true) -> Int {
    let reply = calls.answer(
      .connectDatabase(address: address, isReadOnly: isReadOnly, timeout: .seconds(60)))
    #expect(reply.failure == nil)
    return reply.handle
  }

  private func query(_ handle: Int, _ sql: String) -> String {
    let reply = calls.answer(.query(handle: handle, SQLStatement(sql)))
    return reply.text ?? reply.failure?.message ?? "\(reply)"
  }
}
