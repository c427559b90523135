import ArgumentParser
import Experiments
import Hosting
import Lua
import Paging
import Scripting
import Text

/// A recorded run, repeated in virtual time with other policies: the script's own handlers, the recorded answers and
/// latencies, and the reader of `run`, which accepts everything immediately.
struct LabReplay {
  /// The result with one policy.
  struct Row {
    let policy: String
    let statistics: Statistics
    /// Virtual time at the end, in seconds.
    let seconds: Double
    /// Why it failed; nil if it completed.
    let failure: String?
  }

  private let command: LabCommand
  private let path: String
  private let script: ScriptFile
  private let voice: Voice
  private let output: ResultFile
  /// Values to try.
  private let axes: [SweepAxis]

  init(_ command: LabCommand, recording path: String) throws {
    guard command.files.count == 1, let file = command.files.first else {
      standardError(
        "error: --replay \(path): expected the one script that was recorded, got \(command.files.count) files"
      )
      throw RunExit.usage
    }
    self.command = command
    self.path = path
    script = try ScriptFile(file)
    voice = Voice(try LogOptions.parse([]), secrets: [])
    do throws(ExperimentError) {
      axes = try command.set.map { text throws(ExperimentError) in try SweepAxis(parsing: text) }
    } catch {
      throw LabInputs.shown(error)
    }
    if let metric = command.tune.flatMap(Metric.init), Row.value(metric) == nil {
      standardError("error: --tune \(metric): expected stall, stalls or requests, which a replay has")
      throw RunExit.usage
    }
    output = try ResultFile(command.output.output)
  }

  /// One row for the script's own policy, and one per named policy.
  func run() throws -> RunExit {
    var cage = ScriptCage(loading: [script.path] + command.policy.filter { $0.hasSuffix(".lua") })
    cage.read(path)
    cage.write(command.output.trace)
    cage.opened(output)
    try cage.enter()
    defer { ScriptCage.leave() }
    var rows = [
      try row(named: "own policy", trace: command.output.trace, policyFailure: { nil }) { _ in nil }
    ]
    let policies = try LabInputs.policies(command.policy).policies
    try check(policies)
    for chosen in policies {
      for values in try SweepAxis.combinations(axes.filter { chosen.parameters[$0.name] != nil }) {
        let setting = LabSetting(
          source: "", policy: chosen.name, parameters: values, workload: "", network: "")
        let parameters = Dictionary(uniqueKeysWithValues: values.map { ($0.name, $0.value) })
        rows.append(
          try row(named: setting.policyTitle, trace: nil, policyFailure: chosen.takeFailure) {
            try chosen.make(parameters, seed: $0)
          })
      }
    }
    let table = TextTable(Row.head, rows: rows.map(\.cells), alignments: [.left, .right])
    try output.write([HarmlessText.lines((table.lines + best(of: rows)).joined(separator: "\n"))])
    return rows.contains { $0.failure != nil } ? .failed : .done
  }

  /// Every axis is a parameter of some policy.
  private func check(_ policies: [ExperimentPolicy]) throws(RunExit) {
    let known = Set(policies.flatMap(\.parameters.keys))
    for axis in axes where !known.contains(axis.name) {
      let expected =
        known.isEmpty ? "a --policy with parameters" : "one of \(known.sorted().joined(separator: ", "))"
      throw LabInputs.shown(ExperimentError("--set \(axis.name)", expected: expected, got: axis.name))
    }
  }

  /// What `--tune` asked for: the first of the rows with the least.
  private func best(of rows: [Row]) -> [String] {
    guard let metric = command.tune.flatMap(Metric.init), let value = Row.value(metric),
      let best = rows.filter({ $0.failure == nil }).min(by: { value($0) < value($1) })
    else { return [] }
    let like = rows.filter { $0.failure == nil && value($0) == value(best) }.count - 1
    let others = like == 0 ? "" : ", like \(Amount.count(like)) other\(like == 1 ? "" : "s")"
    return ["", "\(best.policy) has the least \(Row.words(metric))\(others)"]
  }

  private func row(
    named name: String, trace: String?, policyFailure: () -> String?,
    policy: @escaping (_ seed: UInt64) throws -> (any FetchPolicy)?
  ) throws -> Row {
    let replay = try RunReplay(path, of: script, voice)
    let writer = try trace.map { path throws(RunExit) in try TraceWriter(path, voice.redactor) }
    var options = script.options
    options.parameters = replay.parameters([:])
    (options.seed, options.startedAt) = replay.beginning
    options.addCodecs()
    options.overrides = replay.overrides(options.overrides)
    options.overrides.notesEveryDecision = writer != nil
    var seeds = RandomStream(seed: options.seed, "policy")
    options.policy = { _ in try policy(seeds.next()) }
    options.observe = { [voice] observation in
      writer?.write(observation)
      if case .logged = observation { voice.say(observation) }
    }
    writer?.start(script: script.path, seed: options.seed)
    let workflow = try Workflow(text: script.text, options: options)
    let end = replay.run(
      workflow, of: workflow, mask: SecretMask(folder: script.folder), target: EmptySink(), voice
    ) {}
    if let exit = writer?.finish(), exit != .done { throw exit }
    let failure = workflow.failure.map { Wording($0, of: script).text } ?? policyFailure()
    if let failure { voice.error("\(name): \(failure)") }
    return Row(policy: name, statistics: workflow.statistics, seconds: end.seconds, failure: failure)
  }
}

extension LabReplay.Row {
  /// What a metric is in a replay, whose reader takes everything at once; nil where it has none.
  static func value(_ metric: Metric) -> ((LabReplay.Row) -> Double)? {
    switch metric {
    case .stall: { $0.seconds }
    case .stalls: { Double($0.statistics.stalls) }
    case .requests: { Double($0.statistics.requests) }
    default: nil
    }
  }

  static func words(_ metric: Metric) -> String { metric == .stall ? "seconds" : metric.rawValue }

  static let head = ["policy", "seconds", "stalls", "requests", "retries", "pages", "items"]

  /// As in the table.
  var cells: [String] {
    [
      policy, failure == nil ? Amount.decimals(seconds, 2) : "failed", "\(statistics.stalls)",
      "\(statistics.requests)", "\(statistics.retries)", "\(statistics.pages)", "\(statistics.items)",
    ]
  }
}
