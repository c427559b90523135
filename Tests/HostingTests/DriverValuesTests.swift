import Foundation
import Hosting
import Items
import JSON
import Paging
import TestSupport
import Testing

/// What a driver passes on as something else than it is comes as what it is, or is refused by the column's name.
@Suite(.serialized, .enabled(if: TestDatabases.areThere, Comment(rawValue: TestDatabases.need)))
struct DriverValuesTests {
  private let folder = TemporaryFolder()
  private let calls = DriverCalls(permissions: .all)

  /// PostgreSQL's own JSON is what they are compared with.
  @Test(arguments: [
    "array[[1, 2], [3, null]]", "array[[[1], [2]], [[3], [4]]]", "array[[1, 2, 3]]", "array[[1], [2], [3]]",
    "'[0:2]={1,2,3}'::int[]", "'[0:1][0:1]={{a,b},{c,d}}'::text[]", "'{}'::int[]", "null::int[]",
    "array[null::int]",
    "array[array['{\"a\": [1]}'::jsonb, 'null'], array['2'::jsonb, '[]']]", "array['a\"b', '', '{', '[1:2]']",
    "(select conkey from pg_constraint limit 1)", "array_fill(7, array[2, 3, 2])",
  ])
  func `an array has its dimensions`(array: String) throws {
    let handle = try open(PostgreSQLServer.shared.makeDatabase().url())

    for sql in [
      "select \(array) as a, to_jsonb(\(array)) as j",
      "-- one; more\nselect \(array) as a, to_jsonb(\(array)) as j; -- the end;",
      "select \(array) as a, to_jsonb(\(array)) as j -- the end",
      "with x as (values (\(array))) select column1 as a, to_jsonb(column1) as j from x",
    ] {
      let text = query(handle, sql)
      guard case .list(let rows)? = try? JSONTree(text), case .object(let row)? = rows.first else {
        Issue.record("\(sql): \(text)")
        continue
      }
      #expect(row["a"] == row["j"], "\(sql): \(text)")
    }
  }

