import Experiments
import Paging

/// One policy with its parameters, over one source: the subject of a row except its world.
struct Candidate {
  /// Which of the experiment's policies it is.
  enum Kind: Equatable {
    case policy(Int)
    /// The source's own policy.
    case own
    /// Knows the reader and every latency.
    case oracle
    /// Knows the reader, but only the distribution of latencies.
    case blindOracle
  }

  let kind: Kind
  let name: String
  let parameters: [LabParameter]
  /// One, or those that are read at once.
  let sources: [Int]
  /// Of the sources.
  let configurations: [FeedConfiguration]

  var isOracle: Bool { kind == .oracle || kind == .blindOracle }

  /// The names of the rows that know the reader: with every latency, and without.
  static let oracleNames = ["oracle", "oracle, network unknown"]
}

extension Experiment {
  /// Every policy in every combination of the sweep's values, for one source or those read at once: policy by policy, each in the
  /// order of the combinations, the source's own last. Oracles follow, for each setting of the source.
  func candidates(sources indices: [Int]) throws(ExperimentError) -> [Candidate] {
    let read = indices.map { sources[$0] }
    try checkAxes(read)
    var settings: [([LabParameter], [FeedConfiguration])] = []
    let combinations = try SweepAxis.combinations(sweep)
    if combinations.count * (policies.count + 1) > Self.mostRows {
      throw ExperimentError(
        "the experiment", expected: "at most \(Self.mostRows) rows",
        got: "\(policies.count) policies in \(combinations.count) combinations")
    }
    for combination in combinations {
      var configurations: [FeedConfiguration] = []
      for source in read { configurations.append(try configuration(of: source, combination)) }
      settings.append((combination, configurations))
    }
    var kinds = policies.enumerated().map { (Candidate.Kind.policy($0), $1.name, Set($1.parameters.keys)) }
    let own = read.compactMap(\.policy)
    if let first = own.first {
      var name = own.allSatisfy { $0.name == first.name } ? first.name : "own policies"
      if policies.contains(where: { $0.name == name }) { name += " (own)" }
      kinds.append((.own, name, Set(own.flatMap { $0.parameters.keys })))
    }
    let result = kinds.flatMap { kind, name, known in
      var tried: Set<[LabParameter]> = []
      return settings.compactMap { combination, configurations -> Candidate? in
        let own = combination.filter { known.contains($0.name) || isOption($0.name) }
        guard tried.insert(own).inserted else { return nil }
        return Candidate(
          kind: kind, name: name, parameters: own, sources: indices, configurations: configurations)
      }
    }
    return result + oracles(of: result)
  }

  /// One pair of oracles for each way the source is read.
  private func oracles(of candidates: [Candidate]) -> [Candidate] {
    var settings: [Candidate] = []
    for candidate in candidates
    where !settings.contains(where: { $0.configurations == candidate.configurations }) {
      settings.append(candidate)
    }
    return settings.flatMap { like in
      zip([Candidate.Kind.oracle, .blindOracle], Candidate.oracleNames).map { kind, name in
        Candidate(
          kind: kind, name: name, parameters: like.parameters.filter { isOption($0.name) },
          sources: like.sources, configurations: like.configurations)
      }
    }
  }

  private func checkAxes(_ sources: [ExperimentSource]) throws(ExperimentError) {
    let known = Set((policies + sources.compactMap(\.policy)).flatMap { $0.parameters.keys })
    for axis in sweep where !known.contains(axis.name) && !isOption(axis.name) {
      let names = (known.sorted() + FeedConfiguration.Options.tunable).joined(separator: ", ")
      throw ExperimentError("--set \(axis.name)", expected: "one of \(names)", got: axis.name)
    }
  }

  private func isOption(_ name: String) -> Bool {
    FeedConfiguration.Options.tunable.contains(name) && !policies.contains { $0.parameters[name] != nil }
  }

  private func configuration(
    of source: ExperimentSource, _ parameters: [LabParameter]
  ) throws(ExperimentError) -> FeedConfiguration {
    var options = source.options
    options.makesNotes = false
    for parameter in parameters where isOption(parameter.name) { options.set(parameter) }
    do {
      return try FeedConfiguration(options)
    } catch {
      throw ExperimentError(
        "source '\(source.name)': \(error.option)", expected: error.expected, got: error.value)
    }
  }
}

extension FeedConfiguration.Options {
  /// Source settings that a sweep can change.
  static let tunable = [
    "pageSize", "leadingScreens", "maxInFlight", "prefetchDistance", "initialPageSize", "maxItems",
  ]

  mutating func set(_ parameter: LabParameter) {
    let whole = Int(max(-1e15, min(1e15, parameter.value.rounded())))
    switch parameter.name {
    case "pageSize": pageSize = whole
    case "leadingScreens": leadingScreens = parameter.value
    case "maxInFlight": maxInFlight = whole
    case "prefetchDistance": prefetchDistance = whole
    case "initialPageSize": initialPageSize = whole
    case "maxItems": maxItems = whole
    default: break
    }
  }
}
