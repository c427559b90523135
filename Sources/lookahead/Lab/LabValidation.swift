import Experiments
import Hosting
import Paging
import Scripting
import Simulation
import Text

/// The lab against life: recordings of people who browsed are played in virtual time, and the reader's waits are compared with
/// those that really were.
struct LabValidation {
  /// One recording, played.
  struct Row {
    let path: String
    let reading: RecordedReading
    /// The lab's waits: seconds, and how often.
    let waited: Double
    let waits: Double

    /// How much longer the lab waits, as a part of the real waits; nil where nobody waited.
    var difference: Double? { reading.waited > 0 ? waited / reading.waited - 1 : nil }
  }

  private let command: LabCommand
  private let inputs: LabInputs
  private let recordings: [(path: String, text: String)]
  private let output: ResultFile

  /// Reads the recordings; errors have been shown when it throws.
  init(_ command: LabCommand) throws {
    self.command = command
    inputs = try LabInputs(command)
    recordings = try command.lived.map { ($0, try LabInputs.contents($0)) }
    output = try ResultFile(command.output.output)
  }

  func run() throws -> RunExit {
    var cage = ScriptCage(loading: inputs.paths)
    cage.opened(output)
    try cage.enter()
    defer { ScriptCage.leave() }
    let rows = try recordings.map { try played($0.path, $0.text) }
    let table = TextTable(Row.head, rows: rows.map(\.cells), alignments: [.left, .left, .right])
    try output.write([HarmlessText.lines((table.lines + [Self.conclusion(rows)]).joined(separator: "\n"))])
    return .done
  }

  private func played(_ path: String, _ text: String) throws -> Row {
    let reading: RecordedReading
    do {
      guard let recorded = try ViewportTrace(text: text).reading else {
        throw TraceTextError(
          line: 1, expected: "a recording of lookahead browse --record", found: "only a trace")
      }
      reading = recorded
    } catch let error as TraceTextError {
      standardError(
        "error: --validate \(path), line \(error.line): expected \(error.expected), got \(error.found)")
      throw RunExit.usage
    }
    var experiment = try inputs.declared()
    var own: ExperimentPolicy?
    if experiment.policies.isEmpty, reading.policy == nil, experiment.sources.isEmpty {
      standardError(
        "error: --validate \(path): expected the recorded script beside it, as the source's own policy was used "
          + "(or another --policy)")
      throw RunExit.usage
    }
    if experiment.policies.isEmpty {
      if reading.policy == nil { own = experiment.sources.first?.policy }
      let name = reading.policy ?? "leadingScreens"
      if own == nil {
        do throws(PolicyTextError) {
          experiment.policies = [try ExperimentPolicy(builtIn: name)]
        } catch {
          standardError("error: --validate \(path), line 1: policy \(name): \(error.sentence)")
          throw RunExit.usage
        }
      }
    }
    experiment.sources = [ExperimentSource(name: path, options: reading.options, policy: own)]
    experiment.workloads = [WorldDescription("trace:\(path)", contents: text)]
    experiment.networks = [WorldDescription("recorded:\(path)", contents: text)]
    experiment.sessions = 1
    do {
      let result = try Lab().run(experiment)
      guard let row = result.rows.first(where: { !$0.isOracle }), row.failure == nil else {
        let failure = result.rows.compactMap(\.failure).first
        standardError("error: --validate \(path): \(failure?.description ?? "nothing was played")")
        throw RunExit.failed
      }
      return Row(
        path: path, reading: reading, waited: row.summaries[.stall]?.mean ?? 0,
        waits: row.summaries[.stalls]?.mean ?? 0)
    } catch let error as ExperimentError {
      throw LabInputs.shown(error)
    }
  }

  /// The median of the differences, whatever their sign.
  private static func conclusion(_ rows: [Row]) -> String {
    let sizes = rows.compactMap(\.difference).map(abs).sorted()
    guard !sizes.isEmpty else { return "\nnobody waited: there is nothing to compare" }
    let middle = sizes.count / 2
    let median = sizes.count % 2 == 1 ? sizes[middle] : (sizes[middle - 1] + sizes[middle]) / 2
    return "\nthe lab's waits differ from the real ones by \(Amount.decimals(median * 100, 1)) % "
      + "(median of \(Amount.count(sizes.count)) recording\(sizes.count == 1 ? "" : "s"); at most \(Amount.decimals((sizes.last ?? 0) * 100, 1)) %)"
  }
}

extension LabValidation.Row {
  static let head = ["recording", "policy", "real s", "waits", "lab s", "waits", "difference"]

  /// As in the table.
  var cells: [String] {
    let percent = difference.map { ($0 < 0 ? "−" : "+") + Amount.decimals(abs($0) * 100, 1) + " %" }
    return [
      path, reading.policy ?? "own", Amount.decimals(reading.waited, 3), "\(reading.waits)",
      Amount.decimals(waited, 3), "\(Int(waits))", percent ?? "–",
    ]
  }
}
