import Experiments
import Paging

extension Experiment {
  /// The experiment with the lab's defaults filled in.
  var completed: Experiment {
    var experiment = self
    if sources.isEmpty {
      experiment.sources = [ExperimentSource(name: "pages of 20", options: Self.defaultOptions)]
    }
    if workloads.isEmpty { experiment.workloads = [WorldDescription("fling:items=100000", name: "fling")] }
    if networks.isEmpty { experiment.networks = [WorldDescription("reference")] }
    return experiment
  }

  /// Counted keys, two pages in flight, as in the reference lab (lab.md 2.5).
  private static var defaultOptions: FeedConfiguration.Options {
    var options = FeedConfiguration.Options()
    options.keys = .page
    options.maxInFlight = 2
    options.knownTotal = 100_000
    return options
  }

  /// Maximum rows of a result, including oracles.
  static let mostRows = 100_000

  /// Every source with every workload and network, in that order.
  func blocks() throws -> [LabBlock] {
    if sessions < 1 { throw ExperimentError("sessions", expected: "at least 1", got: "\(sessions)") }
    if isTogether, sources.count < 2 {
      throw ExperimentError("--together", expected: "several sources to read at once", got: "one")
    }
    let groups = isTogether ? [Array(sources.indices)] : sources.indices.map { [$0] }
    let worlds = workloads.count.multipliedReportingOverflow(by: networks.count * groups.count)
    if worlds.overflow || worlds.partialValue > Self.mostRows {
      throw ExperimentError(
        "the experiment", expected: "at most \(Self.mostRows) rows",
        got: "\(groups.count) sources with \(workloads.count) workloads and \(networks.count) networks")
    }
    let workloads = try workloads.map { ($0, try $0.readers()) }
    let networks = try networks.map { ($0, try $0.networks()) }
    var blocks: [LabBlock] = []
    for group in groups {
      let candidates = try candidates(sources: group)
      if candidates.count * worlds.partialValue > Self.mostRows {
        throw ExperimentError(
          "the experiment", expected: "at most \(Self.mostRows) rows",
          got: "\(candidates.count) policies and oracles in \(worlds.partialValue) worlds")
      }
      if let name = Candidate.oracleNames.first(where: { name in
        candidates.contains { $0.name == name && !$0.isOracle }
      }) {
        throw ExperimentError(
          "policy '\(name)'", expected: "another name: a row of the lab has this one", got: name)
      }
      if candidates.allSatisfy(\.isOracle) {
        throw ExperimentError("the experiment", expected: "at least one policy", got: "none")
      }
      for workload in workloads {
        for network in networks {
          blocks.append(
            LabBlock(
              sources: group, workloadName: workload.0.title, networkName: network.0.title,
              mix: try mix(workload.1, network.1), candidates: candidates))
        }
      }
    }
    try checkNames(blocks)
    return blocks
  }

  /// Throws if two rows could not be told apart: they would be taken for one wherever rows are compared.
  private func checkNames(_ blocks: [LabBlock]) throws(ExperimentError) {
    func check(_ what: String, _ names: [String]) throws(ExperimentError) {
      var known: Set<String> = []
      guard let name = names.first(where: { !known.insert($0).inserted }) else { return }
      throw ExperimentError(what, expected: "a name of its own for each", got: "two called '\(name)'")
    }
    for block in blocks.prefix(1) {
      try check(
        "policies",
        block.candidates.filter { !$0.isOracle }.map { block.setting(of: $0, in: self).policyTitle })
    }
    if !isTogether { try check("sources", sources.map(\.name)) }
    try check("workloads", workloads.map(\.title))
    try check("networks", networks.map(\.title))
  }

