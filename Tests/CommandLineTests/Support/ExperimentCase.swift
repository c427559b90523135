import Foundation
import Testing

/// An experiment of the gallery: the tables that it has to bring, and one row that another command brings as well.
struct ExperimentCase: CustomTestStringConvertible {
  let script: String
  let worlds: [String]
  let policies: Set<String>
  /// The row that is made again alone, and with what.
  let world: String
  let policy: String
  let arguments: [String]

  var testDescription: String { script }

  static let all = [
    ExperimentCase(
      script: "scripts/experiments/events_against_timer.lua",
      worlds: ["slowest", "median", "mean", "fastest"].map { "\($0) on 80 ms" },
      policies: Set(
        ["event", "timer", "leadingScreens", "remainingTime"].flatMap { policy in
          [12, 30, 58, 80].map { "\(policy) pageSize=\($0)" }
        }),
      world: "fastest on 80 ms", policy: "leadingScreens pageSize=30",
      arguments: [
        "--policy", "leadingScreens", "--set", "pageSize=30", "--network", "fixed:0.08", "--workload",
        """
        fling:items=4000,flings=155,reverse=0.05,itemHeight=150,maxSpeed=30000,speed=10000,speedSigma=0.5,stop=2500,\
        dwellItems=1,dwellMu=\(log(0.17) - 0.125),dwellSigma=0.5
        """,
      ]),
    ExperimentCase(
      script: "scripts/experiments/how_far_ahead.lua", worlds: ["fling on 0.35 s"],
      policies: Set(
        ["onDemand", "everything"] + [5, 10, 20, 40, 80].map { "prefetchDistance items=\($0)" }
          + [1, 2, 4, 8].map { "leadingScreens screens=\($0)" }),
      world: "fling on 0.35 s", policy: "leadingScreens screens=2",
      arguments: [
        "--policy", "leadingScreens(2)", "--workload", "fling:items=2000", "--network", "lognormal:0.35,0.5",
      ]),
    ExperimentCase(
      script: "scripts/experiments/page_size_against_latency.lua",
      worlds: ["fling on 50 ms", "fling on 350 ms", "fling on 1 s"],
      policies: Set([5, 10, 20, 40, 80].map { "leadingScreens pageSize=\($0)" }),
      world: "fling on 1 s", policy: "leadingScreens pageSize=40",
      arguments: [
        "--policy", "leadingScreens", "--set", "pageSize=40", "--workload", "fling:items=2000", "--network",
        "lognormal:1,0.5,bandwidth=500000,bytesPerItem=2000",
      ]),
    ExperimentCase(
      script: "scripts/experiments/velocity_against_distance.lua",
      worlds: ["reader", "fling", "jumper"].map { "\($0) on 0.35 s" },
      policies: Set(
        [5, 10, 20, 40].map { "distance items=\($0)" }
          + ["0.5", "1", "2", "4"].map { "velocity seconds=\($0)" }),
      world: "reader on 0.35 s", policy: "distance items=20",
      arguments: [
        "--policy", "prefetchDistance(20)", "--workload", "reader:items=2000", "--network",
        "lognormal:0.35,0.5",
      ]),
  ]
}
