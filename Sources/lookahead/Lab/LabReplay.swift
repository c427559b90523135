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
    voice = Voice(try ReportOptions.parse([]), secrets: [])
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
    for policy in command.policy {
      let policies = try LabInputs.policies([policy])
      for chosen in policies.policies {
        rows.append(
          try row(named: chosen.name, trace: nil, policyFailure: chosen.takeFailure) {
            try chosen.make([:], seed: $0)
          })
      }
    }
    let table = TextTable(Row.head, rows: rows.map(\.cells), alignments: [.left, .right])
    try output.write([table.lines.joined(separator: "\n")])
    return rows.contains { $0.failure != nil } ? .failed : .done
  }

  private func row(
    named name: String, trace: String?, policyFailure: () -> String?,
    policy: @escaping (_ seed: UInt64) throws -> (any FetchPolicy)?
  ) throws -> Row {
    let replay = try RunReplay(path, of: script, voice)
    let writer = try trace.map { path throws(RunExit) in try TraceWriter(path, voice.redactor) }
    var options = WorkflowOptions(scriptName: script.path, scriptFolder: script.folder)
    options.parameters = replay.parameters([:])
    (options.seed, options.startedAt) = replay.beginning
    options.loadModule = { [script] in script.module($0) }
    options.sha256 = { sha256(key: $0, data: $1) }
    options.overrides.notesEveryDecision = writer != nil
    var seeds = RandomStream(seed: options.seed, "policy")
    options.policy = { _ in try policy(seeds.next()) }
    options.observe = { [voice] observation in
      writer?.write(observation)
      if case .logged = observation { voice.say(observation) }
    }
    writer?.start(script: script.path, seed: options.seed)
    let workflow = try Workflow(text: script.text, options: options)
    let end = replay.run(workflow, mask: SecretMask(folder: script.folder), sink: EmptySink()) {}
    if let exit = writer?.finish(), exit != .done { throw exit }
    let failure = workflow.failure.map { Wording($0, of: script).text } ?? policyFailure()
    if let failure { voice.error("\(name): \(failure)") }
    return Row(policy: name, statistics: workflow.statistics, seconds: end.seconds, failure: failure)
  }
}

extension LabReplay.Row {
  static let head = ["policy", "seconds", "stalls", "requests", "retries", "pages", "items"]

  /// As in the table.
  var cells: [String] {
    [
      policy, failure == nil ? Amount.decimals(seconds, 2) : "failed", "\(statistics.stalls)",
      "\(statistics.requests)", "\(statistics.retries)", "\(statistics.pages)", "\(statistics.items)",
    ]
  }
}
