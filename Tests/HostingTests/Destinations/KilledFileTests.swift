import Hosting
import Items
import Paging
import TestSupport
import Testing

/// Files of a run that was killed: what was committed is in a log of DuckDB's own, which the next run has to understand.
@Suite(.enabled(if: Destination.isPossible, Destination.need)) struct KilledFileTests {
  /// Each with what comes first, and what makes a wider column of it.
  private static let columns = [
    ["0.5", #""x""#], ["5.0", #""x""#], ["1e300", "true"], ["9007199254740994.0", #""x""#], ["-0.0", "[]"],
    ["5", "0.5"],
    ["7", #""x""#], ["true", "5"], [#""2024-02-29""#, "5"], [#""2024-02-29T23:59:59Z""#, #""x""#],
    [#""1969-12-31T23:59:59.125Z""#, #""x""#], [#""0001-01-01T00:00:00.000001Z""#, "0"],
    [#"{"a":[1]}"#, "5"],
  ]

  private static func row(_ id: Int, _ place: Int) -> Item {
    let members = columns.enumerated().map { #""c\#($0.offset)":\#($0.element[place])"# }
    return item(Int64(id), #"{"id":\#(id),\#(members.joined(separator: ","))}"#)
  }

  /// What a run that was killed now would have left, as soon as so many rows count.
  private func kill(_ destination: Destination, at count: Int) throws -> Destination {
    let ending = destination.kind == .parquet ? ".rows.partial" : ""
    for _ in 0..<100 {
      let left = try Destination(killing: destination)
      let script = """
        import duckdb
        database = duckdb.connect("\(left.output)\(ending)", config={"autoload_known_extensions": "false"})
        print(len(database.execute("from duckdb_tables() where table_name = 'items'").fetchall()) and \
        database.execute("select count(*) from items").fetchone()[0])
        """
      let copy = try Destination(killing: left)
      if try Destination.python(script) == "\(count)\n" { return copy }
    }
    throw Unreadable(reason: "\(count) rows are never there")
  }

  @Test(arguments: [Destination.Kind.duckdb, .parquet], [true, false])
  func `columns that have become wider are as wide, with their values, after a run was killed`(
    kind: Destination.Kind, isOneCommit: Bool
  ) throws {
    let (running, whole) = (try Destination(kind), try Destination(kind))
    var configuration = SinkConfiguration(path: running.output)
    configuration.idField = "id"
    let sink = try makeSink(configuration)
    let rows = [(1...300).map { Self.row($0, 0) }, (301...600).map { Self.row($0, 1) }]
    sink.answer(rows[0])
    // A Parquet file's rows are in no table, as long as they only become more.
    if !isOneCommit, kind == .duckdb { _ = try kill(running, at: 300) }
    sink.answer(rows[1])

    // Of these, only those that came before the wider columns are in a table.
    let left = try kill(running, at: kind == .parquet ? 300 : 600)
    _ = sink.finish(.paused)
    let reports = [
      try left.write([Self.row(601, 1)]), try whole.write(rows[0] + rows[1] + [Self.row(601, 1)]),
    ]

    #expect(reports.compactMap(\.failure) == [])
    #expect(try left.columns() == whole.columns())
    let query = "select * from items order by id"
    #expect(try left.rows(query) == whole.rows(query))
  }

  @Test(arguments: [Destination.Kind.duckdb, .parquet], [0, 4096, 8192])
  func `a file whose making was cut short is made whole by the next run`(kind: Destination.Kind, size: Int)
    throws
  {
    let destination = try Destination(kind)
    let ending = kind == .parquet ? ".rows.partial" : ""
    let made = """
      import duckdb
      duckdb.connect("\(destination.output)\(ending)").close()
      open("\(destination.output)\(ending)", "r+b").truncate(\(size))
      """

    _ = try Destination.python(made)
    let report = try destination.write([Self.row(1, 0)])

    #expect(report.failure == nil)
    #expect(try destination.rows("select id from items") == ["1"])
  }

  /// Whether a run puts something beside its database depends on its rows, so that the next one may never need to.
  @Test(arguments: [Destination.Kind.duckdb, .parquet])
  func `what a database had put beside its file is removed by the next run, and nothing else is`(
    kind: Destination.Kind
  ) throws {
    let destination = try Destination(kind)
    let folder = "\(destination.output)\(kind == .parquet ? ".rows.partial" : "").tmp"
    let made = """
      import os, pathlib
      os.mkdir("\(folder)")
      for name in ["duckdb_temp_1_0_owner", "duckdb_temp_1_0_storage_DEFAULT-0.tmp", "mine"]:
          pathlib.Path("\(folder)", name).write_text("x" * 5000)
      """

    _ = try Destination.python(made)
    let report = try destination.write([Self.row(1, 0)])

    #expect(report.failure == nil)
    #expect(try Destination.python("import os; print(os.listdir('\(folder)'))") == "['mine']\n")
  }

  @Test(arguments: [
    ("a file of another kind", "'x' * 4096"), ("a short text", "'DUCK'"),
    ("one that is cut within a header", "'x' * 8 + 'DUCK' + 'x' * 5000"),
  ])
  func `a file that is none is not written to`(name: String, contents: String) throws {
    let destination = try Destination(.duckdb)
    let print = "print(open('\(destination.output)').read() == \(contents))"

    _ = try Destination.python("open('\(destination.output)', 'w').write(\(contents))")

    #expect(throws: HostFailure.self, "\(name)") { try makeSink(SinkConfiguration(path: destination.output)) }
    #expect(try Destination.python(print) == "True\n", "\(name)")
  }
}
