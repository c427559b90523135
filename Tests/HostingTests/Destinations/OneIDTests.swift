import Hosting
import Items
import Paging
import TestSupport
import Testing

/// Ids that are written alike are one row, in whatever form a column has them.
@Suite(.enabled(if: Destination.isPossible, Destination.need)) struct OneIDTests {
  private static let forms: [[Item]] = [
    [item(1, #"{"id":1,"v":"a"}"#)], [item("1", #"{"id":"1","v":"b"}"#)], [item(1, #"{"id":1,"v":"c"}"#)],
    [
      item("1", #"{"id":"1","v":"d"}"#), item(1, #"{"id":1.0,"v":"e"}"#), item("01", #"{"id":"01","v":"f"}"#),
    ],
  ]

  @Test(arguments: DestinationTests.databases)
  func `a later form of an id takes the row, in one run and in several`(kind: Destination.Kind) throws {
    let (one, several) = (try Destination(kind), try Destination(kind))

    var reports = [try one.write(all: Self.forms)]
    for items in Self.forms { reports.append(try several.write(items)) }

    for report in reports { #expect(report.failure == nil, "\(report.failure?.message ?? "")") }
    for destination in [one, several] {
      #expect(try destination.rows("select id, v from items order by v") == ["1|e", "01|f"])
    }
  }

  @Test(arguments: DestinationTests.databases, ["", "text"])
  func `an id is removed in any form`(kind: Destination.Kind, type: String) throws {
    let destination = try Destination(kind)
    let items = (1...4).map { item(Int64($0), #"{"id":\#($0)}"#) }
    func write() throws -> SinkReport {
      var configuration = SinkConfiguration(path: destination.output)
      configuration.idField = "id"
      let place = try OutputPlace(configuration)
      if !type.isEmpty { place.declare(["id": .text], of: nil) }
      let sink = LateSink(place)
      try sink.prepare()
      _ = sink.answer(items)
      let gone: [ItemID] = [.text("1"), .integer(2), .text("03")]
      _ = sink.answer(Delivery(operations: gone.map { .remove($0, at: 0) }))
      return sink.finish(.whole)
    }

    let report = try write()

    #expect(report.failure == nil, "\(report.failure?.message ?? "")")
    #expect(try destination.rows("select id from items order by id") == ["3", "4"])
  }

  @Test func `UUIDs in letters of any size are one row of a column of UUIDs`() throws {
    let destination = try Destination(.postgresql)
    _ = try destination.rows("create table items (id uuid primary key, v text)")
    let id = "6f2b8f0e-51f2-4c0c-9b61-2c1e66b8f6f1"

    let report = try destination.write([
      item(id, #"{"id":"\#(id)","v":"a"}"#),
      item(id.uppercased(), #"{"id":"\#(id.uppercased())","v":"b"}"#),
    ]) { $0.adopts = true }

    #expect(report.failure == nil, "\(report.failure?.message ?? "")")
    #expect(try destination.rows("select id, v from items") == ["\(id)|b"])
  }
}
