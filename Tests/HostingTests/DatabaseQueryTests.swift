import Hosting
import Items
import Paging
import Testing

@Suite struct DatabaseQueryTests {
  private let databases = DatabaseCalls(permissions: .all)
  private let handle: Int

  init() { handle = databases.answer(.openDatabase(path: ":memory:", isReadOnly: false)).handle }

  @Test(arguments: [
    ("NULL", "null"), ("9223372036854775807", "9223372036854775807"), ("-1", "-1"), ("0.1", "0.1"),
    ("3.0", "3.0"),
    ("9e999", #""Infinity""#), ("-9e999", #""-Infinity""#), ("'a\"é'", #""a\"é""#), ("''", #""""#),
    ("x'00ff10'", #""AP8Q""#), ("x''", #""""#),
    ("'a' || char(0) || 'b'", #""a\u0000b""#),
  ])
  func `each value has its JSON`(sql: String, expected: String) {
    #expect(query("SELECT \(sql) AS v") == "[{\"v\":\(expected)}]")
  }

  @Test(arguments: [0, 1, 3, 4, 7, 8, 4095, 4096, 5000])
  func `long texts, blobs and infinities are in their columns and rows, among others`(length: Int) {
    let (text, columns) = (String(repeating: "x", count: length), ["1", "9e999", "null", "x'ff'", "2.5"])
    for shift in columns.indices {
      let turned = (columns[shift...] + columns[..<shift]).joined(separator: ", ")
      let json = ["1", #""Infinity""#, "null", #""/w==""#, "2.5"]
      let values = (json[shift...] + json[..<shift]).enumerated().map { "\"c\($0)\":\($1)" }
      let names = columns.indices.map { "c\($0)" }.joined(separator: ", ")
      let row = "{\(values.joined(separator: ",")),\"t\":\"\(text)\"}"

      let found = query(
        "WITH r(\(names)) AS (VALUES (\(turned)), (\(turned)), (\(turned))) SELECT *, '\(text)' AS t FROM r")

      #expect(found == "[\(row),\(row),\(row)]")
    }
  }

  @Test func `columns keep their order, and a name that comes again gets a number`() {
    #expect(
      query("SELECT 2 AS b, 1 AS a, 3 AS b, 4 AS b, 5 AS b_2")
        == #"[{"b":2,"a":1,"b_2":3,"b_3":4,"b_2_2":5}]"#)
  }

  @Test func `no rows are an empty array`() {
    #expect(query("SELECT 1 WHERE 0") == "[]")
  }

  @Test(arguments: [
    ("SELECT ? AS a, ? AS b", #"[{"a":1,"b":"x"}]"#), ("SELECT ?2 AS a, ?1 AS b", #"[{"a":"x","b":1}]"#),
    ("SELECT ?1 AS a, ?1 AS b, ? AS c", #"[{"a":1,"b":1,"c":"x"}]"#),
    ("SELECT ? AS a, :n AS b, ? AS c, @n AS d, $n AS e", #"[{"a":1,"b":7,"c":"x","d":7,"e":7}]"#),
  ])
  func `parameters take their values`(sql: String, expected: String) {
    let statement = SQLStatement(
      sql, positional: [.integer(1), .text("x")], named: ["n": .integer(7), "unused": .null])

    #expect(databases.answer(.query(handle: handle, statement)).text == expected)
  }

  @Test func `values go in and come out as they are`() {
    let values: [SQLValue] = [
      .null, .integer(.min), .real(-0.5), .text("a\0é"), .text(""), .blob(Bytes("xyz")), .blob(.empty),
    ]

    let statement = SQLStatement(
      "SELECT ? AS a, ? AS b, ? AS c, ? AS d, ? AS e, ? AS f, typeof(?) AS g", positional: values)

    #expect(
      databases.answer(.query(handle: handle, statement)).text
        == #"[{"a":null,"b":-9223372036854775808,"c":-0.5,"d":"a\u0000é","e":"","f":"eHl6","g":"blob"}]"#)
  }

  @Test(
    arguments: [
      ("SELECT ?", [], ":memory:: no value for parameter 1 (in: SELECT ?)"),
      (
        "SELECT 1 AS n, CAST(x'61ff' AS TEXT) AS v", [],
        ":memory:: row 1, column v: bytes that are no UTF-8 (61 ff): cast(… as blob) reads them, as base64 "
          + "(in: SELECT 1 AS n, CAST(x'61ff' AS TEXT) AS v)"
      ),
      ("SELECT :name", [], ":memory:: no value for :name (in: SELECT :name)"),
      ("SELECT ?", [.null, .null], ":memory:: 2 values for 1 parameters (in: SELECT ?)"),
      ("SELECT *\n  FROM x", [], ":memory:: no such table: x (in: SELECT * FROM x)"),
      ("SELEC 1", [], ":memory:: near \"SELEC\": syntax error (in: SELEC 1)"),
      (
        "SELECT abs(-9223372036854775808)", [],
        ":memory:: integer overflow (in: SELECT abs(-9223372036854775808))"
      ),
    ] as [(String, [SQLValue], String)])
  func `an error names the database and the SQL`(sql: String, values: [SQLValue], message: String) {
    let failure = databases.answer(.query(handle: handle, SQLStatement(sql, positional: values))).failure

    #expect(failure == HostFailure(.database, message))
  }

  @Test(arguments: [
    ("SELECT 1; SELECT 2", ":memory:: a query is one statement, not several (in: SELECT 1; SELECT 2)"),
    (" -- nothing", ":memory:: there is no statement (in: -- nothing)"),
    ("SELECT 1\0", ":memory:: the SQL holds a NUL"),
  ])
  func `a query is one statement`(sql: String, message: String) {
    #expect(
      databases.answer(.query(handle: handle, SQLStatement(sql))) == .failed(HostFailure(.invalid, message)))
  }

  @Test func `a query that is run again sees new values and new columns`() {
    execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    #expect(query("SELECT * FROM t") == #"[{"a":1}]"#)

    execute("ALTER TABLE t ADD COLUMN b; UPDATE t SET b = 2")

    #expect(query("SELECT * FROM t") == #"[{"a":1,"b":2}]"#)
  }

  @Test func `a failed query can be run again`() {
    #expect(databases.answer(.query(handle: handle, SQLStatement("SELECT ?"))).failure != nil)

    let again = databases.answer(
      .query(handle: handle, SQLStatement("SELECT ? AS a", positional: [.integer(1)])))

    #expect(again.text == #"[{"a":1}]"#)
  }

  private func query(_ sql: String) -> String? {
    databases.answer(.query(handle: handle, SQLStatement(sql))).text
  }

  private func execute(_ sql: String) { _ = databases.answer(.execute(handle: handle, SQLStatement(sql))) }
}