  /// The sessions of a world; throws if it can't be paired as wanted.
  private func mix(
    _ readers: Population<NamedWorkload>, _ networks: Population<NamedNetwork>
  ) throws(ExperimentError) -> SessionMix {
    let counts = (readers.members.count, networks.members.count)
    if isPaired, counts.0 != counts.1 || counts.0 == 1 {
      throw ExperimentError(
        "--paired", expected: "as many readers as networks, several of each",
        got:
          "\(counts.0) reader\(counts.0 == 1 ? "" : "s") and \(counts.1) network\(counts.1 == 1 ? "" : "s")")
    }
    return SessionMix(readers, networks, isPaired: isPaired, sessions: sessions)
  }

  /// The baseline policy's name in rows.
  func baselineName(_ blocks: [LabBlock]) throws(ExperimentError) -> String {
    let settings = blocks.flatMap { block in
      block.candidates.filter { !$0.isOracle }.map { block.setting(of: $0, in: self) }
    }
    let names = settings.map(\.policyTitle)
    guard let baseline else { return names.first ?? "" }
    if let name = names.first(where: { $0 == baseline }) { return name }
    // The beginning of a name, if there is only one that begins with it.
    let begun = settings.filter { $0.policyTitle.hasPrefix(baseline + " ") }
    let meant = begun.contains { $0.policy == baseline } ? begun.filter { $0.policy == baseline } : begun
    if Set(meant.map(\.policy)).count == 1 { return meant[0].policyTitle }
    throw ExperimentError("--baseline", expected: LabResult.choice(of: names), got: baseline)
  }

  /// Sources, workloads and networks, each with its description, for the record.
  func inputs(_ blocks: [LabBlock]) -> [(name: String, description: String)] {
    var inputs: [(name: String, description: String)] = []
    func add(_ name: String, _ description: String) {
      if !inputs.contains(where: { $0.name == name && $0.description == description }) {
        inputs.append((name, description))
      }
    }
    for block in blocks {
      for source in block.sources.map({ sources[$0] }) {
        add("source \(source.name)", source.options.summary)
      }
      add("workload \(block.workloadName)", block.mix.readersSummary)
      add("network \(block.networkName)", block.mix.networksSummary)
    }
    return inputs
  }

  /// Where recorded readers jumped to places, and the lab's go through all pages on the way.
  func remarks(_ blocks: [LabBlock]) -> [String] {
    var remarks: [String] = []
    for block in blocks {
      let counted = block.sources.map { sources[$0].options }.filter {
        $0.keys.isCounted && !$0.jumpsToPlaces
      }
      let jumps = counted.map {
        block.mix.jumps(beyond: $0.pageSize * ($0.maxInFlight ?? Limits.usualInFlight))
      }
      guard let most = jumps.max(), most > 0 else { continue }
      let remark =
        "\(block.workloadName): \(most) jump\(most == 1 ? "" : "s") of the reader, on whose way the lab fetches all pages; "
        + "browse fetches the page of the place (--validate plays it so)"
      if !remarks.contains(remark) { remarks.append(remark) }
    }
    return remarks
  }
}

extension FeedConfiguration.Options {
  /// What matters in the lab, in one line.
  var summary: String {
    var parts = ["\(keys.rawValue) keys", "pages of \(pageSize)"]
    if let initialPageSize, initialPageSize != pageSize { parts.append("the first of \(initialPageSize)") }
    parts.append("\(maxInFlight ?? (keys.isCounted ? 4 : 1)) in flight")
    if let maxItems { parts.append("at most \(maxItems) items held") }
    return parts.joined(separator: ", ")
  }
}

extension SessionCosts {
  /// By name; missing ones have their defaults.
  init(_ values: [String: Double]) throws(ExperimentError) {
    self.init()
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      guard 0...1e12 ~= value else {
        let got = value.isNaN ? "nan" : "\(value)"
        throw ExperimentError("costs.\(name)", expected: "a number from 0 to 1e12", got: got)
      }
      switch name {
      case "stall": stall = value
      case "event": event = value
      case "request": request = value
      case "waste": waste = value
      case "memory": memory = value
      case "bytes": bytes = value
      case "energy": energy = value
      case "left": left = value
      default:
        throw ExperimentError(
          "costs", expected: "stall, event, request, waste, memory, bytes, energy or left", got: name)
      }
    }
  }
}
