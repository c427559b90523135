import Foundation
import Testing

/// Where outputs are: opened before anything is asked for, and found again as what they were.
@Suite(.waiting) struct OutputPlaceTests {
  private static let first = "{\"id\":1,\"text\":\"item 1\"}\n"

  @Test(arguments: [
    "-o missing/a.ndjson", "-o missing/a.db", "-o feed.lua/a.csv", "-o a.ndjson --trace missing/t",
    "-o a.ndjson --record missing/r", "-o a.ndjson --summary missing/s", "-o text.db",
  ])
  func `an output that can't be opened is said before the first request`(options: String) throws {
    let run = "closed\(abs(options.hashValue))"
    let base = Server.faults.base(run: run)
    let scratch = try Scratch(script: Scripts.pages)
    try scratch.write("text.db", String(repeating: "no database\n", count: 100))

    let result = try scratch.shell("lookahead run feed.lua -e base=\(base) --allow-net \(options)")

    #expect(result.exitCode == 73, "\(result.errors)")
    #expect(try Server.faults.counts(run: run).requests == 0)
    #expect(try scratch.names == ["feed.lua", "text.db"])
  }

  @Test(arguments: ["-o a.csv", "-o a.json", "-o a.ndjson", ""])
  func `two sources that can't share a text are refused before the first request`(options: String) throws {
    let run = "shared\(abs(options.hashValue))"
    let base = Server.faults.base(run: run)
    let scratch = try Scratch(
      script: """
        local function source(name)
          local s = lookahead.source { name = name, keys = "page" }
          function s.fetch(context) return { items = lookahead.http.get("\(base)/items"):json().items } end
          return s
        end
        return { source("one"), source("two") }
        """)

    let result = try scratch.shell("lookahead run feed.lua --allow-net \(options)")

    #expect(result.exitCode == 73, "\(result.errors)")
    #expect(result.error.contains("the streams one and two can't both go to"), "\(result.error)")
    #expect(try Server.faults.counts(run: run).requests == 0)
    #expect(try scratch.names == ["feed.lua"])
  }

  @Test(arguments: [
    ("_lookahead_state", "a.db"), ("_Lookahead_new", "a.db"), ("sqlite_master", "a.db"), ("", "a.db"),
    ("a/b", "out/"),
    ("..", "out/"), ("", "out/"),
  ])
  func `a source whose name can't be that of a stream there is refused before anything is written`(
    name: String, output: String
  ) throws {
    let scratch = try Scratch(
      script: """
        local things = lookahead.source { name = "\(name)" }
        function things.fetch() print("asked") return { items = { { id = 1 } } } end
        return things
        """)

    let result = try scratch.lookahead("run", "feed.lua", "-o", output)

    #expect(result.exitCode == 73)
    #expect(result.error.contains("\"\(name)\" names a stream, but can't name a"), "\(result.error)")
    #expect(!result.errors.contains("asked"))
    #expect(try scratch.names == ["feed.lua"])
  }

