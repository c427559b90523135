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

  /// A UUID as sources write it, the first as databases do.
  private static let uuid = "6f2b8f0e-51f2-4c0c-9b61-2c1e66b8f6f1"
  private static let spellings: [String] = [
    uuid, uuid.uppercased(), uuid.filter { $0 != "-" }, "{\(uuid)}", "{\(uuid.uppercased())}",
    "6F2b8f0E51F24c0c9b612c1e66b8f6f1",
  ]

  /// A table of UUIDs that somebody else has made.
  private func makeTable(_ kind: Destination.Kind) throws -> Destination {
    let destination = try Destination(kind)
    let key = kind == .postgresql ? " primary key" : ""
    _ = try destination.rows("create table items (id uuid\(key), v text)")
    return destination
  }

  @Test(arguments: DestinationTests.databases)
  func `a UUID is one row of a column of UUIDs however it is written`(kind: Destination.Kind) throws {
    let items = Self.spellings.enumerated().map {
      item($0.element, #"{"id":"\#($0.element)","v":"\#($0.offset)"}"#)
    }
    for order in [items, items.reversed()] {
      let (one, several) = (try makeTable(kind), try makeTable(kind))

      var reports = [try one.write(all: [order]) { $0.adopts = true }]
      for item in order { reports.append(try several.write([item]) { $0.adopts = true }) }

      for report in reports { #expect(report.failure == nil, "\(report.failure?.message ?? "")") }
      let last = order[0].id == items[0].id ? items.count - 1 : 0
      for destination in [one, several] {
        #expect(try destination.rows("select id, v from items") == ["\(Self.uuid)|\(last)"])
      }
    }
  }

  @Test(arguments: DestinationTests.databases, spellings)
  func `a mirror keeps the row of a UUID however it is written`(kind: Destination.Kind, spelling: String)
    throws
  {
    let destination = try makeTable(kind)
    let gone = Self.uuid.replacing("6f2b", with: "0000")
    func read(_ ids: [String]) throws -> SinkReport {
      var configuration = SinkConfiguration(path: destination.output)
      (configuration.idField, configuration.adopts, configuration.state.write) = ("id", true, .mirror)
      let sink = try makeSink(configuration)
      let answer = sink.answer(ReadingRequest(source: "items"))
      guard case .begun(let begun) = answer else { throw Unreadable(reason: "\(answer)") }
      var delivery = Delivery(items: ids.map { item($0, #"{"id":"\#($0)"}"#) })
      delivery.reading = begun.id
      delivery.mark = ReadingMark(.end(isComplete: true))
      sink.answer(delivery)
      return sink.finish(.whole)
    }

    let reports = [try read([gone, spelling]), try read([spelling]), try read([spelling])]

    for report in reports { #expect(report.failure == nil, "\(report.failure?.message ?? "")") }
    #expect(try destination.rows("select id from items") == [Self.uuid])
  }
}
