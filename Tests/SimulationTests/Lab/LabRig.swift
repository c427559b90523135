import Experiments
import Paging
import Simulation
import Testing

/// Experiments for tests: built-in policies by name, and a source as wanted.
enum LabRig {
  static let policies = [
    "onDemand", "leadingScreens", "leadingScreens(0.5)", "prefetchDistance(5)", "prefetchDistance(60)",
    "remainingTime(0.5)", "ramp", "majority", "anyOf(remainingTime(2), prefetchDistance(3))",
    "hysteresis(leadingScreens(1), 3)", "everything",
  ]

  static func experiment(
    _ policies: [String], workload: String, network: String = "reference", sessions: Int, seed: UInt64 = 1,
    _ set: (inout FeedConfiguration.Options) -> Void = { _ in }
  ) throws -> Experiment {
    var experiment = Experiment()
    var options = FeedConfiguration.Options()
    options.keys = .page
    options.maxInFlight = 2
    options.knownTotal = 100_000
    set(&options)
    experiment.sources = [ExperimentSource(name: "numbers", options: options)]
    experiment.policies = try policies.map { try ExperimentPolicy(builtIn: $0) }
    experiment.workloads = [WorldDescription(workload)]
    experiment.networks = [WorldDescription(network)]
    experiment.sessions = sessions
    experiment.seed = seed
    return experiment
  }

  static func options(jobs: Int = 1, _ set: (inout LabOptions) -> Void = { _ in }) -> LabOptions {
    var options = LabOptions()
    options.jobs = jobs
    options.timelines = 0
    set(&options)
    return options
  }
}

extension LabResult {
  /// The row of a policy.
  func row(_ policy: String) throws -> LabRow {
    try #require(rows.first { $0.setting.policyTitle == policy })
  }

  func mean(_ policy: String, _ metric: Metric) throws -> Double {
    try #require(try row(policy).summaries[metric]).mean
  }
}
