import Foundation
import Testing

@Suite(.waiting) struct OutputTests {
  @Test func `the extension says the format`() throws {
    let scratch = try Scratch(script: Scripts.numbers)
    for name in ["a.ndjson", "a.csv", "a.json", "a.db"] {
      let result = try scratch.lookahead("run", "feed.lua", "--limit", "2", "-o", name)
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.output == "")
    }

    #expect(
      try scratch.text("a.ndjson") == "{\"id\":1,\"text\":\"item 1\"}\n{\"id\":2,\"text\":\"item 2\"}\n")
    #expect(try scratch.text("a.csv") == "id,text\r\n1,item 1\r\n2,item 2\r\n")
    #expect((json(try scratch.text("a.json")) as? [[String: Any]])?.count == 2)
    #expect(try scratch.shell("sqlite3 a.db 'select id, text from numbers'").output == "1|item 1\n2|item 2\n")
  }

  @Test(arguments: ["ndjson", "csv", "json"])
  func `a format can be asked for on standard output`(format: String) throws {
    let result = try Scratch(script: Scripts.numbers).lookahead(
      "run", "feed.lua", "--limit", "1", "--format", format)

    let expected = [
      "ndjson": "{\"id\":1,\"text\":\"item 1\"}\n", "csv": "id,text\r\n1,item 1\r\n",
      "json": "[\n{\"id\":1,\"text\":\"item 1\"}\n]\n",
    ]
    #expect(result.output == expected[format])
  }

  @Test func `several streams are files of a folder, tables of a database, or tagged lines`() throws {
    let scratch = try Scratch(script: Scripts.streams)

    let folder = try scratch.lookahead("run", "feed.lua", "-o", "out/")
    let database = try scratch.lookahead("run", "feed.lua", "-o", "out.db")
    let tagged = try scratch.lookahead("run", "feed.lua", "--tag")

    #expect([folder.exitCode, database.exitCode, tagged.exitCode] == [0, 0, 0])
    #expect(try scratch.text("out/first.ndjson").split(separator: "\n").count == 3)
    #expect(try scratch.text("out/second.ndjson") == "{\"id\":1,\"kind\":\"b\"}\n{\"id\":2,\"kind\":\"b\"}\n")
    #expect(
      try scratch.shell("sqlite3 out.db 'select count(*) from first; select count(*) from second'").lines == [
        "3", "2",
      ])
    #expect(Items(lines: tagged.output)?.texts("_stream") == ["first", "first", "first", "second", "second"])
  }

  @Test func `two streams on one text say what to do`() throws {
    let result = try Scratch(script: Scripts.streams).lookahead("run", "feed.lua")

    #expect(result.exitCode == 73)
    #expect(
      result.error
        == "error: the streams first and second can't both go to standard output: --tag marks each item with its stream, "
        + "-o FOLDER/ makes a file for each")
  }

  @Test(arguments: ["x.ndjson", "x.csv", "x.json", "x.db"])
  func `a folder that is not there ends with 73`(name: String) throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let result = try scratch.lookahead("run", "feed.lua", "-o", "missing/\(name)")

    #expect(result.exitCode == 73)
    #expect(result.error.hasPrefix("error: can't write missing/\(name): the folder "))
    #expect(result.error.hasSuffix("missing does not exist"))
  }

  @Test(arguments: ["ndjson", "csv", "json", "sqlite"])
  func `a full disk ends with 73`(format: String) throws {
    let result = try Scratch(script: Scripts.numbers).lookahead(
      "run", "feed.lua", "-o", "/dev/full", "--format", format)

    #expect(result.exitCode == 73)
    #expect(result.error.contains("/dev/full"))
    #expect(result.error.contains(format == "sqlite" ? "is full\n" : "no space left on device\n"))
    #expect(result.error.contains("When it can be written again, "))
  }

  @Test func `a full standard output ends with 73`() throws {
    let result = try Scratch(script: Scripts.numbers).shell("lookahead run feed.lua > /dev/full")

    #expect(result.exitCode == 73)
    #expect(
      result.error == """
        error: can't write standard output: no space left on device
          When it can be written again, the same command begins anew.
        """)
  }

  @Test(arguments: ["ndjson", "csv", "json"])
  func `a reader that goes away ends the run quietly`(format: String) throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let result = try scratch.shell(
      "lookahead run feed.lua --param count=100000 --format \(format) | head -1; exit ${PIPESTATUS[0]}")

    #expect(result.exitCode == 0)
    #expect(result.lines.count == 1)
    #expect(result.errors == "")
  }

  @Test func `a run that writes again to a database replaces items and adds none`() throws {
    let scratch = try Scratch(script: Scripts.numbers)

    for _ in 1...2 { _ = try scratch.lookahead("run", "feed.lua", "-o", "a.db") }

    #expect(
      try scratch.shell("sqlite3 a.db 'select count(*), count(distinct id) from numbers'").output
        == "1000|1000\n")
  }

  @Test func `a run that fails before its first item leaves the output as it was`() throws {
    let scratch = try Scratch(script: "return nil nil")
    _ = try scratch.shell("echo kept > old.ndjson")

    let result = try scratch.lookahead("run", "feed.lua", "-o", "old.ndjson")

    #expect(result.exitCode == 65)
    #expect(try scratch.text("old.ndjson") == "kept\n")
  }

  @Test func `items without an id are rows of their own`() throws {
    let scratch = try Scratch(script: "for i = 1, 3 do lookahead.emit { a = i } end")

    let result = try scratch.lookahead("run", "feed.lua", "-o", "a.db")

    #expect(result.exitCode == 0)
    #expect(try scratch.shell("sqlite3 a.db 'select count(*) from feed'").output == "3\n")
  }

  @Test func `an empty id is refused by its place`() throws {
    let scratch = try Scratch(
      script:
        "local s = lookahead.source {}\nfunction s.fetch() return { items = { { id = \"\" } } } end\nreturn s"
    )

    let result = try scratch.lookahead("run", "feed.lua")

    #expect(result.exitCode == 65)
    #expect(result.errors.contains("item 1 of the page has no usable 'id'"))
  }
}
