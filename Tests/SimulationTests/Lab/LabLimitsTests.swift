import Experiments
import Paging
import Simulation
import Synchronization
import Testing

/// Experiments that are larger than the machine, and those whose account is empty.
@Suite struct LabLimitsTests {
  private static let values = [
    "0", "-1", "1", "1e5", "1e9", "1000000000", "9223372036854775807", "1e300", "1e-320", "inf", "nan", "-0",
  ]
  private static let workloads = [
    "fling:items=V", "fling:flings=V", "fling:viewport=V,items=V", "jumper:jumps=V,around=V",
    "jumper:items=V",
    "reader:count=V,dwell=V", "skimmer:count=V,seconds=V,speed=V", "searcher:searches=V,far=V",
    "steady:speed=V,seconds=V", "steady:speed=V,seconds=V,first=V", "quitter:quit=V", "fling:itemHeight=V",
  ]
  private static let networks = [
    "fixed:V", "lognormal:V,V", "uniform:V,V", "exponential:V", "fixed:1,bandwidth=V",
    "fixed:1,bytesPerItem=V,bandwidth=V",
    "fixed:1,loss=V,timeout=V", "fixed:1,errors=V", "fixed:1,rate=V/V", "fixed:1,rate=1/V",
  ]

  /// An account of so much processor time, and what was spent.
  private final class Purse: Sendable {
    private let nanoseconds: Atomic<Int64>
    private let most: Int64

    init(_ most: Duration) {
      self.most = most.nanoseconds
      nanoseconds = Atomic(0)
    }

    var spent: Duration { .nanoseconds(nanoseconds.load(ordering: .relaxed)) }
    var account: ScriptAccount {
      ScriptAccount { time in
        self.nanoseconds.wrappingAdd(time.nanoseconds, ordering: .relaxed).newValue <= self.most
      }
    }
  }

  @Test(arguments: workloads, values)
  func `a reader of any numbers is refused, cut or walked`(_ workload: String, _ value: String) throws {
    try run(workload.replacing("V", with: value), "fixed:0.1")
  }

  @Test(arguments: networks, values)
  func `a network of any numbers is refused or met`(_ network: String, _ value: String) throws {
    try run("fling:flings=2", network.replacing("V", with: value))
  }

  @Test(arguments: [
    "pageSize", "leadingScreens", "maxInFlight", "prefetchDistance", "initialPageSize", "maxItems",
  ])
  func `a source of any numbers is refused or read`(_ option: String) throws {
    for value in [-.infinity, -1, 0, 1, 1e4, 1e9, 1e15, 1e300, .infinity, .leastNonzeroMagnitude] {
      var experiment = try LabRig.experiment(
        ["everything"], workload: "fling:flings=2,items=1000000000", sessions: 1)
      experiment.sweep = [SweepAxis(name: option, values: [value])]
      try run(experiment)
    }
  }

  private func run(_ workload: String, _ network: String) throws {
    try run(LabRig.experiment(["ramp", "everything"], workload: workload, network: network, sessions: 1))
  }

  private func run(_ experiment: Experiment) throws {
    let purse = Purse(.milliseconds(200))
    var options = LabOptions(for: purse.account)
    options.mostItems = 100_000
    do {
      let result = try Lab(options).run(experiment)
      #expect(result.rows.allSatisfy { $0.failure != nil || $0.sessions == 1 })
    } catch let error as ExperimentError {
      #expect(!error.expected.isEmpty)
    }
  }

  @Test func `sessions end when there is no time left for them`() throws {
    let purse = Purse(.milliseconds(20))
    let experiment = try LabRig.experiment(LabRig.policies, workload: "fling", sessions: 1_000_000)

    let error = #expect(throws: ExperimentError.self) {
      try Lab(LabOptions(for: purse.account)).run(experiment)
    }

