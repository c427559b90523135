import Foundation
import Hosting
import Items
import Paging
import TestSupport
import Testing

/// Rows that go to a database of which nothing is known but its driver, beside those that go there natively.
@Suite(.enabled(if: Destination.isPossible, Destination.need)) struct GenericDriverTests {
  private static let deliveries = [
    [
      item(1, #"{"id":1,"name":"it's","n":1,"r":0.5,"ok":true,"tags":["a"],"at":"2024-01-01T00:00:00Z"}"#),
      item(2, #"{"id":2,"name":null,"n":2,"r":1.5,"ok":false,"tags":{"k":1},"late":"é"}"#),
    ],
    [
      item(2, #"{"id":2,"name":"two","n":"many","ok":true}"#),
      item(3, #"{"id":3,"name":"three","n":0.25,"ok":"maybe"}"#),
    ],
  ]
  private static let query =
    "select id, name, n, r, ok, tags, late from items order by id"

  private func write(_ output: String, _ deliveries: [[Item]]) throws -> SinkReport {
    let sink = try makeSink(SinkConfiguration(path: output))
    for items in deliveries { _ = sink.answer(items) }
    return sink.finish()
  }

  private func generic(_ destination: Destination) -> String {
    switch destination.kind {
    case .postgresql:
      "adbc:postgresql?uri="
        + (destination.output.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    case .duckdb, .parquet: "adbc:duckdb?path=\(destination.output)"
    }
  }

  @Test(arguments: DestinationTests.databases)
  func `rows are the same as those that a native output writes, in one run and in two`(
    kind: Destination.Kind
  ) throws {
    let (native, one, two) = (try Destination(kind), try Destination(kind), try Destination(kind))

    let reports = [
      try write(native.output, Self.deliveries), try write(generic(one), Self.deliveries),
      try write(generic(two), [Self.deliveries[0]]), try write(generic(two), [Self.deliveries[1]]),
    ]

    for report in reports { #expect(report.failure == nil, "\(report.failure?.message ?? "")") }
    let text = kind == .postgresql ? "text" : "varchar"
    let query = Self.query.replacing("tags", with: "replace(cast(tags as \(text)), ' ', '')")
    let rows = try native.rows(query)
    #expect(rows.count == 3)
    #expect(try one.rows(query) == rows)
    #expect(try two.rows(query) == rows)
    // What is not known to mean the same everywhere is a text.
    #expect(try one.columns().contains("at \(text)"))
  }

  @Test(arguments: DestinationTests.databases)
  func `what rows say nothing of stays`(kind: Destination.Kind) throws {
    let destination = try Destination(kind)
    _ = try write(generic(destination), [[item(1, #"{"id":1,"x":1}"#)]])
    _ = try destination.rows("alter table items add column note varchar")
    _ = try destination.rows("update items set note = 'mine'")

    let report = try write(
      generic(destination), [[item(1, #"{"id":1,"x":2}"#), item(2, #"{"id":2,"x":3}"#)]])

    #expect(report.failure == nil, "\(report.failure?.message ?? "")")
    #expect(try destination.rows("select id, x, note from items order by id") == ["1|2|mine", "2|3|NULL"])
  }

  @Test func `a driver that is not there is named, and so is a library that is none`() throws {
    for (output, message) in [
      ("adbc:nosuch?uri=x", "there is no driver for nosuch"),
      ("adbc:/etc/hostname", "the driver can't be loaded"),
      ("adbc:duckdb?path=/nonexistent/x.duckdb&password=hunter2", "adbc:duckdb: "),
    ] {
      let failure = #expect(throws: HostFailure.self) { try makeSink(SinkConfiguration(path: output)) }

      #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "")")
      #expect(failure?.message.contains("hunter2") == false)
    }
  }

  @Test(
    .enabled(if: TestDrivers.haveSQLite, "no driver for SQLite: scripts/bootstrap.sh --tests installs it"))
  func `SQLite by its driver has the rows that our own sink writes`() throws {
    let folder = TemporaryFolder()
    let (native, generic) = (folder.file("native.db"), folder.file("generic.db"))

    let report = try write("adbc:sqlite?uri=\(generic)", Self.deliveries)
    _ = try write(native, Self.deliveries)

    #expect(report.failure == nil, "\(report.failure?.message ?? "")")
    func rows(_ path: String) throws -> String {
      try Destination.python(
        "import sqlite3, sys\nfor row in sqlite3.connect('\(path)').execute(sys.stdin.read()): print(*map(str, row))",
        input: "select id, name, cast(r as text), tags, late from items order by id")
    }
    #expect(try rows(generic) == rows(native))
    #expect(try rows(generic).split(separator: "\n").count == 3)
  }
}
