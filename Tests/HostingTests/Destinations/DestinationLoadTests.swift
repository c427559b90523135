import Hosting
import Items
import Paging
import TestSupport
import Testing

/// Loads so large that rows are copied while others come: what could go wrong between two portions, and in silence.
@Suite(.enabled(if: Destination.isPossible, Destination.need)) struct DestinationLoadTests {
  /// How ids come.
  enum Order: String, CaseIterable { case growing, falling, mixed, texts, twice }

  /// So long that a thousand items are a portion.
  private static let long = String(repeating: "x", count: 1000)

  private static func number(of place: Int, _ order: Order, _ count: Int) -> Int {
    switch order {
    case .growing, .texts: place
    case .falling: count - place
    case .mixed: place * 7919 % count
    // Each hundredth is one that has come, in the same delivery or long before.
    case .twice: place % 100 == 99 ? place / 3 : place
    }
  }

  @Test(arguments: Destination.Kind.allCases, Order.allCases)
  func `each id has its last row, in whatever order they come`(kind: Destination.Kind, order: Order) throws {
    let destination = try Destination(kind)
    let (count, size) = (9000, 300)
    var last: [Int: Int] = [:]
    var deliveries: [[Item]] = []
    for start in stride(from: 0, to: count, by: size) {
      deliveries.append(
        (start..<start + size).map { place in
          let number = Self.number(of: place, order, count)
          last[number] = place
          let id = order == .texts ? "\"id \(number)\"" : "\(number)"
          let json = #"{"id":\#(id),"place":\#(place),"note":"\#(Self.long)"}"#
          return order == .texts ? item("id \(number)", json) : item(Int64(number), json)
        })
    }

    let report = try destination.write(all: deliveries)

    #expect(report.failure == nil)
    let sum = last.reduce(0) { $0 + $1.key * $1.value % 1009 }
    let id = order == .texts ? "cast(substr(id, 4) as bigint)" : "id"
    #expect(
      try destination.rows(
        "select count(*), count(distinct id), sum(\(id) * place % 1009), min(length(note)) from items")
        == ["\(last.count)|\(last.count)|\(sum)|1000"])
  }

  @Test(arguments: Destination.Kind.allCases)
  func `columns come and widen in the middle of a load, and no row is lost or moved`(kind: Destination.Kind)
    throws
  {
    let destination = try Destination(kind)
    let deliveries = (0..<30).map { delivery in
      (0..<300).map { place in
        let number = delivery * 300 + place
        let value = number < 4000 ? "\(number)" : number < 6500 ? "\(number).5" : "\"n\(number)\""
        let late = number % 2500 == 2499 ? #","late\#(number)":\#(number)"# : ""
        return item(Int64(number), #"{"id":\#(number),"v":\#(value)\#(late),"note":"\#(Self.long)"}"#)
      }
    }

    let report = try destination.write(all: deliveries)

    #expect(report.failure == nil)
    let rows = try destination.rows(
      "select id, v, late2499, late4999, late7499 from items where id in (0, 2499, 3999, 4000, 4999, 6499, 6500, 7499, 8999) "
        + "order by id")
    #expect(
      rows.map { $0.replacing(".0|", with: "|") } == [
        "0|0|NULL|NULL|NULL", "2499|2499|2499|NULL|NULL", "3999|3999|NULL|NULL|NULL",
        "4000|4000.5|NULL|NULL|NULL", "4999|4999.5|NULL|4999|NULL", "6499|6499.5|NULL|NULL|NULL",
        "6500|n6500|NULL|NULL|NULL", "7499|n7499|NULL|NULL|7499", "8999|n8999|NULL|NULL|NULL",
      ])
    #expect(
      try destination.rows(
        "select count(*), count(distinct id), count(late2499), count(late4999), count(late7499) from items")
        == ["9000|9000|1|1|1"])
  }

  @Test(arguments: Destination.Kind.allCases, [3, 31, 32, 33, 60, 200])
  func `of a member that comes twice the last one counts, however many there are`(
    kind: Destination.Kind, count: Int
  ) throws {
    let destination = try Destination(kind)
    let twice = [0, count / 2, count - 1]
    func items(_ numbers: Range<Int>, _ more: (Int) -> String) -> [Item] {
      numbers.map { number in
        let members = (0..<count).map { #""m\#($0)":\#($0)"# }.joined(separator: ",")
        return item(Int64(number), #"{"id":\#(number),\#(members)\#(more(number))}"#)
      }
    }

    let report = try destination.write(
      items(0..<100) { _ in "" },
      items(100..<200) { _ in twice.map { #","m\#($0)":null"# }.joined() + #","unknown":null"# },
      items(200..<300) { number in twice.map { #","m\#($0)":\#(number)"# }.joined() },
      items(300..<400) { number in twice.map { #","m\#($0)":null,"m\#($0)":\#(number)"# }.joined() })

    #expect(report.failure == nil)
    let columns = twice.map { "min(m\($0)), count(m\($0))" }.joined(separator: ", ")
    #expect(
      try destination.rows(
        "select min(id), \(columns), count(*) from items group by id - id % 100 order by 1") == [
          "0|\(twice.map { "\($0)|100" }.joined(separator: "|"))|100",
          "100|\(twice.map { _ in "NULL|0" }.joined(separator: "|"))|100",
          "200|\(twice.map { _ in "200|100" }.joined(separator: "|"))|100",
          "300|\(twice.map { _ in "300|100" }.joined(separator: "|"))|100",
        ])
  }

  @Test(arguments: DestinationTests.databases)
  func `rows go on behind those of another run, and replace them`(kind: Destination.Kind) throws {
    let destination = try Destination(kind)
    func items(_ numbers: Range<Int>, _ value: Int) -> [[Item]] {
      stride(from: numbers.lowerBound, to: numbers.upperBound, by: 300).map { start in
        (start..<start + 300).map {
          item(Int64($0), #"{"id":\#($0),"v":\#(value),"note":"\#(Self.long)"}"#)
        }
      }
    }

    _ = try destination.write(all: items(0..<3000, 1))
    _ = try destination.write(all: items(3000..<6000, 2))
    _ = try destination.write(all: items(1500..<4500, 3))

    #expect(
      try destination.rows("select v, count(*), min(id), max(id) from items group by v order by v") == [
        "1|1500|0|1499", "2|1500|4500|5999", "3|3000|1500|4499",
      ])
  }

  @Test(arguments: DestinationTests.databases)
  func
    `an item that is refused in the middle of a load takes none with it that is committed, and all come later`(
      kind: Destination.Kind
    ) throws
  {
    let destination = try Destination(kind)
    let bad = kind == .postgresql ? #""a\u0000b""# : "1}"
    func deliveries(_ broken: Bool) -> [[Item]] {
      (0..<20).map { delivery in
        (0..<300).map { place in
          let number = delivery * 300 + place
          let value = broken && number == 5000 ? bad : "\"v\""
          return item(Int64(number), #"{"id":\#(number),"v":\#(value),"note":"\#(Self.long)"}"#)
        }
      }
    }

    let refused = try destination.write(all: deliveries(true))
    let report = try destination.write(all: deliveries(false))

    #expect(refused.failure?.message.contains("5000") == true)
    #expect(report.failure == nil)
    #expect(try destination.rows("select count(*), count(distinct id) from items") == ["6000|6000"])
  }

  @Test func `a row that stays as it is is not written, and the least difference is`() throws {
    let destination = try Destination(.postgresql)
    let rows = [
      (1, #"{"id":1,"r":0.5,"l":{"a":1},"t":"x"}"#, #"{"id":1,"r":0.5,"l":{"a":1},"t":"x"}"#),
      (2, #"{"id":2,"r":0.0,"l":[1],"t":"x"}"#, #"{"id":2,"r":-0.0,"l":[1],"t":"x"}"#),
      (3, #"{"id":3,"r":1.5,"l":{"a":1},"t":"x"}"#, #"{"id":3,"r":1.5,"l":{"a":1.0},"t":"x"}"#),
      (4, #"{"id":4,"r":1.5,"l":null,"t":""}"#, #"{"id":4,"r":1.5,"l":null,"t":null}"#),
      (5, #"{"id":5,"r":1.5,"l":null,"t":"é"}"#, #"{"id":5,"r":1.5,"t":"é"}"#),
    ]
    _ = try destination.write(rows.map { item(Int64($0.0), $0.1) })
    let before = try destination.rows("select xmin from items order by id")

    let report = try destination.write(rows.map { item(Int64($0.0), $0.2) })

    #expect(report.failure == nil)
    let after = try destination.rows("select xmin from items order by id")
    #expect(zip(before, after).map { $0 == $1 } == [true, false, false, false, true])
    #expect(
      try destination.rows("select id, r, l, t from items order by id") == [
        #"1|0.5|{"a": 1}|x"#, "2|-0|[1]|x", #"3|1.5|{"a": 1.0}|x"#, "4|1.5|NULL|NULL", "5|1.5|NULL|é",
      ])
  }

  @Test func `columns that somebody has put elsewhere get their own values`() throws {
    let destination = try Destination(.duckdb)
    _ = try destination.write([item(1, #"{"id":1,"x":1,"y":2}"#)])
    _ = try destination.rows("alter table items drop column x")
    _ = try destination.rows("alter table items add column x bigint")

    let report = try destination.write([item(2, #"{"id":2,"x":10,"y":20}"#)])

    #expect(report.failure == nil)
    #expect(try destination.rows("select id, x, y from items order by id") == ["1|NULL|2", "2|10|20"])
  }

  @Test(arguments: [Destination.Kind.duckdb, .parquet])
  func `a wide table has the room that it takes`(kind: Destination.Kind) throws {
    let destination = try Destination(kind)
    let members = (1..<120).map { #""c\#($0)":"v\#($0)""# }.joined(separator: ",")
    let deliveries = stride(from: 0, to: 24_000, by: 2000).map { start in
      (start..<start + 2000).map { item(Int64($0), #"{"id":\#($0),\#(members)}"#) }
    }

    let report = try destination.write(all: deliveries)

    #expect(report.failure == nil)
    #expect(try destination.rows("select count(*), min(c1), max(c119) from items") == ["24000|v1|v119"])
  }

  @Test(arguments: [Destination.Kind.duckdb, .parquet])
  func `long texts have the room that they take, new and changed`(kind: Destination.Kind) throws {
    let destination = try Destination(kind)
    func deliveries(_ version: Int) -> [[Item]] {
      stride(from: 0, to: 15_000, by: 500).map { start in
        (start..<start + 500).map { number in
          let note = String(repeating: "\(version * number * 7919 % 99991) ", count: 600)
          return item("id \(number)", #"{"id":"id \#(number)","version":\#(version),"note":"\#(note)"}"#)
        }
      }
    }

    for version in 1...2 {
      let report = try destination.write(all: deliveries(version))

      #expect(report.failure == nil)
      #expect(
        try destination.rows("select version, count(*), count(distinct id) from items group by version")
          == ["\(version)|15000|15000"])
    }
  }

  @Test(arguments: [Destination.Kind.duckdb, .parquet], [3000, 100_000, 1_000_000])
  func `texts of any length have the room that they take`(kind: Destination.Kind, length: Int) throws {
    let destination = try Destination(kind)
    let count = 120_000_000 / length / 100
    let deliveries = (0..<100).map { delivery in
      (delivery * count..<(delivery + 1) * count).map { number in
        let word = "\(number * 7919 % 99991) "
        let note = String(repeating: word, count: length / word.utf8.count)
        return item(Int64(number), #"{"id":\#(number),"note":"\#(note)"}"#)
      }
    }

    let report = try destination.write(all: deliveries)

    #expect(report.failure == nil, "\(report.failure?.message ?? "")")
    #expect(
      try destination.rows(
        "select count(*), count(distinct id), min(length(note)) > \(length - 20) from items")
        == ["\(count * 100)|\(count * 100)|True"])
  }
}