    #expect(error?.place == "the experiment")
    #expect(error?.expected == "sessions that end within the processor time that there is for it")
    #expect(purse.spent > .milliseconds(20))
  }

  @Test func `sessions on other threads are paid for from the same account`() throws {
    let purse = Purse(.milliseconds(20))
    var options = LabOptions(for: purse.account)
    options.jobs = 2
    let experiment = try LabRig.experiment(["ramp"], workload: "fling", sessions: 1_000_000)

    #expect(throws: ExperimentError.self) {
      try Lab(options).run(experiment) {
        try LabRig.experiment(["ramp"], workload: "fling", sessions: 1_000_000)
      }
    }
  }

  @Test func `an experiment that pays changes nothing of its result`() throws {
    let experiment = try LabRig.experiment(["ramp", "majority"], workload: "fling:flings=5", sessions: 10)

    let free = try Lab().run(experiment)
    let paid = try Lab(LabOptions(for: Purse(.seconds(1000)).account)).run(experiment)

    #expect(free.rows.map(\.scores) == paid.rows.map(\.scores))
  }

  @Test func `a result keeps no more than there is room for`() throws {
    let account = ScriptAccount(largestAnswer: 400 * 100)
    let experiment = try LabRig.experiment(["ramp"], workload: "fling", sessions: 1000)

    let error = #expect(throws: ExperimentError.self) { try Lab(LabOptions(for: account)).run(experiment) }

    #expect(error?.expected == "at most 100 sessions to be kept, of all rows together")
    #expect(error?.got == "3 rows of 1000")
  }

  @Test func `more rows than a result may have are refused before any is made`() throws {
    var experiment = try LabRig.experiment(["ramp"], workload: "fling", sessions: 1)
    experiment.workloads = Array(repeating: WorldDescription("fling"), count: 10_000)
    experiment.networks = Array(repeating: WorldDescription("reference"), count: 10_000)

    let error = #expect(throws: ExperimentError.self) { try Lab().run(experiment) }

    #expect(error?.got == "1 sources with 10000 workloads and 10000 networks")
  }

  @Test func `a policy that only asks for a moment stands still`() throws {
    struct Moment: FetchPolicy {
      func shouldBatchFetch(_ view: PolicyView) -> Verdict { Verdict(wait: .milliseconds(1)) }
    }
    var experiment = try LabRig.experiment([], workload: "fling:flings=2", sessions: 1)
    experiment.policies = [ExperimentPolicy(name: "moment") { _ in Moment() }]

    let result = try Lab().run(experiment)

    guard case .standstill? = try result.row("moment").failure else {
      Issue.record("\(String(describing: try result.row("moment").failure))")
      return
    }
  }

  @Test(arguments: [
    Verdict(fetch: .max), Verdict(fetch: .min), Verdict(fetch: 1, wait: .seconds(Int64.max)),
    Verdict(wait: .seconds(Int64.max)), Verdict(wait: .seconds(Int64.min)),
    Verdict(fetch: 1, wait: .seconds(-1)),
    Verdict(wait: .zero), Verdict(wait: Duration(secondsComponent: 0, attosecondsComponent: 1)),
    Verdict(fetch: 1, direction: .prepend), Verdict(fetch: 1, direction: .refresh),
    Verdict(fetch: 1, cancel: true), Verdict(wait: .milliseconds(1), cancel: true),
  ])
  func `whatever a policy answers, the session ends`(_ verdict: Verdict) throws {
    struct Same: FetchPolicy {
      let verdict: Verdict
      func shouldBatchFetch(_ view: PolicyView) -> Verdict { verdict }
    }
    var experiment = try LabRig.experiment([], workload: "fling:flings=2", sessions: 1)
    experiment.policies = [ExperimentPolicy(name: "same") { _ in Same(verdict: verdict) }]

    let result = try Lab().run(experiment)

    let row = try result.row("same")
    #expect(row.failure != nil || row.sessions == 1)
  }

  @Test func `a policy that waits for ages ends the session`() throws {
    struct Ages: FetchPolicy {
      func shouldBatchFetch(_ view: PolicyView) -> Verdict {
        Verdict(fetch: 1, wait: .seconds(Limits.seconds))
      }
    }
    var experiment = try LabRig.experiment([], workload: "fling", sessions: 1)
    experiment.policies = [ExperimentPolicy(name: "ages") { _ in Ages() }]

    let result = try Lab().run(experiment)

    #expect(try result.row("ages").failure == .tooLarge(session: 0, limit: "thirty years"))
  }
}
