import Experiments
import Paging
import Reports
import Simulation
import Synchronization
import Testing

/// What a page meets on its way: by its number, and by how often it failed.
@Suite struct SessionLuckTests {
  /// A reader who goes ten items a second, and never back.
  private static let steady =
    "time,first,last\n" + (0..<150).map { "\(Double($0) / 10),\($0),\($0 + 4)\n" }.joined()

  private func experiment(
    network: String, policies: [String] = ["onDemand", "everything"], sessions: Int = 1,
    _ set: (inout FeedConfiguration.Options) -> Void
  ) throws -> Experiment {
    var experiment = try LabRig.experiment(
      policies, workload: "", network: network, sessions: sessions, set)
    experiment.workloads = [WorldDescription("trace:steady.csv", contents: Self.steady)]
    return experiment
  }

  /// Ends after so much processor time, whatever the sessions do.
  private func run(_ experiment: Experiment) throws -> LabResult {
    let nanoseconds = Atomic<Int64>(0)
    let purse = Purse(nanoseconds)
    return try Lab(LabOptions(for: purse.account)).run(experiment)
  }

  private final class Purse: Sendable {
    private let spent: Atomic<Int64>
    init(_ spent: consuming Atomic<Int64>) { self.spent = spent }
    var account: ScriptAccount {
      ScriptAccount { time in
        self.spent.wrappingAdd(time.nanoseconds, ordering: .relaxed).newValue <= 20_000_000_000
      }
    }
  }

  @Test(arguments: [KeyKind.cursor, .offset], [1, 5, 49, 50, 51, 100])
  func `a cache that has nothing changes nothing for a reader who never turns back`(
    keys: KeyKind, initialPageSize: Int
  ) throws {
    func scores(_ network: String) throws -> [SessionScore] {
      let experiment = try experiment(network: network) {
        $0.keys = keys
        $0.maxInFlight = keys.isCounted ? 2 : nil
        $0.initialPageSize = initialPageSize
        $0.pageSize = 50
        $0.knownTotal = nil
      }
      return try run(experiment).rows.flatMap(\.scores)
    }

    let (plain, cached) = (try scores("fixed:2"), try scores("fixed:2,cache=0"))

    for (score, other) in zip(plain, cached) {
      #expect(score.stall == other.stall && score.requests == other.requests)
      #expect(other.regret >= 0)
    }
  }

  @Test(
    arguments: [
      "fixed:0.3,errors=0.4", "lognormal:0.3,0.5,loss=0.3,timeout=1", "fixed:0.2,rate=2/3,errors=0.3",
      "fixed:0.1,rate=1/2,loss=0.4,timeout=9", "exponential:0.4,cache=0.4",
      "lognormal:0.3,1,cache=0.3,bandwidth=20000,errors=0.2",
    ], [1, 7, 30])
  func `no policy beats the bound, whatever the first page's size and however soon a source gives up`(
    network: String, initialPageSize: Int
  ) throws {
    for keys in [KeyKind.cursor, .offset] {
      var experiment = try LabRig.experiment(
        LabRig.policies.dropLast(), workload: "fling:flings=3", network: network, sessions: 10
      ) {
        $0.keys = keys
        $0.maxInFlight = keys.isCounted ? 2 : nil
        $0.initialPageSize = initialPageSize
        $0.retry = RetryRule(count: 1)
      }
      experiment.sources[0].options.knownTotal = nil

      for row in try run(experiment).rows {
        #expect(row.failure == nil)
        #expect(row.scores.allSatisfy { $0.stall >= $0.bound - 1e-9 }, "\(row.setting.policy)")
      }
    }
  }

  @Test(arguments: [0, 1, 2])
  func `a page comes in the end, however often the source gives up on it`(retries: Int) throws {
    let experiment = try experiment(network: "fixed:0.1,errors=0.6", policies: ["onDemand"], sessions: 30) {
      $0.retry = RetryRule(count: retries)
    }

    let row = try run(experiment).row("onDemand")

    #expect(row.failure == nil && row.sessions == 30)
    #expect(try #require(row.summaries[.requests]).mean > 15)
  }

