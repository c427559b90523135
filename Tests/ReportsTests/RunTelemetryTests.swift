import Foundation
import Items
import Paging
import Reports
import Testing

@Suite struct RunTelemetryTests {
  private var telemetry = RunTelemetry(RunTelemetry.Facts(script: "feed.lua", program: "1.0", startedAt: 0))

  private func at(_ seconds: Double) -> Instant { .zero + .seconds(seconds) }

  private func object(_ telemetry: RunTelemetry, masking mask: TelemetryMask = .none) throws -> [String: Any]
  {
    let json = telemetry.json(masking: mask)
    return try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
  }

  /// A page that is fetched from then on, for so long.
  private mutating func page(
    _ number: Int, from start: Double, for seconds: Double, of source: String = "things"
  ) {
    let id = FetchID(generation: 0, number: number)
    telemetry.fetching(
      FetchRequest(id: id, key: nil, size: 20, direction: .append), of: source, at: at(start))
    telemetry.noted(
      .landed(id, received: 20, latency: .seconds(seconds)), of: source, at: at(start + seconds))
  }

  private mutating func request(
    _ number: Int, _ url: String, _ reply: TelemetryReply, at seconds: Double, place: String = ""
  ) {
    let id = HostCallID(number: number)
    telemetry.called(id, .request(method: "GET", url: url), at: at(seconds))
    telemetry.answered(id, reply, place: place, at: at(seconds + 0.01))
  }

  @Test(arguments: [10.0, 60, 61, 3600, 86_400, 2_592_000])
  mutating func `the spans of any time are few, and have all that was counted`(length: Double) throws {
    var sample = TelemetrySample()
    for step in 1...2000 {
      sample.statistics.items += 7
      telemetry.sampled(sample, at: length * Double(step) / 2000)
    }

    let buckets = try #require(try object(telemetry)["buckets"] as? [String: Any])
    let rows = try #require(buckets["rows"] as? [[Double]])
    let width = try #require(buckets["width"] as? Double)

    #expect(rows.count <= 240)
    #expect(rows.count == 1 + Int(length / width))
    #expect(rows.map { $0[0] }.reduce(0, +) == 14_000)
  }

