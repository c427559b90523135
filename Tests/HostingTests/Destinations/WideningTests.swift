import Hosting
import Items
import Paging
import TestSupport
import Testing

/// Columns that get another type as values come: what is in them in the end does not depend on the order.
@Suite(.enabled(if: Destination.isPossible, Destination.need)) struct WideningTests {
  /// The values of a column, of one item each.
  private static let columns = [
    ["5", "0.5", #""x""#, "null"], ["5.0", "5", "1e2", #""x""#], ["1e300", "3", "1e-7", #""x""#],
    ["0.1", "1.5e-5", "9007199254740994.0", #""x""#], ["1234567890123456.5", "-0.0", "1e20", #""x""#],
    ["5", "0.5", "9007199254740993", "null"], ["true", "1", "null", "0.5"], ["1", "2.0", "3", "2.5"],
    [#""2024-01-01""#, "5", "0.25", "null"], [#""2024-01-01T00:00:00.500Z""#, "0.00012", "7", "null"],
    ["18446744073709551616", "1", "0.30000000000000004", "null"],
    ["123456789012345.6", "-5", #""""#, "false"], ["-0", "true", "5", "-0"],
    ["1.5", "10000000000000000.0", "1e17", "2.5"], ["-0.5", "-20000000000000000000.0", #""x""#, "-0"],
    ["1e23", "1125899906842623.9", #""x""#, "-1e23"],
  ]

  private static func items(_ order: [Int]) -> [Item] {
    order.map { place in
      let members = columns.enumerated().map { "\"c\($0.offset)\":\($0.element[place])" }
      return item(Int64(place), "{\"id\":\(place),\(members.joined(separator: ","))}")
    }
  }

  /// The rows with the types of their columns.
  private func contents(_ destination: Destination) throws -> [String] {
    let names = Self.columns.indices.map { "c\($0)" }
    let types = try destination.columns().filter { $0.hasPrefix("c") }.sorted()
    return try types + destination.rows("select \(names.joined(separator: ", ")) from items order by id")
  }

  @Test(arguments: Destination.Kind.allCases)
  func `the same values in any order, at once or one by one, make the same table`(kind: Destination.Kind)
    throws
  {
    var random = SystemRandomNumberGenerator()
    let orders = [[0, 1, 2, 3], [3, 2, 1, 0]] + (0..<5).map { _ in [0, 1, 2, 3].shuffled(using: &random) }
    var first: [String] = []
    for (number, order) in orders.enumerated() {
      let destination = try Destination(kind)
      let items = Self.items(order)

      let report = try destination.write(all: number.isMultiple(of: 2) ? items.map { [$0] } : [items])

      #expect(report.failure == nil, "\(order) \(report.failure?.message ?? "")")
      let found = try contents(destination)
      if first.isEmpty { first = found }
      #expect(found == first, "\(order)")
    }
    #expect(first.contains { $0.hasPrefix("5|5|") }, "\(first)")
  }

  @Test func `a driver of which nothing is known keeps all digits too`() throws {
    let (one, other) = (try Destination(.duckdb), try Destination(.duckdb))
    for (destination, order) in [(one, [0, 1, 2, 3]), (other, [3, 2, 1, 0])] {
      let sink = try makeSink(SinkConfiguration(path: "adbc:duckdb?path=\(destination.output)"))
      for item in Self.items(order) { _ = sink.answer([item]) }
      let report = sink.finish()
      #expect(report.failure == nil, "\(report.failure?.message ?? "")")
    }

    #expect(try contents(one) == contents(other))
  }
}
