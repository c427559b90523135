import Foundation
import Hosting
import Items
import Paging
import TestSupport
import Testing

/// Parquet files, which are written while rows come, as long as these are only new ones, and of a table otherwise.
@Suite(.enabled(if: Destination.isPossible, Destination.need)) struct ParquetTests {
  private static func items(_ numbers: Range<Int>, _ note: String = "x") -> [Delivery] {
    stride(from: numbers.lowerBound, to: numbers.upperBound, by: 1000).map { start in
      Delivery(
        items: (start..<min(start + 1000, numbers.upperBound)).map {
          item(Int64($0), #"{"id":\#($0),"v":\#($0 % 7),"note":"\#(note)"}"#)
        })
    }
  }

  @Test func `new rows wait in a log and in no table, and the next run goes on with them`() throws {
    let destination = try Destination(.parquet)

    let cut = try destination.write(Self.items(0..<30_000), .cut)

    #expect(cut.failure == nil)
    #expect(destination.names == ["out.parquet.rows.partial", "out.parquet.rows.partial.log"])
    let stage = "duckdb.connect('\(destination.output).rows.partial', read_only=True)"
    let count = try Destination.python(
      "import duckdb; print(\(stage).execute('select count(*) from items').fetchone()[0])")
    #expect(count == "0\n")

    let report = try destination.write(Self.items(30_000..<50_000), .whole)

    #expect(report.failure == nil)
    #expect(destination.names == ["out.parquet"])
    #expect(
      try destination.rows("select count(*), count(distinct id), min(id), max(id), sum(v) from items")
        == ["50000|50000|0|49999|\((0..<50_000).reduce(0) { $0 + $1 % 7 })"])
    let order =
      "select count(*) from (select id - lag(id) over (order by file_row_number) as step "
      + "from read_parquet('\(destination.output)', file_row_number = true)) where step <> 1"
    #expect(try destination.rows(order) == ["0"])
  }

  /// What a second run says of the state.
  @Test(arguments: [StateOptions(), .fresh, .unkept])
  func `a run leaves the one alone that is at work with the file, even to begin anew`(state: StateOptions)
    throws
  {
    let destination = try Destination(.parquet)
    var configuration = SinkConfiguration(path: destination.output)
    configuration.idField = "id"
    let first = try makeSink(configuration)
    for delivery in Self.items(0..<30_000) { _ = first.answer(delivery) }
    configuration.state = state

    let refused = #expect(throws: HostFailure.self) { try makeSink(configuration) }
    let report = first.finish(.whole)
    let names = destination.names
    let next = try destination.write(Self.items(0..<10), .whole) { $0.state = state }

    #expect(refused?.message.contains("another run is writing it") == true, "\(refused?.message ?? "")")
    #expect(report.failure == nil && next.failure == nil)
    #expect(names == ["out.parquet"] && destination.names == names)
    #expect(try destination.rows("select count(*) from items") == ["10"])
  }

  @Test func `a run that begins anew takes nothing of what one has left that was stopped`() throws {
    let destination = try Destination(.parquet)

    let cut = try destination.write(Self.items(0..<30_000), .cut)
    let report = try destination.write(Self.items(40_000..<40_010), .whole) { $0.state = .fresh }

    #expect(cut.failure == nil && report.failure == nil)
    #expect(destination.names == ["out.parquet"])
    #expect(try destination.rows("select count(*), min(id) from items") == ["10|40000"])
  }

  @Test func `rows without ids are as many in the file as came, without what counts them`() throws {
    let destination = try Destination(.parquet)
    let deliveries = (0..<30).map { number in
      var delivery = Delivery(
        items: (0..<1000).map { item(Int64($0), #"{"v":\#(number * 1000 + $0)}"#) })
      delivery.isNumbered = true
      return delivery
    }

    let report = try destination.write(deliveries, .whole, idField: nil)

    #expect(report.failure == nil)
    #expect(try destination.columns() == ["v bigint"])
    #expect(
      try destination.rows("select count(*), min(v), max(v), sum(v) from items") == [
        "30000|0|29999|449985000"
      ])
  }

  @Test func `of several streams each has its file, with all of its rows`() throws {
    let (folder, reader) = (TemporaryFolder(), try Destination(.duckdb))
    let configuration = SinkConfiguration(path: folder.path + "/", format: .parquet)
    let sink = LateSink(try OutputPlace(configuration))
    try sink.prepare()

    for delivery in Self.items(0..<25_000) {
      for stream in ["one", "two"] { sink.answer(delivery.items, stream: stream) }
    }
    let report = sink.finish(.whole)

    #expect(report.failure == nil)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
        "one.parquet", "two.parquet",
      ])
    for stream in ["one", "two"] {
      let rows = "select count(*), count(distinct id) from read_parquet('\(folder.path)/\(stream).parquet')"
      #expect(try reader.rows(rows) == ["25000|25000"])
    }
  }

  @Test(arguments: [[], ["two"]]) func `a stream that has become empty has an empty file in its folder`(
    others: [String]
  ) throws {
    let (folder, reader) = (TemporaryFolder(), try Destination(.duckdb))
    func read(_ counts: [(stream: String, count: Int)]) throws -> SinkReport {
      let sink = try makeSink(SinkConfiguration(path: folder.path + "/", format: .parquet))
      for (stream, count) in counts {
        let answer = sink.answer(ReadingRequest(stream: stream, source: stream))
        guard case .begun(let begun) = answer else { throw Unreadable(reason: "\(answer)") }
        let items = (0..<count).map { item(Int64($0), #"{"id":\#($0)}"#) }
        var delivery = Delivery(stream: stream, items: items)
        delivery.reading = begun.id
        delivery.mark = ReadingMark(.end(isComplete: true))
        sink.answer(delivery)
      }
      return sink.finish(.whole)
    }

    let first = try read((["one"] + others).map { ($0, 3) })
    let second = try read([("one", 0)] + others.map { ($0, 2) })

    #expect(first.failure == nil && second.failure == nil)
    #expect(folder.names == (["one"] + others).map { $0 + ".parquet" })
    let counts = (["one"] + others).map {
      "(select count(*) from read_parquet('\(folder.path)/\($0).parquet'))"
    }
    #expect(
      try reader.rows("select \(counts.joined(separator: ", "))") == [
        (["0"] + others.map { _ in "2" }).joined(separator: "|")
      ])
  }

  @Test(arguments: 0..<8)
  func `whatever comes in whatever runs, the file has what a database has`(seed: Int) throws {
    let (file, database) = (try Destination(.parquet), try Destination(.duckdb))
    var course = RandomCourse(seed: UInt64(seed))
    let runs = (0..<3).map { _ in course.run() }

    for (number, deliveries) in runs.enumerated() {
      let ending: SinkEnding = number < runs.count - 1 ? .cut : .whole
      for destination in [file, database] {
        let report = try destination.write(deliveries, ending)
        #expect(report.failure == nil, "seed \(seed): \(report.failure?.message ?? "")")
      }
    }

    let columns = try file.columns()
    #expect(columns == (try database.columns()), "seed \(seed)")
    let sums = columns.map { "sum(hash(\($0.split(separator: " ")[0])) % 1000003)" }.joined(separator: ", ")
    for query in [
      "select count(*), count(distinct id), \(sums) from items", "select * from items order by id limit 200",
    ] {
      #expect(try file.rows(query) == (try database.rows(query)), "seed \(seed)")
    }
  }
}

private extension StateOptions {
  static let fresh = StateOptions(isKept: true, isFresh: true)
  static let unkept = StateOptions(isKept: false, isFresh: false)

  init(isKept: Bool, isFresh: Bool) {
    self.init()
    (self.isKept, self.isFresh) = (isKept, isFresh)
  }
}

/// Deliveries in which rows mostly become more, and in the middle of which anything else may happen.
private struct RandomCourse {
  private var random: RandomStream
  private var next = 1
  private var members = 3

  init(seed: UInt64) { random = RandomStream(seed: seed, "parquet") }

  private static let values = [
    "1", "-17", "0.5", "1e3", "12345678901234567890", "true", "null", #""2024-02-29""#,
    #""2024-02-29T23:59:59Z""#, #""2024-02-29T23:59:59.125Z""#, #""plain""#, #""Zürich 😀""#,
    #""a\"b\\c\u00e9\ud83d\ude00""#, "[1,[2,{}]]", #"{"a":"\u0041","b":[]}"#, #""""#, "-0.0",
    "9007199254740993",
  ]

  mutating func run() -> [Delivery] {
    (0..<Int.random(in: 1...14, using: &random)).map { _ in delivery() }
  }

  private mutating func delivery() -> Delivery {
    let chance = Int.random(in: 0..<20, using: &random)
    switch chance {
    case 0 where next > 10:
      let gone = (0..<5).map { _ in Int64.random(in: 1..<Int64(next), using: &random) }
      return Delivery(operations: gone.map { .remove(.integer($0), at: 0) })
    case 1 where next > 10:
      let back = Int64.random(in: 1..<Int64(next), using: &random)
      return Delivery(items: [row(Int(back))])
    case 2: members += 1
    default: break
    }
    let count = [1, 10, 500, 4000, 9000].randomElement(using: &random)!
    let isMixed = chance < 6
    let value = RandomCourse.values.randomElement(using: &random)!
    let items = (0..<count).map { _ in
      next += 1
      return isMixed ? row(next) : row(next, value)
    }
    return Delivery(items: items)
  }

  private mutating func row(_ number: Int, _ given: String? = nil) -> Item {
    let odd = (1..<members).filter { _ in given == nil }.map { member in
      #","m\#(member)":\#(RandomCourse.values.randomElement(using: &random)!)"#
    }
    let plain = #","m0":\#(number),"t":"row \#(number)","w":\#(given ?? "null")"#
    return item(Int64(number), #"{"id":\#(number)\#(plain)\#(odd.joined())}"#)
  }
}
