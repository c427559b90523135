import Hosting
import Items
import Paging
import Testing

@Suite struct SinkTextTests {
  private let folder = TemporaryFolder()

  @Test(arguments: [
    ("a.ndjson", SinkFormat.ndjson), ("a.jsonl", .ndjson), ("a.csv", .csv), ("dir.csv/a", .ndjson),
    ("a.JSON", .json),
    ("a.db", .sqlite), ("a.sqlite", .sqlite), ("a.sqlite3", .sqlite), ("-", .ndjson), ("a.txt", .ndjson),
    ("a.csv/", .ndjson),
  ])
  func `the extension says the format`(path: String, format: SinkFormat) {
    #expect(SinkFormat.format(forPath: path) == format)
  }

  @Test func `NDJSON is an item a line, byte for byte`() throws {
    let sink = try makeSink(SinkConfiguration(path: folder.file("a.ndjson")))

    #expect(sink.answer([item(1, #"{"a": "\u00e9"}"#), item(2, "[1,2]")]) == .done)
    #expect(sink.answer([]) == .done)
    #expect(sink.answer([item(3, "\"x\"")]) == .done)
    let report = sink.finish()

    #expect(folder.text(of: "a.ndjson") == "{\"a\": \"\\u00e9\"}\n[1,2]\n\"x\"\n")
    #expect(report.items == ["items": 3])
    #expect(report.bytes == 26)
    #expect(report.failure == nil)
  }

  @Test func `JSON is one array`() throws {
    let sink = try makeSink(SinkConfiguration(path: folder.file("a.json")))

    sink.answer([item(1, "{\"a\":1}"), item(2, "{}")])
    sink.answer([item(3, "3")])
    _ = sink.finish()

    #expect(folder.text(of: "a.json") == "[\n{\"a\":1},\n{},\n3\n]\n")
  }

  @Test(arguments: [("a.ndjson", ""), ("a.json", "[]\n"), ("a.csv", "")])
  func `no items are a complete text too`(name: String, text: String) throws {
    #expect(
      try makeSink(SinkConfiguration(path: folder.file(name))).finish() == report(bytes: text.utf8.count))

    #expect(folder.names == [name])
    #expect(folder.text(of: name) == text)
  }

  @Test func `a file is emptied first`() throws {
    folder.write("old\nold\n", to: "a.ndjson")

    _ = try makeSink(SinkConfiguration(path: folder.file("a.ndjson"))).finish()

    #expect(folder.text(of: "a.ndjson") == "")
  }

  @Test func `a large output is all there`() throws {
    let sink = try makeSink(SinkConfiguration(path: folder.file("a.ndjson")))
    var expected = ""
    for page in 0..<300 {
      let items = (0..<100).map { item(Int64(page * 100 + $0), "{\"id\":\(page * 100 + $0)}") }
      sink.answer(items)
      expected += items.map { "\($0.bytes.string)\n" }.joined()
    }

    #expect(sink.finish().items == ["items": 30_000])

    #expect(folder.text(of: "a.ndjson") == expected)
  }

  @Test func `a tag is the last member`() throws {
    var configuration = SinkConfiguration(path: folder.file("a.ndjson"))
    configuration.isTagged = true
    let sink = try makeSink(configuration)

    #expect(sink.answer([item(1, "{\"a\":1}"), item(2, "{}"), item(3, "{ }"), item(4, "[1]")]) == .done)
    #expect(sink.answer([item(1, "{\"a\":{}} ")], stream: "the \"second\"") == .done)

    #expect(sink.finish().items == ["items": 4, "the \"second\"": 1])
    #expect(
      folder.text(of: "a.ndjson") == """
        {"a":1,"_stream":"items"}
        {"_stream":"items"}
        { "_stream":"items"}
        {"value":[1],"_stream":"items"}
        {"a":{},"_stream":"the \\"second\\""}

        """)
  }

  @Test func `a folder has a file for each stream`() throws {
    for (format, texts) in [
      (SinkFormat.ndjson, ["{\"a\":1}\n{\"a\":2}\n", "{\"b\":1}\n"]),
      (.json, ["[\n{\"a\":1},\n{\"a\":2}\n]\n", "[\n{\"b\":1}\n]\n"]),
      (.csv, ["a\r\n1\r\n2\r\n", "b\r\n1\r\n"]),
    ] {
      let sink = try makeSink(SinkConfiguration(path: folder.file("\(format)/"), format: format))
      sink.answer([item(1, "{\"a\":1}")])
      sink.answer([item(1, "{\"b\":1}")], stream: "issues")
      sink.answer([item(2, "{\"a\":2}")], stream: "items")

      #expect(sink.finish().items == ["items": 2, "issues": 1])
      #expect(folder.text(of: "\(format)/items.\(format)") == texts[0])
      #expect(folder.text(of: "\(format)/issues.\(format)") == texts[1])
    }
  }

  @Test func `a folder that is there needs no slash`() throws {
    folder.makeFolder("out")
    let sink = try makeSink(SinkConfiguration(path: folder.file("out")))

    sink.answer([item(1, "{}")], stream: "a")
    _ = sink.finish()

    #expect(folder.text(of: "out/a.ndjson") == "{}\n")
  }

  @Test(arguments: ["../a", "a/b", ".", "..", "", ".a", "a\0"])
  func `a stream that can't name a file is an error`(name: String) throws {
    let sink = try makeSink(SinkConfiguration(path: folder.file("out/")))

    sink.answer([item(1, "{}")], stream: name)

    #expect(sink.finish().failure?.code == .invalid)
    #expect(folder.names == ["out"])
  }

  @Test(arguments: [
    (#"{"_stream":"x","a":"b"}"#, #"{"a":"b","_stream":"s"}"#),
    (#"{"_stream":{"_stream":1}}"#, #"{"_stream":"s"}"#),
    (#"{"a":"\"","\u005fstream":2,"c":[{}],"_stream":3}"#, #"{"a":"\"","c":[{}],"_stream":"s"}"#),
    (#"{"a":{"_stream":1}}"#, #"{"a":{"_stream":1},"_stream":"s"}"#),
  ])
  func `a tag takes the place of a member of its name`(before: String, after: String) throws {
    var configuration = SinkConfiguration(path: folder.file("a.ndjson"))
    configuration.isTagged = true
    let sink = try makeSink(configuration)
    sink.answer([item(1, before)], stream: "s")
    #expect(sink.finish().failure == nil)

    #expect(folder.text(of: "a.ndjson") == after + "\n")
  }

  @Test func `two streams can't share a file without a tag`() throws {
    let path = folder.file("a.ndjson")
    let sink = try makeSink(SinkConfiguration(path: path))

    sink.answer([item(1, "{}")])
    sink.answer([item(2, "{}")], stream: "issues")
    let report = sink.finish()

    #expect(
      report.failure
        == HostFailure(
          .invalid,
          "the streams items and issues can't both go to \(path): "
            + "--tag marks each item with its stream, -o FOLDER/ makes a file for each"))
    #expect(report.items == ["items": 1])
    #expect(report.remains.aside == ["\(path).partial"])
    #expect(folder.names == ["a.ndjson.partial"])
    #expect(folder.text(of: "a.ndjson.partial") == "{}\n")
  }

  @Test func `one stream with a name needs no tag`() throws {
    let sink = try makeSink(SinkConfiguration(path: folder.file("a.ndjson")))

    #expect(sink.answer([item(1, "{}")], stream: "issues") == .done)

    #expect(sink.finish().items == ["issues": 1])
  }

  private func report(bytes: Int) -> SinkReport {
    var report = SinkReport()
    report.bytes = bytes
    return report
  }
}
