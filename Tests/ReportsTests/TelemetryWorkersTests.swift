import Foundation
import Paging
import Reports
import Testing

/// What the page makes of a run that several processes do.
@Suite struct TelemetryWorkersTests {
  private var telemetry = RunTelemetry(RunTelemetry.Facts(script: "feed.lua", program: "1.0", startedAt: 0))

  private mutating func hear(_ news: TelemetryNews..., at seconds: Double = 1) {
    for news in news { telemetry.heard(news, at: .zero + .seconds(seconds)) }
    telemetry.sampled(telemetry.workerSample, at: seconds)
  }

  private func object(masking mask: TelemetryMask = .none) throws -> [String: Any] {
    let json = telemetry.json(masking: mask)
    return try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
  }

  private func states() throws -> String? {
    (try object()["partitions"] as? [String: Any])?["states"] as? String
  }

  private func totals() throws -> [String: Any] { try #require(try object()["totals"] as? [String: Any]) }

  private func listed(_ id: String) -> TelemetryNews { .listed(id: id, source: "rows", parameters: "{}") }

  private func counts(requests: Int, inFlight: Int = 0) -> WorkerCounts {
    var counts = WorkerCounts()
    (counts.requests, counts.inFlight) = (requests, inFlight)
    return counts
  }

  @Test mutating func `items are those of partitions, however often one is begun`() throws {
    hear(listed("a"), .began(id: "a", worker: "1", items: 100), .reached(id: "a", items: 130))
    #expect(telemetry.workerSample.statistics.items == 30)

    hear(.gone(worker: "1", reason: "killed"))
    #expect(try states() == "w")
    #expect(telemetry.workerSample.statistics.items == 30)

    // The next one goes on where the first one had come to, and is told of twice.
    hear(.began(id: "a", worker: "2", items: 120), .began(id: "a", worker: "2", items: 120))
    hear(.done(id: "a", items: 150, isNew: true), .done(id: "a", items: 150, isNew: true))
    let workers = try #require(try object()["workers"] as? [String: Any])

    #expect(try states() == "d")
    #expect(telemetry.workerSample.statistics.items == 50)
    #expect(workers["again"] as? Int == 1)
    #expect(workers["lost"] as? Int == 1)
  }

  /// Ten thousand of the largest numbers that `watch` takes are beyond 64 bits.
  @Test mutating func `whatever is told, sums are numbers yet`() throws {
    var counts = WorkerCounts()
    (counts.requests, counts.bytes) = (1 << 50, 1 << 50)
    for number in 0..<10_000 {
      telemetry.heard(.reached(id: "\(number)", items: 1 << 50), at: .zero)
      telemetry.heard(.counted(worker: "\(number)", counts, silent: 0), at: .zero)
      telemetry.heard(.gone(worker: "\(number)", reason: ""), at: .zero)
    }
    telemetry.sampled(telemetry.workerSample, at: 1)

    #expect(telemetry.workerSample.statistics.items == 1 << 50)
    #expect(telemetry.workerSample.statistics.requests == 1 << 61)
    #expect(try totals()["items"] as? Int == 1 << 50)
  }

  @Test mutating func `what was read before this run is done, and no work of it`() throws {
    hear(listed("a"), listed("b"), .done(id: "a", items: 900, isNew: false), .listedAll)

    let sample = telemetry.workerSample
    #expect(sample.statistics.items == 0)
    #expect(
      sample.statistics.partitions.done == 1 && sample.statistics.partitions.doneNow == 0
        && sample.statistics.partitions.left == 1)
  }

  @Test mutating func `what a worker had read to its end before it could say so is of this run`() throws {
    hear(listed("a"), .began(id: "a", worker: "1", items: 0), .reached(id: "a", items: 10))
    hear(.gone(worker: "1", reason: "killed"), .done(id: "a", items: 50, isNew: false))

    #expect(telemetry.workerSample.statistics.items == 50)
    #expect(telemetry.workerSample.statistics.partitions.doneNow == 1)
  }

