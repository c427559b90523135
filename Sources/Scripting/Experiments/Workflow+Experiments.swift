import Lua
import Paging

/// From what a script declared to an experiment that the lab runs.
extension Workflow {
  /// The experiment that the prelude's `experimentFields` stand for.
  func experiment(_ fields: DefinitionFields) throws -> Experiment {
    var experiment = Experiment()
    experiment.title = fields.text("title") ?? experiment.title
    experiment.sources = try fields.elements("sources") { try experimentSource($0) }
    experiment.policies = try fields.elements("policies") { try experimentPolicy($0) }
    experiment.workloads = try fields.elements("workloads") { try world($0) }
    experiment.networks = try fields.elements("networks") { try world($0) }
    experiment.sessions = try fields.count("sessions", in: 1...Limits.count) ?? experiment.sessions
    experiment.seed = try fields.count("seed", in: 0...Int.max).map { UInt64($0) } ?? experiment.seed
    if let costs = fields.table("costs") {
      experiment.costs = costs.namedNumbers
      costs.end()
    }
    experiment.sweep = try fields.elements("set") { axis in
      let values = axis.table("values")
      defer { values?.end() }
      return SweepAxis(name: axis.text("name") ?? "", values: values?.numbers ?? [])
    }
    experiment.baseline = fields.text("baseline")
    return experiment
  }

  /// The source that `sourceFields` stand for, read as a person reads: what was passed may come into view again.
  func experimentSource(_ fields: DefinitionFields) throws -> ExperimentSource {
    let name = fields.text("name") ?? options.sourceName
    guard let definition = fields.table("definition") else {
      return ExperimentSource(name: name, options: FeedConfiguration.Options())
    }
    let maxItems: Int?
    let found: SourceDefinition
    do throws(InvalidConfiguration) {
      defer { definition.end() }
      maxItems = try definition.count("maxItems")
      found = try SourceDefinition(
        state, at: definition.table, on: definition.stack, overrides: options.overrides, seed: options.seed)
    } catch {
      throw HostFunctionError.misuse("source '\(name)': \(error.text)")
    }
    var settings = found.configuration.options
    settings.releasesPassedItems = false
    settings.maxItems = maxItems
    var source = ExperimentSource(name: name, options: settings)
    if let policy = fields.table("policy") {
      defer { policy.end() }
      source.policy = try experimentPolicy(policy)
    }
    return source
  }

  /// The workload or network that `worldOf` describes. A path counts from the script's folder.
  func world(_ fields: DefinitionFields) throws -> WorldDescription {
    var world = WorldDescription(
      fields.text("text") ?? "", name: fields.text("name"), contents: fields.text("contents"))
    guard let file = fields.text("file") else { return world }
    guard let readWorld else {
      throw LuaError(.runtime, "\(options.scriptName): \(file) is a file, and files are not read here")
    }
    world.contents = try readWorld(file.hasPrefix("/") ? file : options.scriptFolder + "/" + file)
    return world
  }
}

extension DefinitionFields {
  /// The tables of a list, each read by `read`.
  func elements<Element>(
    _ name: String, _ read: (DefinitionFields) throws -> Element
  ) throws -> [Element] {
    guard let list = table(name) else { return [] }
    defer { list.end() }
    return try stride(from: 1, through: stack.length(of: list.table), by: 1).map { position in
      stack.pushElement(position, of: list.table)
      defer { stack.pop() }
      return try read(DefinitionFields(stack: stack, table: stack.absolute(-1)))
    }
  }
}
