import Items
import Paging
import Testing

@Suite struct DatabaseTests {
  /// A database of the numbers 1 to 1200 behind handles.
  private final class Numbers {
    private(set) var statements: [SQLStatement] = []
    private(set) var calls: [String] = []
    private var position = 0

    func answer(_ call: HostCall) -> HostReply {
      calls.append(String("\(call)".prefix { $0 != "(" }))
      switch call {
      case .openDatabase(let path, let isReadOnly):
        return path == "/scripts/a.db" && isReadOnly
          ? .handle(7) : .failed(HostFailure(.notFound, "no \(path)"))
      case .query(_, let statement):
        statements.append(statement)
        return .bytes(Bytes(#"[{"id":1,"name":"a"},{"id":2,"name":null}]"#))
      case .openRows(_, let statement):
        statements.append(statement)
        return .handle(8)
      case .nextRows(_, let limit):
        let rows = (position..<min(1200, position + limit)).map { "{\"id\":\($0 + 1)}" }
        position += limit
        return .rows(IndexedJSON(Bytes("[\(rows.joined(separator: ","))]")), isEnd: position >= 1200)
      case .execute(_, let statement):
        statements.append(statement)
        return .count(3)
      default: return .done
      }
    }
  }

  private func run(_ script: String, _ numbers: Numbers = Numbers()) throws -> ScriptRun {
    let world = ScriptWorld()
    world.database = numbers.answer
    return try ScriptRun("local db = lookahead.sqlite.open(\"a.db\")\n\(script)", in: world)
  }

  @Test func `a query gives its rows as tables`() throws {
    let run = try run(
      "local rows = db:query(\"select 1\") print(#rows, rows[1].name, rows[2].name == lookahead.null)")

    #expect(run.printed == ["2\ta\ttrue"])
  }

  @Test func `rows come in portions, and a loop closes its cursor`() throws {
    let run = try run("local sum = 0 for row in db:rows(\"select id\") do sum = sum + row.id end print(sum)")
    #expect(run.printed == ["720600"])
    #expect(run.world.calls.contains(.close(handle: 8)))

    let left = try self.run("for row in db:rows(\"select id\") do break end")
    #expect(left.world.calls.contains(.close(handle: 8)))
    #expect(left.world.calls.count { if case .nextRows = $0 { true } else { false } } == 1)
  }

  @Test func `parameters go by position or by name`() throws {
    let numbers = Numbers()
    let run = try run(
      """
      db:query("select ?, ?, ?, ?, ?", { 1, 0.5, "a", lookahead.null, true })
      print(db:execute("insert :a", { a = 9007199254740993, b = false }))
      db:query("select 1")
      """, numbers)

    #expect(run.printed == ["3"])
    #expect(numbers.statements[0].positional == [.integer(1), .real(0.5), .text("a"), .null, .boolean(true)])
    #expect(numbers.statements[1].named == ["a": .integer(9_007_199_254_740_993), "b": .boolean(false)])
    #expect(numbers.statements[2] == SQLStatement("select 1"))
  }

  @Test func `a closed database says so`() throws {
    let run = try run("db:close() db:close()\ndb:query(\"select 1\")")

    #expect(run.world.calls.count { $0 == .close(handle: 7) } == 1)
    #expect(run.failure == "feed.lua:3: db:query: the database a.db is closed")
  }

  @Test func `a missing database is a failure of the world`() throws {
    #expect(
      try run("lookahead.sqlite.open(\"b.db\", { readOnly = false })").failure
        == "feed.lua:2: no /scripts/b.db")
  }

  @Test(arguments: [
    ScriptCase(
      script: "lookahead.sqlite.open()", message: "sqlite.open: argument 1: expected a string, got nothing"),
    ScriptCase(
      script: "lookahead.sqlite.open(\"a\", { readonly = true })",
      message: "sqlite.open: unknown key 'readonly' (did you mean 'readOnly'?)"),
    ScriptCase(script: "db:query(3)", message: "db:query: argument 1: expected a string, got 3"),
    ScriptCase(script: "db:query(\"\", 3)", message: "db:query: argument 2: expected a table, got 3"),
    ScriptCase(
      script: "db:query(\"\", { {} })",
      message: "db:query: a parameter is a table, which SQL has no value for"),
    ScriptCase(
      script: "db:execute(\"\", { a = print })",
      message: "db:execute: a parameter is a function, which SQL has no value for"),
    ScriptCase(
      script: "db.query(\"select 1\")",
      message: "db:query: expected a database (write db:query(…), not db.query(…))"),
    ScriptCase(
      script: "db.close()", message: "db:close: expected a database (write db:close(…), not db.close(…))"),
  ])
  func `misuse is told at its line`(_ example: ScriptCase) throws {
    #expect(try run(example.script).failure == "feed.lua:2: " + example.message)
  }

  @Test func `two tasks cannot wait in one loop over rows`() throws {
    let run = try run(
      """
      local following = db:rows("select id")
      local function work() for row in following do end end
      lookahead.all { work, work }
      """)

    #expect(
      run.failure == "feed.lua:3: db:rows: another task waits in this loop: give each task a loop of its own")
  }

  @Test(arguments: [
    ("-1", "-1"), ("0", "0"), ("2^62", "4611686018427387904"), ("1e9", "1000000000"), ("32767", "32767"),
    ("math.mininteger", "-9223372036854775808"), ("1.5", "1.5"), ("math.huge", "inf"), ("true", "true"),
  ])
  func `a parameter at a place that no statement has is refused at its line`(_ place: String, _ shown: String)
    throws
  {
    for call in ["query", "execute", "rows"] {
      let run = try run("for row in pairs(db:\(call)(\"select ?\", { [\(place)] = 1 })) do end")

      #expect(
        run.failure?.hasSuffix(
          "db:\(call): parameters: expected names, or positions from 1 to 32766, got \(shown)") == true,
        "\(run.failure ?? "nothing")")
      #expect(run.failure?.hasPrefix("feed.lua:2: ") == true)
    }
  }
}