  @Test mutating func `nobody says how many are left before all are listed`() throws {
    hear(listed("a"), listed("b"), .done(id: "a", items: 1, isNew: true))
    let before = try #require(try totals()["partitions"] as? [String: Any])
    hear(.failed(id: "b", message: "feed.lua:3: no"), .listedAll)
    let after = try #require(try totals()["partitions"] as? [String: Any])

    #expect(before["isListed"] as? Bool == false && before["left"] == nil)
    #expect(after["isListed"] as? Bool == true && after["left"] as? Int == 0)
    #expect((try object()["faults"] as? [[String: Any]])?.first?["place"] as? String == "feed.lua:3")
  }

  @Test mutating func `what is told late of a worker that is gone counts no more`() throws {
    hear(listed("a"), .came(worker: "1", machine: "m"), .counted(worker: "1", counts(requests: 7), silent: 0))
    hear(.gone(worker: "1", reason: ""))
    hear(.counted(worker: "1", counts(requests: 5, inFlight: 3), silent: 0))
    hear(.began(id: "a", worker: "1", items: 0))

    #expect(telemetry.workerSample.statistics.requests == 7)
    #expect(telemetry.workerSample.statistics.inFlight == 0)
    #expect(try states() == "w")
  }

  @Test mutating func `a worker that another one has taken over does not take its partition along`() throws {
    hear(listed("a"), .began(id: "a", worker: "old", items: 0), .began(id: "a", worker: "new", items: 0))
    hear(.leftToAnother(id: "a", worker: "old"), .gone(worker: "old", reason: ""))

    #expect(try states() == "r")
  }

  @Test mutating func `counts are right beyond what is drawn`() throws {
    for number in 0..<30_000 { telemetry.heard(listed("p\(number)"), at: .zero) }
    for number in 0..<25_000 {
      telemetry.heard(.done(id: "p\(number)", items: 2, isNew: true), at: .zero)
    }
    hear(.listedAll, .failed(id: "p29999", message: "no"))
    let partitions = try #require(try object()["partitions"] as? [String: Any])

    #expect(partitions["counts"] as? [Int] == [0, 25_000, 1, 4_999])
    #expect((partitions["states"] as? String)?.count == 20_000)
    #expect(telemetry.workerSample.statistics.items == 50_000)
    #expect(telemetry.json(masking: .none).utf8.count < 1_000_000)
  }

  @Test mutating func `thousands of workers that come and go leave a small page`() throws {
    for number in 0..<10_000 {
      hear(
        .came(worker: "w\(number)", machine: "m"),
        .counted(worker: "w\(number)", counts(requests: 1), silent: 0))
      hear(.gone(worker: "w\(number)", reason: number % 100 == 0 ? "killed" : ""))
    }
    let workers = try #require(try object()["workers"] as? [String: Any])

    #expect(telemetry.workerSample.statistics.requests == 10_000)
    #expect(workers["gone"] as? Int == 10_000 && workers["lost"] as? Int == 100)
    #expect((workers["list"] as? [Any])?.count == 20)
  }

  @Test mutating func `secrets are masked in all that is told`() throws {
    let secret = "hunter22"
    let mask = TelemetryMask(text: { $0.replacing(secret, with: "[secret]") }, url: { $0 })
    var gate = GateStanding()
    gate.waiting = 1
    hear(
      .listed(id: secret, source: secret, parameters: "{\"key\":\"\(secret)\"}"),
      .came(worker: secret, machine: secret),
      .failed(id: secret, message: secret), .gate(host: secret, gate), .closed(host: secret, seconds: 3),
      .logged(level: "info", message: secret))
    hear(.gone(worker: secret, reason: secret))

    for text in [telemetry.json(masking: mask), telemetry.metrics(masking: mask)] {
      #expect(!text.contains(secret), "\(text)")
    }
  }
}