  @Test(arguments: [(10, 290), (10, 600), (1, 100_000)])
  func `a reader waits for as long as a server asks, and then the page comes`(requests: Int, seconds: Int)
    throws
  {
    let network = "fixed:0.1,rate=\(requests)/\(seconds)"
    let experiment = try experiment(network: network) { $0.pageSize = 10 }

    let result = try run(experiment)

    for row in result.rows {
      #expect(row.failure == nil, "\(row.setting.policy): \(String(describing: row.failure))")
      let stall = try #require(row.scores.first).stall
      #expect(stall > Double(seconds) - 30 && stall >= row.scores[0].bound)
    }
  }

  @Test(arguments: KeyKind.allCases)
  func `a policy sees a total where keys are counted, and none where each page names the next`(
    keys: KeyKind
  ) throws {
    var experiment = try experiment(network: "fixed:0.1", policies: []) {
      $0.keys = keys
      $0.maxInFlight = nil
      $0.knownTotal = nil
    }
    let totals = Totals()
    experiment.policies = [ExperimentPolicy(name: "curious") { _ in Curious(totals: totals) }]

    _ = try run(experiment)

    #expect(totals.seen.contains(nil))
    #expect(totals.seen.contains { $0 != nil } == keys.isCounted)
  }

  private final class Totals: @unchecked Sendable {
    var seen: Set<Int?> = []
  }

  private struct Curious: FetchPolicy {
    let totals: Totals

    func shouldBatchFetch(_ view: PolicyView) -> Verdict {
      totals.seen.insert(view.totalCount)
      return Verdict(true)
    }
  }

  @Test(arguments: KeyKind.allCases)
  func `a jump that a recorded reader made and the lab does not is said`(keys: KeyKind) throws {
    func result(_ places: [Int]) throws -> LabResult {
      var experiment = try experiment(network: "fixed:0.1", policies: ["onDemand"]) {
        $0.keys = keys
        $0.maxInFlight = nil
      }
      let points = places.enumerated().map { number, place in
        ViewportTrace.Point(milliseconds: Double(number) * 1000, first: place, last: place + 9)
      }
      var trace = try ViewportTrace(points: points, items: 1000)
      trace.reading = RecordedReading(policy: nil, options: experiment.sources[0].options)
      experiment.workloads = [WorldDescription("trace:me.jsonl", contents: trace.text)]
      return try run(experiment)
    }

    let (jumped, scrolled) = (try result([0, 10, 800, 0]), try result([0, 10, 20, 0]))

    #expect(scrolled.remarks.isEmpty)
    #expect(jumped.remarks.count == (keys.isCounted ? 1 : 0))
    #expect(jumped.remarks.allSatisfy { $0.hasPrefix("trace:me.jsonl: 2 jumps of the reader") })
    #expect(jumped.remarks.allSatisfy { TableReport(jumped).text.contains("\n\($0)\n") })
  }

  @Test func `a recording numbers pages as they follow each other, whatever the first one's size`() {
    func pages(_ keys: KeyKind, _ numbers: [Int64]) -> [Int] {
      var options = FeedConfiguration.Options()
      (options.keys, options.pageSize, options.initialPageSize) = (keys, 10, keys == .page ? 30 : 4)
      var reading = RecordedReading(policy: nil, options: options)
      for (place, number) in numbers.enumerated() {
        let id = FetchID(generation: 0, number: place)
        let request = FetchRequest(id: id, key: .integer(number), size: 10, direction: .append, attempt: 1)
        reading.began(request, at: .zero)
        reading.landed(id, at: .zero + .seconds(place + 1))
      }
      return reading.latencies.sorted { $0.value < $1.value }.map(\.key)
    }

    #expect(pages(.offset, [0, 4, 14, 24]) == [0, 1, 2, 3])
    #expect(pages(.page, [1, 4, 5, 9]) == [0, 1, 2, 6])
  }
}
