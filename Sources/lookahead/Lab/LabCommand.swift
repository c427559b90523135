import ArgumentParser
import Experiments
import Simulation

/// `lookahead lab`: policies compared in virtual time, against a bound that knows the future.
struct LabCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lab", _superCommandName: Release.name,
    abstract: "Compare policies in virtual time, against a bound that knows the future.",
    discussion: """
      EXAMPLES
        lookahead lab --policy leadingScreens --policy remainingTime
        lookahead lab feed.lua --policy mine.lua --set factor=1..3 --report lab.html
        lookahead lab --policy prefetchDistance --set items=5,10,20,40
        lookahead lab feed.lua --replay run.jsonl --policy everything
        lookahead lab --policy ramp --workload jumper --network lognormal:0.3,1

      Every policy meets the same readers and the same network. A difference is
      "not resolved" when its 95 % interval contains zero. Equal inputs and seeds
      give equal output, byte for byte.
      """)

  @Argument(help: "Sources, policies and experiments, in any order.", completion: .scripts)
  var files: [String] = []

  @Option(
    help: "A policy to try, by name, as leadingScreens(3), or a file; repeat for more.", completion: .policies
  )
  var policy: [String] = []

  @Option(
    help: "Readers, as fling, reader:items=5000, trace:FILE, or a file; repeat for more.",
    completion: .workloads)
  var workload: [String] = []

  @Option(
    help: "A network, as fixed:0.2, lognormal:0.35,0.5, measured:FILE, or a file; repeat for more.",
    completion: .networks)
  var network: [String] = []

  @Option(help: "Sessions of each row.")
  var sessions: Int?

  @Flag(
    help:
      "The first of several readers meets only the first of as many networks, and so on; else all meet all.")
  var paired = false

  @Flag(help: "All sources are read at once, on one link, each by a reader of its own.")
  var together = false

  @Option(help: "The seed of all random numbers.")
  var seed: UInt64?

  @Option(help: "Values to try, as factor=1,2,3 or factor=1..3 or factor=1..3:0.5; repeat for combinations.")
  var set: [String] = []

  @Option(
    help:
      "Search the values of --set for the best by this metric; values that are clearly worse are dropped early."
  )
  var tune: String?

  @Option(
    help:
      "About what part of the sessions is kept back, as 0.3, to check the choice made on the others: each is drawn by itself."
  )
  var holdout = 0.0

  @Option(help: "Threads; all cores unless given.")
  var jobs: Int?

  @Option(
    help:
      "The policy to compare the others with, by default the first; or an earlier result as JSON (FILE.json)."
  )
  var baseline: String?

  @Option(help: "Differences of stall (or cost) smaller than this are of no interest, in seconds.")
  var margin = 0.01

  @Option(
    help:
      "The cost of a unit, as waste=0.01,request=0.1; policies are then judged by cost. Units are stall, event, request, waste, memory, bytes (a megabyte), energy (a joule), left (a reader)."
  )
  var cost: [String] = []

  @Option(
    help: ArgumentHelp(
      "Name the best policy within limits, as 'stall where waste <= 30'; exit 1 if none keeps them; repeat for more.",
      valueName: "question"))
  var best: [String] = []

  @Option(
    help: ArgumentHelp(
      "Fail (exit 1) if beyond doubt, as 'mine worse than leadingScreens(2) by 0.05'; repeat for more.",
      valueName: "condition"))
  var failIf: [String] = []

  @Option(
    help: ArgumentHelp(
      "A recording of lookahead run --record; the script runs on it again with each policy.",
      valueName: "file"))
  var replay: String?

  @Option(
    name: .customLong("validate"),
    help: ArgumentHelp(
      "A recording of lookahead browse --record, to compare the lab's waits with the real ones; repeat for more.",
      valueName: "file"))
  var lived: [String] = []

  @OptionGroup(title: "Output") var output: LabOutputOptions

  func validate() throws {
    try Border.check(sessions, "--sessions", Border.held)
    try Border.check(jobs, "--jobs", Border.threads)
    if !(0..<1).contains(holdout) {
      throw ValidationError("--holdout \(holdout): expected 0 up to, but not, 1")
    }
    if !(margin >= 0 && margin < 1e9) {
      throw ValidationError("--margin \(margin): expected 0 or more")
    }
    if let tune, Metric(rawValue: tune) == nil {
      throw ValidationError("--tune \(tune): expected one of \(Metric.names)")
    }
    if replay == nil, output.trace != nil {
      throw ValidationError("--trace: expected with --replay, whose decisions it writes")
    }
    if replay != nil, let unused = onlySimulated.first {
      throw ValidationError("\(unused): not with --replay, which runs a recorded run again")
    }
    let searching = [("--set", !set.isEmpty), ("--tune", tune != nil), ("--replay", replay != nil)]
    if !lived.isEmpty, let unused = onlySimulated.first ?? searching.first(where: \.1)?.0 {
      throw ValidationError("\(unused): not with --validate, which plays recordings as they were")
    }
  }

  /// Options that were given but don't apply to a replay.
  private var onlySimulated: [String] {
    let given = [
      ("--workload", !workload.isEmpty), ("--network", !network.isEmpty), ("--sessions", sessions != nil),
      ("--paired", paired), ("--together", together),
      ("--seed", seed != nil), ("--holdout", holdout > 0),
      ("--jobs", jobs != nil), ("--baseline", baseline != nil),
      ("--cost", !cost.isEmpty), ("--fail-if", !failIf.isEmpty), ("--best", !best.isEmpty),
      ("--report", output.report != nil),
      ("--format", output.chosen != .table), ("--sort", output.sort != nil), ("--summary", output.summary),
    ]
    return given.filter(\.1).map(\.0)
  }

  func run() throws {
    if let replay { throw try LabReplay(self, recording: replay).run() }
    if !lived.isEmpty { throw try LabValidation(self).run() }
    throw try LabSession(self).run()
  }
}

extension Metric {
  /// All of them, for messages.
  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
