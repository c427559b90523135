import Experiments
import Paging
import Scripting
import Simulation
import Testing

/// What counts where a key is left out: the description says what the program does.
@Suite struct DescriptionDefaultsTests {
  private static func defaults(_ name: String) throws -> [String: String] {
    let type = try #require(APIDescription.type(named: name))
    return Dictionary(uniqueKeysWithValues: type.fields.map { ($0.name, $0.defaultText) })
  }

  /// A number as scripts write it.
  private static func text(_ number: Double) -> String {
    number == number.rounded() ? "\(Int(number))" : "\(number)"
  }

  @Test func `defaults of sources are those of feeds`() throws {
    let told = try Self.defaults("SourceKeys")
    let options = FeedConfiguration.Options()

    #expect(told["pageSize"] == "\(options.pageSize)")
    #expect(told["leadingScreens"] == Self.text(options.leadingScreens))
    #expect(told["keys"] == "\"\(options.keys.rawValue)\"")
    #expect(told["merge"] == "\"\(options.merge)\"")
    #expect(told["retries"] == "\(options.retry.count)")
    #expect(options.maxItems == nil)
  }

  @Test func `defaults of counted and uncounted keys are told`() throws {
    let told = try Self.defaults("SourceKeys")
    let feeds = try [KeyKind.cursor, .page, .offset].map { keys in try FeedConfiguration { $0.keys = keys } }

    #expect(told["maxInFlight"] == "\(feeds[0].maxInFlight) or \(feeds[1].maxInFlight)")
    #expect(told["firstKey"] == "nil, 1 or 0")
    #expect(feeds.map(\.firstKey) == [nil, .integer(1), .integer(0)])
  }

  @Test func `defaults of retries are those of the rule`() throws {
    let told = try Self.defaults("BackoffKeys")
    let rule = RetryRule()

    #expect(told["base"] == "0.5" && rule.base == .milliseconds(500))
    #expect(told["cap"] == "30" && rule.cap == .seconds(30))
    #expect(told["jitter"] == "\"\(rule.jitter.rawValue)\"")
  }

  @Test func `defaults of prefetchers are those of the machine`() throws {
    let told = try Self.defaults("PrefetcherKeys")
    let options = PrefetcherOptions()

    #expect(told["capacity"] == "\(options.capacity)")
    #expect(told["maxInFlight"] == "\(options.maxInFlight)")
    #expect(told["staleAfter"] == "never" && options.staleAfter == nil)
  }

  @Test func `defaults of experiments are those of the lab`() throws {
    let told = try Self.defaults("ExperimentKeys")
    let costs = try Self.defaults("CostKeys")
    let prices = SessionCosts()

    #expect(told["sessions"] == "\(Experiment().sessions)")
    #expect(told["seed"] == "\(Experiment().seed)")
    #expect(costs["stall"] == Self.text(prices.stall))
    #expect(costs["event"] == Self.text(prices.event))
    #expect(costs["request"] == Self.text(prices.request))
    #expect(costs["waste"] == Self.text(prices.waste))
    #expect(costs["memory"] == Self.text(prices.memory))
  }

  @Test func `defaults of workloads are those of the lab`() throws {
    let told = try Self.defaults("WorkloadKeys")
    let options = Workload.Options()

    #expect(told["viewport"] == Self.text(options.viewport))
    #expect(told["platform"] == "\"\(options.platform)\"")
    #expect(options.items == nil)
  }
}
