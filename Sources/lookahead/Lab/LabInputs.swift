import Experiments
import Paging
import Scripting
import Simulation

/// The inputs of a lab command, as text: read once, so that every thread can create its own experiment.
struct LabInputs: Sendable {
  /// A script, or a policy by name.
  enum Input: Sendable {
    case script(path: String, text: String, folder: String)
    case builtIn(String)
  }

  private let scripts: [Input]
  private let workloads: [WorldDescription]
  private let networks: [WorldDescription]
  private let axes: [SweepAxis]
  private let sessions: Int?
  private let isPaired: Bool
  private let isTogether: Bool
  private let seed: UInt64?
  private let baseline: String?
  private let costs: [String: Double]
  private let messages = LabMessages()

  /// Reads all files; errors have been shown when it throws.
  init(_ command: LabCommand) throws {
    var scripts: [Input] = []
    for path in command.files { scripts.append(try Self.script(path)) }
    for policy in command.policy {
      scripts.append(policy.hasSuffix(".lua") ? try Self.script(policy) : .builtIn(policy))
    }
    self.scripts = scripts
    workloads = try command.workload.map { try Self.world($0, fileKind: "trace") }
    networks = try command.network.map { try Self.world($0, fileKind: "measured") }
    axes = try command.set.map { text in
      do throws(ExperimentError) { return try SweepAxis(parsing: text) } catch { throw Self.shown(error) }
    }
    sessions = command.sessions
    isPaired = command.paired
    isTogether = command.together
    seed = command.seed
    baseline = command.baseline.flatMap { LabBaseline.isFile($0) ? nil : $0 }
    do throws(ExperimentError) { costs = try Self.costs(command.cost) } catch { throw Self.shown(error) }
  }

  /// The scripts' files.
  var paths: [String] {
    scripts.compactMap { if case .script(let path, _, _) = $0 { path } else { nil } }
  }

  /// The experiment, with policies that belong to the calling thread.
  func experiment() throws -> Experiment {
    var experiment = try Self.declared(scripts, messages)
    if experiment.policies.isEmpty, !experiment.sources.contains(where: { $0.policy != nil }) {
      experiment.policies = try ["leadingScreens(2)", "onDemand"].map { try ExperimentPolicy(builtIn: $0) }
    }
    experiment.workloads += workloads
    experiment.networks += networks
    experiment.sweep += axes
    experiment.sessions = sessions ?? experiment.sessions
    experiment.isPaired = isPaired || experiment.isPaired
    experiment.isTogether = isTogether || experiment.isTogether
    experiment.costs.merge(costs) { $1 }
    experiment.seed = seed ?? experiment.seed
    experiment.baseline = baseline ?? experiment.baseline
    return experiment
  }

  /// What the scripts and policies declare, without the lab's defaults.
  func declared() throws -> Experiment { try Self.declared(scripts, messages) }

  /// The policies named, for the calling thread.
  static func policies(_ names: [String]) throws -> Experiment {
    try declared(names.map { $0.hasSuffix(".lua") ? try script($0) : .builtIn($0) }, LabMessages())
  }

  /// Everything that the inputs declare.
  private static func declared(_ inputs: [Input], _ messages: LabMessages) throws -> Experiment {
    var experiment = Experiment()
    var names = LabNames()
    var title: [String] = []
    for input in inputs {
      switch input {
      case .builtIn(let text):
        do throws(PolicyTextError) {
          experiment.policies.append(try ExperimentPolicy(builtIn: text))
          names.noteNamed(in: experiment)
        } catch {
          standardError("error: --policy \(text): \(error.sentence)")
          throw RunExit.usage
        }
      case .script(let path, let text, let folder):
        let file = LabScriptFile(path: path, text: text, folder: folder, messages: messages)
        try file.loaded().add(to: &experiment)
        names.note(path, in: experiment)
        title.append(path)
      }
    }
    names.tellApart(&experiment)
    if !title.isEmpty, experiment.title == Experiment().title {
      experiment.title = title.joined(separator: ", ")
    }
    return experiment
  }

  /// Reads `NAME=COST,…`.
  private static func costs(_ texts: [String]) throws(ExperimentError) -> [String: Double] {
    var costs: [String: Double] = [:]
    for part in texts.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
      let sides = part.split(separator: "=", omittingEmptySubsequences: false)
      guard sides.count == 2, let cost = Double(sides[1]) else {
        throw ExperimentError("--cost \(part)", expected: "NAME=COST, as waste=0.01", got: String(part))
      }
      guard costs.updateValue(cost, forKey: String(sides[0])) == nil else {
        throw ExperimentError("--cost \(part)", expected: "one cost of \(sides[0])", got: "two")
      }
    }
    return costs
  }

  private static func script(_ path: String) throws(RunExit) -> Input {
    let file = try ScriptFile(path)
    return .script(path: path, text: file.text, folder: file.folder)
  }

  /// A text in one of the lab's forms, or a file, a folder or a pattern of files.
  private static func world(_ text: String, fileKind: String) throws -> WorldDescription {
    let isForm = text.contains(":") || text.contains("=") || text.contains(" + ")
    let isFile = !isForm && (text.contains("/") || text.contains("."))
    let text = isFile ? "\(fileKind):\(text)" : text
    let places: [String]
    do throws(InvalidWorld) {
      places = try WorldMixture(text).places
    } catch {
      throw shown(ExperimentError(error.name, expected: error.expected, got: error.value))
    }
    return WorldDescription(text, files: try places.flatMap { try WorldFiles.all(of: $0, contents) })
  }

  /// The contents of a file; the error has been shown when it throws.
  static func contents(_ path: String) throws(RunExit) -> String {
    do throws(TextFileError) {
      return try TextFile.read(path)
    } catch {
      standardError("error: can't read \(path): \(error.reason)")
      throw .noInput
    }
  }

  /// Shows what is wrong with the command line.
  static func shown(_ error: ExperimentError) -> RunExit {
    standardError("error: \(error.sentence)\(nearest(error))")
    return .usage
  }

  /// A suggestion from the expected names, if they are listed.
  private static func nearest(_ error: ExperimentError) -> String {
    guard error.expected.hasPrefix("one of ") else { return "" }
    let forms = error.expected.dropFirst("one of ".count).split(separator: ", ")
    let names = forms.map { form in String(form.prefix { $0 != ":" }.filter { $0 != "'" }) }
    return NearestName.of(error.got, in: names).map { " (did you mean '\($0)'?)" } ?? ""
  }
}
