import Experiments
import Lua
import Paging

/// Reads a script's declarations for the lab: experiments, their sources, policies, workloads and networks.
final class ExperimentReader {
  private let prelude: Prelude
  private let definitions: SourceDefinitions
  private let policies: ScriptPolicies
  /// The script's file, and the name of an unnamed source.
  private let names: (script: String, source: String)
  private let folder: ScriptFolder
  /// Reads the files named by a workload or network; nil if files are not read.
  var readWorld: ((String) throws -> [WorldFile])?

  init(
    _ prelude: Prelude, _ definitions: SourceDefinitions, _ policies: ScriptPolicies,
    names: (script: String, source: String), folder: ScriptFolder
  ) {
    self.prelude = prelude
    self.definitions = definitions
    self.policies = policies
    self.names = names
    self.folder = folder
  }

  /// The experiment described by the prelude's `experimentFields`.
  func experiment(_ fields: DefinitionFields) throws -> Experiment {
    var experiment = Experiment()
    experiment.title = fields.text("title") ?? experiment.title
    experiment.sources = try fields.elements("sources") { try source($0) }
    experiment.policies = try fields.elements("policies") { try policy($0) }
    experiment.workloads = try fields.elements("workloads") { try world($0) }
    experiment.networks = try fields.elements("networks") { try world($0) }
    experiment.sessions = try fields.count("sessions", in: 1...Limits.count) ?? experiment.sessions
    experiment.seed = try fields.count("seed", in: 0...Int.max).map { UInt64($0) } ?? experiment.seed
    if let costs = fields.table("costs") {
      experiment.costs = costs.namedNumbers
      costs.close()
    }
    experiment.sweep = try fields.elements("set") { axis in
      let values = axis.table("values")
      defer { values?.close() }
      return SweepAxis(name: axis.text("name") ?? "", values: values?.numbers ?? [])
    }
    experiment.isPaired = fields.boolean("paired") ?? experiment.isPaired
    experiment.isTogether = fields.boolean("together") ?? experiment.isTogether
    experiment.baseline = fields.text("baseline")
    return experiment
  }

  /// The source described by `sourceFields`, read as by a person: items passed may come into view again.
  func source(_ fields: DefinitionFields) throws -> ExperimentSource {
    let name = fields.text("name") ?? names.source
    guard let definition = fields.table("definition") else {
      return ExperimentSource(name: name, options: FeedConfiguration.Options())
    }
    let maxItems: Int?
    let found: SourceDefinition
    do throws(InvalidConfiguration) {
      defer { definition.close() }
      maxItems = try definition.count("maxItems")
      found = try definitions.read(definition.stack, at: definition.table)
    } catch {
      throw HostFunctionError.misuse("source '\(name)': \(error.text)")
    }
    var settings = found.browsedOptions
    settings.maxItems = maxItems
    var source = ExperimentSource(name: name, options: settings)
    if let policy = fields.table("policy") {
      defer { policy.close() }
      source.policy = try self.policy(policy)
    }
    return source
  }

  /// The workload or network described by `worldOf`. Paths are relative to the script's directory.
  func world(_ fields: DefinitionFields) throws -> WorldDescription {
    var world = WorldDescription(
      fields.text("text") ?? "", name: fields.text("name"), contents: fields.text("contents"))
    world.files += try fields.elements("found") { file in
      WorldFile(
        name: file.text("name") ?? "", contents: file.text("contents") ?? "", place: file.text("place"))
    }
    let files = fields.table("files")
    defer { files?.close() }
    for file in files?.texts ?? [] {
      guard let readWorld else {
        throw LuaError(.runtime, "\(names.script): \(file) is a file, and files are not read here")
      }
      for var found in try readWorld(folder.file(file)) {
        found.place = file
        world.files.append(found)
      }
    }
    return world
  }

  /// The policy described by `policyFields`, created anew for each session.
  ///
  /// It decides in this state, on its thread, with a copy of all that it reaches: nothing of a session is left to the
  /// next, and what can't be copied makes it fail.
  func policy(_ fields: DefinitionFields) throws -> ExperimentPolicy {
    let name = fields.text("name") ?? ""
    if fields.boolean("isBuiltIn") == true { return try builtIn(name) }
    var parameters: [String: Double] = [:]
    if let table = fields.table("parameters") {
      parameters = table.namedNumbers
      table.close()
    }
    guard let policy = fields.reference("policy", in: prelude.state) else {
      throw HostFunctionError.misuse("lookahead.experiment: policies: there is no policy '\(name)'")
    }
    let failure = PolicyFailure()
    let maker = policies.maker(of: policy, isStrict: true)
    var result = ExperimentPolicy(name: name, parameters: parameters) { values, seed in
      try maker.make(values, seed: seed) { failure.note($0) }
    }
    result.takeFailure = { failure.take() }
    return result
  }

  /// The same as on the command line, with the same parameters. No session starts after the script was stopped.
  private func builtIn(_ text: String) throws -> ExperimentPolicy {
    do throws(PolicyTextError) {
      let policy = try ExperimentPolicy(builtIn: text)
      return ExperimentPolicy(name: policy.name, parameters: policy.parameters) {
        [state = prelude.state] values in
        if state.isStopped { throw LuaError(.stopped(.interrupted), "interrupted") }
        return try policy.make(values)
      }
    } catch {
      throw HostFunctionError.misuse(error.sentence)
    }
  }
}

/// The first failure of a policy, kept until the lab asks for it.
private final class PolicyFailure {
  private var message: String?

  func note(_ message: String) { self.message = self.message ?? message }

  func take() -> String? {
    defer { message = nil }
    return message
  }
}

extension DefinitionFields {
  /// The tables of a list, each converted by `read`.
  func elements<Element>(
    _ name: String, _ read: (DefinitionFields) throws -> Element
  ) throws -> [Element] {
    guard let list = table(name) else { return [] }
    defer { list.close() }
    return try stride(from: 1, through: stack.length(of: list.table), by: 1).map { position in
      stack.pushElement(position, of: list.table)
      defer { stack.pop() }
      return try read(DefinitionFields(stack: stack, table: stack.absolute(-1)))
    }
  }
}