  @Test func `a source goes by its name, whatever its script is called`() throws {
    let scratch = try Scratch(
      script: """
        local things = lookahead.source { name = "things" }
        function things.fetch() return { items = { { id = 1 }, { id = 2 } } } end
        return things
        """)
    try scratch.write("renamed.lua", try scratch.text("feed.lua"))

    for script in ["feed.lua", "renamed.lua"] {
      for output in ["a.db", "out/"] {
        try #require(scratch.lookahead("run", script, "-o", output).exitCode == 0)
      }
    }
    let tagged = try scratch.lookahead("run", "feed.lua", "--tag").output

    #expect(
      try scratch.shell(
        "sqlite3 a.db \"select group_concat(name) from sqlite_master where name not like '%lookahead%'\""
      )
      .output == "things\n")
    #expect(
      try scratch.shell("sqlite3 a.db 'select count(*) from things'; ls out").output == "2\nthings.ndjson\n")
    #expect(tagged == #"{"id":1,"_stream":"things"}"# + "\n" + #"{"id":2,"_stream":"things"}"# + "\n")
  }

  @Test func `a stream that comes late to a text leaves the old one, and no half of a new one`() throws {
    let scratch = try Scratch(script: Scripts.streams)
    try scratch.write("a.csv", "old\r\n")

    let result = try scratch.lookahead("run", "feed.lua", "-o", "a.csv")

    #expect(result.exitCode == 73)
    #expect(try scratch.text("a.csv") == "old\r\n")
    #expect(
      result.error.contains("a.csv is as it was; what this run wrote is in a.csv.partial"), "\(result.error)")
    #expect(try scratch.text("a.csv.partial") == "id,kind\r\n1,a\r\n2,a\r\n3,a\r\n")
  }

  @Test func `a symlink stays one, and the file behind it keeps its mode`() throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let result = try scratch.shell(
      "mkdir far; echo old > far/b.ndjson; chmod 640 far/b.ndjson; ln -s far/b.ndjson a.ndjson; "
        + "lookahead run feed.lua -o a.ndjson --limit 1 -q; readlink a.ndjson; stat -c %a far/b.ndjson; ls -A . far"
    )

    #expect(result.lines == ["far/b.ndjson", "640", ".:", "a.ndjson", "far", "feed.lua", "far:", "b.ndjson"])
    #expect(try scratch.text("far/b.ndjson") == Self.first)
  }

  @Test func `what an earlier run has left is kept until there is something for its place`() throws {
    let scratch = try Scratch(script: "error('at once')")
    try scratch.write("a.ndjson.partial", "of yesterday\n")

    let failed = try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson")
    #expect(failed.exitCode == 65)
    #expect(try scratch.text("a.ndjson.partial") == "of yesterday\n")

    try scratch.write("feed.lua", Scripts.numbers)
    #expect(try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson", "--limit", "1").exitCode == 0)
    #expect(try scratch.text("a.ndjson") == Self.first)
    #expect(try scratch.names == ["a.ndjson", "feed.lua"])
  }

  @Test func `nobody's link takes the place of the file that is written`() throws {
    let scratch = try Scratch(script: Scripts.numbers)
    _ = try scratch.shell("echo precious > other; ln -s other a.ndjson.partial")

    let result = try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson")

    #expect(result.exitCode == 73)
    #expect(try scratch.text("other") == "precious\n")
  }

  /// Whoever may do everything drops that first.
  private static let asNobody =
    "chmod 755 .; [ $(id -u) = 0 ] && as='setpriv --reuid 65534 --regid 65534 --clear-groups'; "

  @Test func `a file whose folder can't be written is written in place, and that is said`() throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let result = try scratch.shell(
      Self.asNobody + "echo old > a.ndjson; chmod 666 a.ndjson; chmod 555 .; "
        + "$as \(Repository.binary) run feed.lua -o a.ndjson --limit 1; code=$?; chmod 755 .; exit $code")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.errors.contains("no file can be made beside a.ndjson, so it is written in place"))
    #expect(try scratch.text("a.ndjson") == Self.first)
  }

  @Test func `a file that may not be written is not replaced either`() throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let result = try scratch.shell(
      Self.asNobody + "echo old > a.ndjson; chmod 444 a.ndjson; chmod 777 .; "
        + "$as \(Repository.binary) run feed.lua -o a.ndjson; code=$?; exit $code")

    #expect(result.exitCode == 73)
    #expect(result.error == "error: can't write a.ndjson: permission denied")
    #expect(try scratch.text("a.ndjson") == "old\n")
    #expect(try scratch.names == ["a.ndjson", "feed.lua"])
  }

  @Test(arguments: ["out/", "out/a.db", "out/a.ndjson"])
  func `a folder that can't be written is said before the first request`(output: String) throws {
    let run = UUID().uuidString
    let base = Server.faults.base(run: run)
    let scratch = try Scratch(script: Scripts.pages)

    let result = try scratch.shell(
      Self.asNobody + "mkdir out; chmod 555 out; "
        + "$as \(Repository.binary) run feed.lua -e base=\(base) --allow-net -o \(output)")

    #expect(result.exitCode == 73)
    #expect(result.error == "error: can't write \(output): permission denied")
    #expect(try Server.faults.counts(run: run).requests == 0)
  }

  @Test func `one file for two outputs is refused before it is there`() throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let result = try scratch.lookahead("run", "feed.lua", "-o", "new", "--trace", "./new")

    #expect(result.exitCode == 64)
    #expect(result.error == "error: --trace ./new: that is the file of -o, and would be written over")
  }

  @Test(arguments: [
    ("x.orc", ".orc is not written"), ("x.XLSX", ".xlsx is not written"),
    ("x.tsv", ".tsv is not written"),
    ("x.csv.bz2", ".bz2 is not written; texts are packed as .gz (gzip) and .zst (zstd)"),
    ("x.parquet.gz", "nor is Parquet"), ("x.db.gz", "a database is not packed"),
    ("mysql://me:pass@db/x", "-o mysql://…: outputs are files"),
    ("s3://b/x.csv", "-o s3://…: outputs are"),
    ("file:///data/x.csv", "-o file://…: outputs are"),
  ])
  func `a name that promises what is not written is refused`(output: String, message: String) throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let result = try scratch.lookahead("run", "feed.lua", "-o", output)

    #expect(result.exitCode == 64)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(!result.errors.contains("pass"))
    #expect(try scratch.names == ["feed.lua"])
  }

  @Test func `a format that was asked for wins over a name, but not over one that says the file is packed`()
    throws
  {
    let scratch = try Scratch(script: Scripts.numbers)

    let named = try scratch.lookahead("run", "feed.lua", "-o", "x.tsv", "--format", "csv", "--limit", "1")
    let packed = try scratch.lookahead("run", "feed.lua", "-o", "x.xz", "--format", "csv")
    let plain = try scratch.lookahead("run", "feed.lua", "-o", "notes.txt", "--limit", "1")

    #expect([named.exitCode, packed.exitCode, plain.exitCode] == [0, 64, 0])
    #expect(try scratch.text("x.tsv") == "id,text\r\n1,item 1\r\n")
    #expect(try scratch.text("notes.txt") == Self.first)
  }

  @Test(arguments: ["x.parquet", "x.csv.gz", "s3://bucket/x", "x.db", "x.ndjson"])
  func `the lab refuses names that promise something else, too`(name: String) throws {
    let scratch = try Scratch()

    let result = try scratch.lookahead("lab", "--policy", "ramp", "--sessions", "1", "-o", name)

    #expect(result.exitCode == 64)
    #expect(
      result.error.hasPrefix("error: -o \(name.hasPrefix("s3") ? "s3://…" : name): "), "\(result.errors)")
    #expect(try scratch.shell("ls").output == "")
  }

  @Test(arguments: [
    ["--format", "csv"], ["--csv-safe"], ["--tag"], ["--changes"], ["--parts"], ["--state", "x"],
    ["--compress", "gzip"], ["--jobs", "2"], ["--summary", "-"], [],
  ])
  func `no message shows the password of an output`(options: [String]) throws {
    let scratch = try Scratch(script: Scripts.numbers)
    let output = ["-o", "postgresql://me:hunter2@127.0.0.1:9/db"]

    let run = try Command.lookahead(["run", "feed.lua"] + output + options).within(scratch).run()
    let work = try Command.lookahead(["work", "feed.lua"] + output).within(scratch).run()

    #expect(run.exitCode != 0 && work.exitCode != 0)
    for text in [run.output, run.errors, work.output, work.errors] {
      #expect(!text.contains("hunter2"), "\(text)")
    }
  }
}
