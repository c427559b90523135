import Foundation
import Hosting
import Items
import Paging
import TestSupport
import Testing

/// Parquet files come as they are, whatever they, their folders and their neighbours are called and hold.
@Suite(.serialized, .enabled(if: TestDatabases.areThere, Comment(rawValue: TestDatabases.need)))
struct ParquetFilesTests {
  private let folder = TemporaryFolder()
  private let calls = DriverCalls(permissions: .all)

  /// Two files, and the rows of both.
  @Test(arguments: [
    ("1 as v", "1.5::double as v", #"[{"v":1.0},{"v":1.5}]"#),
    ("1.5::double as v", "9007199254740992 as v", #"[{"v":1.5},{"v":9007199254740992.0}]"#),
    ("1::tinyint as v", "18446744073709551615::ubigint as v", #"[{"v":1},{"v":"18446744073709551615"}]"#),
    ("1.50::decimal(5, 2) as v", "1.5001::decimal(9, 4) as v", #"[{"v":"1.5000"},{"v":"1.5001"}]"#),
    ("123456792::bigint as v", "0.5::float as v", #"[{"v":0.5},{"v":123456792.0}]"#),
    ("0.1::float as v", "0.3::double as v", #"[{"v":0.1},{"v":0.3}]"#),
    (
      "date '2024-01-01' as v", "timestamp '2024-01-01 13:30:00' as v",
      #"[{"v":"2024-01-01T00:00:00"},{"v":"2024-01-01T13:30:00"}]"#
    ),
    ("1 as v", "2 as v, 'b' as more", #"[{"v":1,"more":null},{"v":2,"more":"b"}]"#),
    ("1 as v, 'a' as more", "'b' as more, 2 as v", #"[{"v":1,"more":"a"},{"v":2,"more":"b"}]"#),
    (
      "1 as v, 'a' as \"it's \"\"x\"", "2.5::double as v",
      #"[{"v":1.0,"it's \"x":"a"},{"v":2.5,"it's \"x":null}]"#
    ),
  ])
  func `files that differ lose nothing`(first: String, second: String, rows: String) throws {
    try write(["1.parquet": first, "2.parquet": second])

    #expect(query(open("*.parquet"), "select * from data order by v") == rows)
  }

  @Test(arguments: [
    ("1::bigint as v", "'x' as v"), ("1::bigint as v", "true as v"),
    ("1.50::decimal(5, 2) as v", "1.5::double as v"),
    ("timestamp '2024-01-01' as v", "timestamptz '2024-01-01 00:00:00+00' as v"),
    ("{'a': 1} as v", "{'b': 1} as v"),
    ("'x' as v", "'x'::blob as v"), ("[1] as v", "[1.5::double] as v"),
  ])
  func `files without a type for both are refused by their names, the column and both types`(
    first: String, second: String
  ) throws {
    try write(["1.parquet": first, "2.parquet": second])

    let failure = try #require(connect(folder.file("*.parquet")).failure)

    #expect(failure.message.contains("the column v is "), "\(failure)")
    #expect(failure.message.contains(" in 1.parquet, "), "\(failure)")
    #expect(failure.message.contains(" in 2.parquet, and no type keeps"), "\(failure)")
    #expect(!failure.isTransient)
  }

  @Test(arguments: [
    ("9007199254740993 as v", "1.5::double as v"), ("9223372036854775807 as v", "1.5::double as v"),
    ("99999999999999999999999999999999999999::decimal(38, 0) as v", "0.12345678::decimal(38, 30) as v"),
    ("timestamp_ns '2024-01-01 00:00:00.123456789' as v", "timestamp '9999-01-01' as v"),
  ])
  func `a value that the type for all does not hold is an error, and other columns are read`(
    first: String, second: String
  ) throws {
    try write(["1.parquet": first + ", 1 as id", "2.parquet": second + ", 2 as id"])
    let handle = open("*.parquet")

    let message = query(handle, "select v from data")

    #expect(message.contains("the column v, which is "), "\(message)")
    #expect(message.contains("does not hold: open the files one by one"), "\(message)")
    #expect(query(handle, "select id from data order by id") == #"[{"id":1},{"id":2}]"#)
  }

  @Test func `names that differ by the size of their letters are refused`() throws {
    try write(["1.parquet": "1 as V", "2.parquet": "2 as v"])

    #expect(connect(folder.file("*.parquet")).failure?.message.contains("in other letters") == true)
  }

  @Test func `the names of folders are no members`() throws {
    folder.makeFolder("region=5")
    try write(["region=5/x.parquet": "'north' as region"])

    #expect(query(open("region=5/x.parquet"), "select * from data") == #"[{"region":"north"}]"#)
    #expect(query(open("region=5/*.parquet"), "select * from data") == #"[{"region":"north"}]"#)
  }

  @Test func `a file that is there is no pattern, and neither is a folder`() throws {
    for name in ["2024 [final]", "2024 f", "it's *"] { folder.makeFolder(name) }
    let files = [
      "export[1].parquet", "export1.parquet", "a*.parquet", "ab.parquet", ".hidden.parquet",
      "2024 [final]/x.parquet",
      "2024 [final]/y[?].parquet", "2024 f/x.parquet", "it's */x'.parquet",
    ]
    try write(
      Dictionary(uniqueKeysWithValues: files.map { ($0, "'\($0.replacing("'", with: "''"))' as file") }))

    for name in files { #expect(query(open(name), "select * from data") == #"[{"file":"\#(name)"}]"#) }
    let sql = "select string_agg(file, ' ' order by file) as files from data"
    #expect(query(open("e*[!]].parquet"), sql) == #"[{"files":"export1.parquet"}]"#)
    #expect(
      query(open("[ae]*.parquet"), sql)
        == #"[{"files":"a*.parquet ab.parquet export1.parquet export[1].parquet"}]"#)
    #expect(
      query(open("2024 [final]/*.parquet"), sql)
        == #"[{"files":"2024 [final]/x.parquet 2024 [final]/y[?].parquet"}]"#)
    #expect(connect(folder.file("z*.parquet")).failure?.code == .notFound)
    #expect(connect(folder.file("2024*/x.parquet")).failure?.code == .notFound)
  }

  @Test func `a pattern reads only what may be read, and no folder for a file`() throws {
    try write(["1.parquet": "1 as v", "2.parquet": "2 as v"])
    var permissions = Permissions()
    permissions.read = Access(.only([folder.path]), denied: .only([folder.file("2.parquet")]))
    let reader = DriverCalls(permissions: permissions)
    func connect(_ path: String) -> HostReply {
      reader.answer(.connectDatabase(address: path, isReadOnly: true, timeout: .seconds(60)))
    }

    #expect(connect(folder.file("*.parquet")).failure?.code == .denied)
    let handle = connect(folder.file("[1].parquet")).handle
    #expect(reader.answer(.query(handle: handle, SQLStatement("select * from data"))).text == #"[{"v":1}]"#)
    let other = "select * from read_parquet('\(folder.file("2.parquet"))')"
    #expect(reader.answer(.query(handle: handle, SQLStatement(other))).failure?.code == .database)
    folder.makeFolder("3.parquet")
    #expect(connect(folder.file("[13].parquet")).failure?.message.contains("3.parquet") == true)
  }

  /// Files by their names, each with the row of a query.
  private func write(_ files: [String: String]) throws {
    let copies = files.map { name, row in
      "copy (select \(row)) to '\(folder.file(name).replacing("'", with: "''"))' (format parquet)"
    }
    // What writes Parquet here is Python, since a script's DuckDB writes no other file.
    let python = try Spawned(
      TestDrivers.interpreter,
      ["-c", "import duckdb, sys\nfor sql in sys.argv[1:]: duckdb.sql(sql)"] + copies,
      environment: ProcessInfo.processInfo.environment, folder: "/")
    python.endInput()
    #expect(python.waitForExit() == 0)
  }

  private func connect(_ path: String) -> HostReply {
    calls.answer(.connectDatabase(address: path, isReadOnly: true, timeout: .seconds(60)))
  }

  private func open(_ name: String) -> Int {
    let reply = connect(folder.file(name))
    #expect(reply.failure == nil, "\(reply)")
    return reply.handle
  }

  private func query(_ handle: Int, _ sql: String) -> String {
    let reply = calls.answer(.query(handle: handle, SQLStatement(sql)))
    return reply.text ?? reply.failure?.message ?? "\(reply)"
  }
}