  @Test func `rows keep their order and their columns where arrays have dimensions`() throws {
    let database = try PostgreSQLServer.shared.makeDatabase()
    try database.run(
      "create table t (id int, \"a b\" int[], \"a\"\"b\" text, more int[]); insert into t select g, case when g % 2 = 0 then "
        + "array[[g, g]] else array[g] end, 'x', array[[g], [g]] from generate_series(1, 5) g")
    let handle = open(database.url())

    let text = query(
      handle, "select id, \"a b\", \"a\"\"b\", more, id as id from t where id > $1 order by id desc",
      [.integer(3)])
    let opened = calls.answer(.openRows(handle: handle, SQLStatement("table t"))).handle
    let first = calls.answer(.nextRows(handle: opened, limit: 2)).text

    #expect(
      text == #"[{"id":5,"a b":[5],"a\"b":"x","more":[[5],[5]],"id_2":5},"#
        + #"{"id":4,"a b":[[4,4]],"a\"b":"x","more":[[4],[4]],"id_2":4}]"#)
    #expect(
      first
        == #"[{"id":1,"a b":[1],"a\"b":"x","more":[[1],[1]]},{"id":2,"a b":[[2,2]],"a\"b":"x","more":[[2],[2]]}]"#
    )
  }

  @Test func `arrays whose dimensions are not told are refused, before anything is done`() throws {
    let database = try PostgreSQLServer.shared.makeDatabase()
    try database.run("create table t (a int[]); create type pair as (n int, list int[])")
    let handle = open(database.url(), isReadOnly: false)

    for sql in [
      "insert into t values (array[[1, 2]]) returning a",
      "with x as (insert into t values (array[[1, 2]]) returning a) select a from x",
      "select row(1, array[[1, 2]])::pair as a",
    ] {
      #expect(query(handle, sql).contains("ask for to_jsonb(a)"), "\(sql): \(query(handle, sql))")
    }
    let text = query(handle, "insert into t values (array[[1, 2]]) returning to_jsonb(a) as a")

    #expect(text == #"[{"a":[[1, 2]]}]"#)
    #expect(try database.run("select count(*) from t") == "1\n")
  }

  /// Its driver takes all rows behind one that is null for null.
  @Test(arguments: [
    "select g as id, case when g = 3 then null else row('Elm ' || g, g)::address end as home from generate_series(1, 8) g",
    "select array[row('Elm', 1), null, row('Oak', 2)]::address[] as home", "select row(1, 2) as home",
    "select null::address as home", "select row(row('Elm', 1), 1)::flat as home",
    "insert into homes values (row('Elm', 1)) returning home",
  ])
  func `rows within rows of PostgreSQL are refused, before anything is done, and not for now`(sql: String)
    throws
  {
    let database = try PostgreSQLServer.shared.makeDatabase()
    try database.run(
      "create type address as (street text, number int); create type flat as (a address, floor int); "
        + "create table homes (home address)")
    let handle = open(database.url(), isReadOnly: false)

    let replies = [
      calls.answer(.query(handle: handle, SQLStatement(sql))),
      calls.answer(.openRows(handle: handle, SQLStatement(sql))),
    ]

    for reply in replies {
      #expect(reply.failure?.message.contains("the column home has rows in it") == true, "\(reply)")
      #expect(reply.failure?.message.contains("ask for to_jsonb(home)") == true, "\(reply)")
      #expect(reply.failure?.isTransient == false)
    }
    #expect(try database.run("select count(*) from homes") == "0\n")
    #expect(
      query(handle, "select to_jsonb(row('Elm', 1)::address) as home")
        == #"[{"home":{"number": 1, "street": "Elm"}}]"#)
  }

  /// What was seen to have no arrays is looked at again.
  @Test func `a table that gets arrays later is noticed`() throws {
    let database = try PostgreSQLServer.shared.makeDatabase()
    try database.run("create table t (a text); insert into t values ('{{1,2},{3,4}}')")
    let handle = open(database.url())

    let before = query(handle, "select * from t")
    try database.run("alter table t alter a type int[] using a::int[]")
    _ = query(handle, "select * from t")
    let after = query(handle, "select * from t")

    #expect(before == #"[{"a":"{{1,2},{3,4}}"}]"#)
    #expect(after == #"[{"a":[[1,2],[3,4]]}]"#)
  }

  @Test func `the first and the last times of PostgreSQL are not others`() throws {
    let handle = try open(PostgreSQLServer.shared.makeDatabase().url())

    let text = query(
      handle,
      """
      select timestamp '294276-12-31 23:59:59.999999' as last, timestamp '294247-01-10 04:00:54.775806' as edge,
        timestamp '4713-11-24 00:00:00 BC' as first, timestamptz 'infinity' as never, timestamptz '-infinity' as always,
        timestamp '2000-01-01' as zero, timestamp '1999-12-31 23:59:59.999999' as before,
        date '5874897-12-31' as day, date '4713-11-24 BC' as dawn
      """)

    #expect(
      text == #"[{"last":"+294276-12-31T23:59:59.999999","edge":"+294247-01-10T04:00:54.775806","#
        + #""first":"-004712-11-24T00:00:00","never":"infinity","always":"-infinity","zero":"2000-01-01T00:00:00","#
        + #""before":"1999-12-31T23:59:59.999999","day":"+5874897-12-31","dawn":"-004712-11-24"}]"#)
  }

  @Test(arguments: [
    ("timestamp 'infinity'", #""infinity""#), ("timestamptz '-infinity'", #""-infinity""#),
    ("'infinity'::timestamp_s", #""infinity""#), ("'-infinity'::timestamp_ms", #""-infinity""#),
    ("'infinity'::timestamp_ns", #""infinity""#), ("date 'infinity'", #""infinity""#),
    ("date '-infinity'", #""-infinity""#), ("date '5881580-07-10'", #""+5881580-07-10""#),
    ("340282366920938463463374607431768211455::uhugeint", #""340282366920938463463374607431768211455""#),
    ("18446744073709551615::uhugeint", #""18446744073709551615""#),
    ("9223372036854775807::uhugeint", "9223372036854775807"),
    ("(-9223372036854775808)::hugeint", "-9223372036854775808"),
    ("9223372036854775808::hugeint", #""9223372036854775808""#),
    ("(-9223372036854775809)::hugeint", #""-9223372036854775809""#), ("(-1)::hugeint", "-1"),
    ("(select sum(x) from range(4) t(x))", "6"), ("true", "true"),
    ("[true, null, false]", "[true,null,false]"),
    (#"'{"a": [1, null]}'::json"#, #"{"a": [1, null]}"#),
    ("'6f2b8f0e-51f2-4c0c-9b61-2c1e66b8f6f1'::uuid", #""6f2b8f0e-51f2-4c0c-9b61-2c1e66b8f6f1""#),
    ("{'b': true, 'h': 7::hugeint}", #"{"b":true,"h":7}"#),
  ])
  func `DuckDB's values are what they are`(value: String, json: String) throws {
    let handle = open(folder.file("a.duckdb"), isReadOnly: false)

    #expect(query(handle, "select \(value) as v") == "[{\"v\":\(json)}]")
    // A loop has a connection of its own.
    let rows = calls.answer(.openRows(handle: handle, SQLStatement("select \(value) as v"))).handle
    #expect(calls.answer(.nextRows(handle: rows, limit: 2)).text == "[{\"v\":\(json)}]")
  }

  @Test(arguments: [
    ("'101'::bit", "bit"), ("'10:00:00+02:00'::timetz", "time_tz"),
    ("'123456789012345678901234567890123456789012345'::bignum", "bignum"), ("['101'::bit]", "bit"),
  ])
  func `what only DuckDB can read is refused by the column's name`(value: String, type: String) throws {
    let handle = open(folder.file("a.duckdb"), isReadOnly: false)

    let message = query(handle, "select 1 as one, \(value) as odd")

    #expect(
      message.contains("the column odd") && message.contains("(\(type)): select odd::text"), "\(message)")
    #expect(!message.contains("to_jsonb"))
    #expect(query(handle, "select (\(value))::text as odd").hasPrefix("[{"))
  }

  @Test func `a truth is a truth as a parameter`() throws {
    let database = try PostgreSQLServer.shared.makeDatabase()
    try database.run("create table t (ok boolean); insert into t values (true), (false), (null)")
    let server = open(database.url(), isReadOnly: false)
    let file = open(folder.file("a.duckdb"), isReadOnly: false)

    let counts = [true, false].map {
      query(server, "select count(*) as n from t where ok = $1", [.boolean($0)])
    }
    let inserted = calls.answer(
      .execute(handle: server, SQLStatement("insert into t values ($1)", positional: [.boolean(true)])))

    #expect(counts == [#"[{"n":1}]"#, #"[{"n":1}]"#])
    #expect(inserted == .count(1))
    #expect(
      query(file, "select $1 as yes, typeof($1) as type", [.boolean(true)])
        == #"[{"yes":true,"type":"BOOLEAN"}]"#)
  }

  @Test func `a query of DuckDB is one statement`() throws {
    let handle = open(folder.file("a.duckdb"), isReadOnly: false)

    let two = query(handle, "create table t (a int); select 1 as a")
    let one = query(handle, "select ';' as a, $$;$$ as b /* ; */; -- ;")
    let executed = calls.answer(
      .execute(handle: handle, SQLStatement("create table t (a int); insert into t values (1), (2)")))

    #expect(two.contains("a query is one statement, not several"))
    #expect(one == #"[{"a":";","b":";"}]"#)
    #expect(executed.failure == nil)
    #expect(query(handle, "select count(*) as n from t") == #"[{"n":2}]"#)
  }

  @Test func `only what may pass is said to pass`() throws {
    let database = try PostgreSQLServer.shared.makeDatabase()
    let server = "127.0.0.1:\(database.server.port)"
    let handle = open(database.url())
    func isTransient(_ address: String) -> Bool? {
      calls.answer(.connectDatabase(address: address, isReadOnly: true, timeout: .seconds(9))).failure?
        .isTransient
    }

    #expect(isTransient("postgresql://guarded:wrong@\(server)/\(database.name)") == false)
    #expect(isTransient("postgresql://nobody@\(server)/\(database.name)") == false)
    #expect(isTransient("postgresql://guarded:open%20sesame@\(server)/nothing") == false)
    #expect(isTransient("postgresql://me@127.0.0.1:1/x") == true)
    let reply = calls.answer(.query(handle: handle, SQLStatement("select row(1, 2) as r")))
    #expect(reply.failure?.isTransient == false, "\(reply)")
  }

  private func open(_ address: String, isReadOnly: Bool = true) -> Int {
    let reply = calls.answer(
      .connectDatabase(address: address, isReadOnly: isReadOnly, timeout: .seconds(60)))
    #expect(reply.failure == nil)
    return reply.handle
  }

  private func query(_ handle: Int, _ sql: String, _ values: [SQLValue] = []) -> String {
    let reply = calls.answer(.query(handle: handle, SQLStatement(sql, positional: values)))
    return reply.text ?? reply.failure?.message ?? "\(reply)"
  }
}
