import TestSupport
import Testing

/// A JSON file that is replaced while a run that reads it is stopped: what was read of the old one is no part of the new one.
@Suite(
  .waiting, .enabled(if: TestDrivers.areInstalled, "no drivers: scripts/bootstrap.sh --tests installs them"))
struct ReplacedFileTests {
  private static let source = """
    local items = lookahead.source { name = "items", pageSize = 10, id = IDS }
    function items.fetch(context)
      return lookahead.json.page("now.json", { key = context.key, size = context.size })
    end

    """

  private func scratch(_ script: String = source + "return items", ids: String = "\"id\"") throws -> Scratch {
    try Scratch(script: script.replacing("IDS", with: ids))
  }

  private func write(_ day: String, _ ids: Range<Int>, to scratch: Scratch) throws {
    let items = ids.map { #"{"id":\#($0),"day":"\#(day)"}"# }
    try scratch.write("now.json", "[\(items.joined(separator: ","))]\n")
  }

  @discardableResult
  private func run(_ scratch: Scratch, _ arguments: [String]) throws -> CommandResult {
    var command = Command.lookahead(["run", "feed.lua", "--allow-read"] + arguments).within(scratch)
    command.environment["LOOKAHEAD_DRIVERS"] = TestDrivers.folder
    return try command.run()
  }

  /// The rows of each day, as `monday=20 tuesday=30`.
  private func days(_ output: String, in scratch: Scratch) throws -> String {
    let name = output.hasSuffix("/") ? output + "items.ndjson" : output
    guard let opening = Self.openings[String(name.split(separator: ".").last ?? "")] else {
      let reading = name.hasSuffix("gz") ? "zcat" : name.hasSuffix("zst") ? "zstd -dcq" : "cat"
      return try scratch.shell(
        "echo $(\(reading) \(name) | grep -oE 'monday|tuesday' | sort | uniq -c | awk '{ print $2 \"=\" $1 }')"
      ).lines.joined()
    }
    try scratch.write(
      "days.lua",
      """
      local rows = lookahead.\(opening)
        select day, count(*) as n from \(name.hasSuffix("t") ? "data" : "items") group by day order by day]]
      for row in rows do print(row.day .. "=" .. row.n) end
      """.replacing("NAME", with: name))
    var command = Command.lookahead(["run", "days.lua", "-A", "--no-state"]).within(scratch)
    command.environment["LOOKAHEAD_DRIVERS"] = TestDrivers.folder
    let result = try command.run()
    return (result.output + result.errors).split(separator: "\n").filter { $0.contains("day=") }
      .joined(separator: " ")
  }

  private static let openings = [
    "db": "sqlite.open('NAME'):rows [[", "duckdb": "database.open('NAME'):rows [[",
    "parquet": "database.open('NAME'):rows [[",
  ]

  private static let outputs = [
    "a.db", "a.duckdb", "a.parquet", "a.ndjson", "a.csv", "a.json", "a.ndjson.gz", "a.csv.zst", "folder/",
  ]

  @Test(arguments: ["a.db", "a.ndjson", "a.csv", "folder/"])
  func `a reading that had brought nothing yet begins anew, too`(output: String) throws {
    let scratch = try scratch(
      Self.source + "function items.transform(item) if item.id >= 40 then return item end end return items")
    try self.write("monday", 0..<100, to: scratch)
    let first = try run(scratch, ["-o", output, "--max-pages", "2"])
    #expect(first.exitCode == 0, "\(first.errors)")
    try self.write("tuesday", 20..<90, to: scratch)

    let second = try run(scratch, ["-o", output])

    #expect(second.exitCode == 0, "\(second.errors)")
    #expect(try days(output, in: scratch) == "tuesday=50")
  }

  @Test(arguments: outputs, ["merge", "mirror"])
  func `a first reading that was stopped begins anew with the new file`(output: String, write: String) throws
  {
    guard output == "a.db" || output == "a.duckdb" || write == "merge" else { return }
    let scratch = try scratch()
    try self.write("monday", 0..<100, to: scratch)
    let first = try run(scratch, ["-o", output, "--write", write, "--max-pages", "4"])
    #expect(first.exitCode == 0, "\(first.errors)")
    try self.write("tuesday", 20..<90, to: scratch)

    let second = try run(scratch, ["-o", output, "--write", write])

    #expect(second.exitCode == 0, "\(second.errors)")
    #expect(second.summary?.hasPrefix("70 items") == true, "\(second.errors)")
    // Each run reads a Parquet file as a whole.
    let isKept = output != "a.parquet"
    #expect(second.errors.contains("it is read anew, as a whole") == isKept, "\(second.errors)")
    #expect(try days(output, in: scratch) == "tuesday=70")
  }

  @Test(arguments: [
    ("\"id\"", "mirror", "tuesday=70"), ("\"id\"", "merge", "monday=20 tuesday=70"),
    ("\"id\"", "append", "monday=10 tuesday=70"), ("false", "mirror", "tuesday=70"),
    ("false", "append", "monday=10 tuesday=70"),
  ])
  func `a later reading that was stopped begins anew, and what was there before is treated as ever`(
    ids: String, write: String, days: String
  ) throws {
    let scratch = try scratch(ids: ids)
    try self.write("monday", 10..<20, to: scratch)
    try run(scratch, ["-o", "a.db", "--write", write])
    try self.write("monday", 0..<100, to: scratch)
    try run(scratch, ["-o", "a.db", "--write", write, "--max-pages", "4"])
    try self.write("tuesday", 20..<90, to: scratch)

    let last = try run(scratch, ["-o", "a.db", "--write", write])

    #expect(last.exitCode == 0, "\(last.errors)")
    #expect(try self.days("a.db", in: scratch) == days, "\(last.errors)")
  }

  @Test func `a file that has other items too is left, and the run says how to go on`() throws {
    let scratch = try scratch(
      Self.source
        + """
        local others = lookahead.source { name = "others", fetch = function() return { items = { { id = 1 } } } end }
        return { items, others }
        """)
    try write("monday", 0..<100, to: scratch)
    try run(scratch, ["-o", "a.ndjson", "--tag", "--max-pages", "4"])
    try write("tuesday", 20..<90, to: scratch)

    let second = try run(scratch, ["-o", "a.ndjson", "--tag"])
    let third = try run(scratch, ["-o", "a.ndjson", "--tag", "--fresh"])

    #expect(second.exitCode == 73, "\(second.errors)")
    #expect(second.errors.contains("--fresh writes it anew"), "\(second.errors)")
    #expect(third.exitCode == 0, "\(third.errors)")
    #expect(try days("a.ndjson", in: scratch) == "tuesday=70")
  }

  @Test func `a Parquet file takes no source that adds to what is there`() throws {
    let scratch = try Scratch(
      script:
        "return lookahead.source { write = 'append', fetch = function() return { items = { { n = 1 } } } end }"
    )

    let refused = try run(scratch, ["-o", "a.parquet"])
    let merged = try run(scratch, ["-o", "a.parquet", "--write", "mirror"])

    #expect(refused.exitCode == 73, "\(refused.errors)")
    #expect(refused.errors.contains("write = \"append\" needs a database"), "\(refused.errors)")
    #expect(merged.exitCode == 0, "\(merged.errors)")
  }

  @Test func `a source that fails where it can't go on says that the file has changed`() throws {
    let scratch = try scratch(Self.source + "items.onExpired = \"fail\"\nreturn items")
    try write("monday", 0..<100, to: scratch)
    try run(scratch, ["-o", "a.ndjson", "--max-pages", "4"])
    try write("tuesday", 20..<90, to: scratch)

    let second = try run(scratch, ["-o", "a.ndjson"])

    #expect(second.exitCode == 1, "\(second.errors)")
    #expect(second.errors.contains("now.json has changed since a part of it was read"), "\(second.errors)")
  }
}
