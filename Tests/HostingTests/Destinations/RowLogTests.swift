import Foundation
import Hosting
import Items
import Paging
import TestSupport
import Testing

/// Rows that a run has left in a log, because its Parquet file was not whole yet.
@Suite(.enabled(if: Destination.isPossible, Destination.need)) struct RowLogTests {
  /// What may happen to a file on a disk.
  enum Damage: String, CaseIterable { case missing, empty, shorter, counts, value, bits, lengths }

  private static func items(_ numbers: Range<Int>, _ members: (Int) -> String) -> [Delivery] {
    stride(from: numbers.lowerBound, to: numbers.upperBound, by: 1000).map { start in
      Delivery(
        items: (start..<min(start + 1000, numbers.upperBound)).map {
          item(Int64($0), #"{"id":\#($0),\#(members($0))}"#)
        })
    }
  }

  private static func items(_ numbers: Range<Int>) -> [Delivery] {
    items(numbers) { #""note":"name \#($0)","v":\#($0 * 3)"# }
  }

  private static func damage(_ bytes: Data, _ damage: Damage) -> Data? {
    var bytes = bytes
    switch damage {
    case .missing: return nil
    case .empty: return Data()
    case .shorter: bytes.removeLast()
    case .counts: bytes[0] ^= 1
    case .value: bytes[bytes.range(of: Data("name 2500".utf8))!.lowerBound + 6] ^= 1
    // How many are NULL of the first column, and how long its values are.
    case .bits: bytes[8] ^= 1
    case .lengths: bytes[31] ^= 0x7f
    }
    return bytes
  }

  @Test(arguments: Damage.allCases, [false, true])
  func `a log that is not as it was left is an error each time, and no row is lost once it is`(
    damage: Damage, hasReading: Bool
  ) throws {
    let destination = try Destination(.parquet)
    _ = try destination.write(Self.items(0..<3000), .cut)
    let log = URL(fileURLWithPath: destination.output + ".rows.partial.log")
    let whole = try Data(contentsOf: log)
    let damaged = Self.damage(whole, damage)
    if let damaged { try damaged.write(to: log) } else { try FileManager.default.removeItem(at: log) }

    for ending in [SinkEnding.whole, .cut, .paused, .whole] {
      let report = Result { () throws -> SinkReport in
        let sink = try makeSink(SinkConfiguration(path: destination.output))
        if hasReading { sink.answer(ReadingRequest(source: "items")) }
        for delivery in Self.items(3000..<4000) { sink.answer(delivery) }
        return sink.finish(ending)
      }

      let message = (try? report.get()).map { $0.failure?.message ?? "" } ?? "\(report)"
      #expect(message.contains("out.parquet.rows.partial.log"), "\(message)")
      #expect(message.contains("--fresh begins anew"), "\(message)")
      #expect((try? Data(contentsOf: log)) == damaged)
      #expect(!destination.names.contains("out.parquet"))
    }

    try whole.write(to: log)
    let report = try destination.write(Self.items(3000..<4000), .whole)

    #expect(report.failure == nil)
    #expect(destination.names == ["out.parquet"])
    #expect(
      try destination.rows("select count(*), count(distinct id), sum(v) from items") == [
        "4000|4000|\(3 * (0..<4000).reduce(0, +))"
      ])
  }

  @Test func `a log that can't be read is left behind by --fresh`() throws {
    let destination = try Destination(.parquet)
    _ = try destination.write(Self.items(0..<3000), .cut)
    truncate(destination.output + ".rows.partial.log", 100)

    let report = try destination.write(Self.items(0..<2000), .whole) { $0.state.isFresh = true }

    #expect(report.failure == nil)
    #expect(try destination.rows("select count(*), count(distinct id) from items") == ["2000|2000"])
  }

  @Test(arguments: [
    ["true", "false", "null"], [#""2024-02-29""#, "null"], ["0.5", "-1e300"], [#""""#, "null"],
    [#""2024-02-29T23:59:59Z""#], ["[]", #"{"a":1}"#], ["null"],
  ])
  func `a log with few rows in its last portion, and any column as its last, is taken`(values: [String])
    throws
  {
    for count in [1, 7, 9, 50, 1000] {
      let (file, database) = (try Destination(.parquet), try Destination(.duckdb))
      let first = Self.items(0..<count) { #""z":\#(values[$0 % values.count])"# }
      // A column that comes later has the rows go where it can be made.
      let rest = Self.items(count..<count + 1) { #""zz":\#($0)"# }
      for destination in [file, database] {
        for (deliveries, ending) in [(first, SinkEnding.cut), (rest, .whole)] {
          let report = try destination.write(deliveries, ending)
          #expect(report.failure == nil, "\(count): \(report.failure?.message ?? "")")
        }
      }

      let query = "select * from items order by id"
      #expect(try file.rows(query) == (try database.rows(query)), "\(count)")
      #expect(try file.rows("select count(*) from items") == ["\(count + 1)"])
    }
  }
}