  @Test mutating func `a hundred thousand pages and ten thousand partitions make a small page`() throws {
    let name = String(repeating: "n", count: 90)
    for number in 0..<10_000 {
      let id = HostCallID(number: number)
      telemetry.called(id, .begin(source: "things", partition: #"{"group":"\#(name)\#(number)"}"#), at: at(0))
      telemetry.answered(id, .begun(reading: number, isDone: number % 2 == 0), place: "", at: at(0))
    }
    for number in 0..<100_000 {
      let time = Double(number) / 100
      page(number, from: time, for: number == 77 ? 50 : 0.05)
      if number % 100 == 0 {
        request(
          100_000 + number, "http://h\(number % 3000)/\(name)?a=\(name)", .response(status: 500, bytes: 1),
          at: time,
          place: "feed.lua:\(number % 700)")
        telemetry.logged(level: "warn", String(repeating: "w", count: 5_000))
        var delivery = Delivery(stream: "stream \(number % 1_000)")
        delivery.items = (0..<20).map {
          Item(id: .integer(Int64($0)), bytes: Bytes("\"" + String(repeating: "r", count: 9_000) + "\""))
        }
        telemetry.delivered(delivery)
      }
    }

    telemetry.sampled(TelemetrySample(), at: 20_000)
    let json = telemetry.json(masking: .none)
    let data = try object(telemetry)
    let pages = try #require(data["pages"] as? [String: Any])
    let bars = try #require(pages["bars"] as? [[Any]])
    let partitions = try #require(data["partitions"] as? [String: Any])

    #expect(RunPage(json, of: "feed.lua").html(nonce: "n").utf8.count < 1_000_000)
    #expect(pages["count"] as? Int == 100_000)
    #expect(bars.contains { $0[1] as? Int == 77 }, "the slowest of all is there")
    #expect((partitions["states"] as? String)?.count == 10_000)
    #expect(partitions["counts"] as? [Int] == [5_000, 5_000, 0, 0])
    #expect(data["lineCount"] as? Int == 1_000)
  }

  @Test mutating func `no text ends the script element that it is in`() throws {
    let evil = "</script><!--<script>\u{2028}\u{2029}\u{0}\u{202E}&amp;"
    telemetry.logged(level: "error", evil)
    telemetry.noted(.decided(PolicyView(), Verdict(fetch: 1, reason: evil)), of: evil, at: at(1))
    telemetry.delivered(Delivery(stream: evil, items: [Item(id: .integer(1), bytes: Bytes("\"\(evil)\""))]))
    request(1, "http://\(evil)/", .failed(evil), at: 2, place: evil)
    telemetry.sampled(TelemetrySample(), at: 3)

    let json = telemetry.json(masking: .none)

    #expect(!json.contains("<"))
    #expect(!json.unicodeScalars.contains { $0.value == 0x2028 || $0.value == 0x2029 || $0.value == 0x202E })
    #expect(try object(telemetry)["sources"] as? [String] != [])
  }

  @Test mutating func `secrets are masked in every text and in metrics`() throws {
    let secret = "hunter22"
    let mask = TelemetryMask(
      text: { $0.replacing(secret, with: "[secret]") },
      url: { $0.replacing(/key=[^& ]*/, with: "key=[secret]") })
    telemetry.logged(level: "error", "feed.lua:3: no \(secret)")
    telemetry.noted(.decided(PolicyView(), Verdict(fetch: 1, reason: secret)), of: secret, at: at(1))
    telemetry.noted(.unavailable(host: "\(secret).example", reason: secret, upTo: .seconds(1)), at: at(1))
    telemetry.delivered(
      Delivery(stream: secret, items: [Item(id: .integer(1), bytes: Bytes("\"\(secret)\""))]))
    telemetry.called(HostCallID(number: 9), .begin(source: secret, partition: secret), at: at(2))
    request(
      1, "http://h/?key=other", .failed("GET http://h/?key=other failed: \(secret)"), at: 2, place: secret)
    telemetry.sampled(TelemetrySample(), at: 3)
    telemetry.ended(RunTelemetry.Ending(code: 1, message: "error: \(secret)"))

    let texts = [telemetry.json(masking: mask), telemetry.metrics(masking: mask)]

    for text in texts { #expect(!text.contains(secret) && !text.contains("other"), "\(text)") }
    #expect(texts[0].contains("[secret]"))
  }

  @Test mutating func `a secret at the end of what is shown of a row is not shown in part`() throws {
    let mask = TelemetryMask(text: { $0.replacing("hunter22hunter22", with: "[secret]") }, url: { $0 })
    let row = String(repeating: "r", count: 392) + "hunter22hunter22" + String(repeating: "s", count: 90_000)
    telemetry.delivered(Delivery(items: [Item(id: .integer(1), bytes: Bytes(row))]))
    telemetry.sampled(TelemetrySample(), at: 3)

    #expect(telemetry.json(masking: mask).contains("rrrr[secret]"))
    #expect(!telemetry.json(masking: mask).contains("hunt"))
  }

  @Test mutating func `pages of equal numbers are told apart by how long they took`() throws {
    let id = FetchID(generation: 0, number: 1)
    let request = FetchRequest(id: id, key: nil, size: 20, direction: .append)
    telemetry.fetching(request, of: "things", at: at(0))
    telemetry.fetching(request, of: "things", at: at(2))
    telemetry.noted(.landed(id, received: 5, latency: .seconds(1)), of: "things", at: at(3))
    telemetry.noted(.landed(id, received: 6, latency: .seconds(4)), of: "things", at: at(4))

    let pages = try #require(try object(telemetry)["pages"] as? [String: Any])
    let bars = try #require(pages["bars"] as? [[Any]])

    #expect(bars.map { $0[4] as? Double } == [0, 2])
    #expect(bars.map { $0[5] as? Double } == [4, 1])
    #expect(bars.map { $0[7] as? Int } == [6, 5])
  }

  @Test mutating func `an error is counted at the line of the script`() throws {
    request(1, "http://h/a", .response(status: 503, bytes: 0), at: 1, place: "feed.lua:12")
    request(2, "http://h/b", .failed("no connection"), at: 2, place: "feed.lua:12")
    telemetry.logged(level: "warn", "lib/pages.lua:3: no items")
    telemetry.logged(level: "info", "lib/pages.lua:4: fine")
    telemetry.ended(RunTelemetry.Ending(code: 65, message: "error: feed.lua:7: attempt to index a nil value"))

    let faults = try #require(try object(telemetry)["faults"] as? [[String: Any]])
    let counts = Dictionary(
      uniqueKeysWithValues: faults.map { ($0["place"] as? String ?? "", $0["count"] as? Int ?? 0) })

    #expect(counts == ["feed.lua:12": 2, "lib/pages.lua:3": 1, "feed.lua:7": 1])
  }

  @Test mutating func `what was not answered when it ended is counted as in flight no more`() throws {
    for number in 1...3 {
      telemetry.called(
        HostCallID(number: number), .request(method: "GET", url: "http://u:p@h:80/x"), at: at(1))
    }
    telemetry.cancelled(HostCallID(number: 1), at: at(2))
    telemetry.cancelled(HostCallID(number: 1), at: at(2))
    telemetry.answered(HostCallID(number: 2), .response(status: 200, bytes: 9), place: "", at: at(2))
    telemetry.answered(HostCallID(number: 7), .done, place: "", at: at(2))

    let hosts = try #require(try object(telemetry)["hosts"] as? [[String: Any]])

    #expect(hosts.map { $0["name"] as? String } == ["h:80"])
    #expect(hosts.map { $0["inFlight"] as? Int } == [1])
  }

  @Test mutating func `metrics are lines with escaped labels`() {
    var sample = TelemetrySample()
    sample.statistics.items = 3
    sample.statistics.itemsPerStream = ["a\"b\\c\nd": 3]
    telemetry.sampled(sample, at: 1)
    request(1, "http://h/", .response(status: 200, bytes: 5), at: 1)

    let lines = telemetry.metrics(masking: .none).split(separator: "\n")

    #expect(lines.contains(#"lookahead_items_total{stream="a\"b\\c\nd"} 3"#))
    #expect(lines.contains(#"lookahead_request_duration_seconds_bucket{host="h",le="+Inf"} 1"#))
    #expect(lines.allSatisfy { $0.hasPrefix("# ") || $0.contains(/^[a-z_]+(\{.*\})? [0-9.e+-]+$/) })
    #expect(
      Set(lines.filter { $0.hasPrefix("# TYPE") }).count == lines.filter { $0.hasPrefix("# TYPE") }.count)
  }
}
