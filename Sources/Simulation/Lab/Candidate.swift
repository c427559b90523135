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
  let source: Int
  let name: String
  let parameters: [LabParameter]
  let configuration: FeedConfiguration

  var isOracle: Bool { kind == .oracle || kind == .blindOracle }
}

extension Experiment {
  /// Every policy in every combination of the sweep's values, for one source: policy by policy, each in the order of
  /// the combinations, the source's own last. Oracles follow, for each setting of the source.
  func candidates(source index: Int) throws(ExperimentError) -> [Candidate] {
    let source = sources[index]
    try checkAxes(source)
    var settings: [([LabParameter], FeedConfiguration)] = []
    let combinations = try SweepAxis.combinations(sweep)
    if combinations.count * (policies.count + 1) > Self.mostRows {
      throw ExperimentError(
        "the experiment", expected: "at most \(Self.mostRows) rows",
        got: "\(policies.count) policies in \(combinations.count) combinations")
    }
    for combination in combinations {
      settings.append((combination, try configuration(of: source, combination)))
    }
    var kinds = policies.enumerated().map { (Candidate.Kind.policy($0), $1) }
    if let policy = source.policy { kinds.append((.own, policy)) }
    let result = kinds.flatMap { kind, policy in
      var tried: Set<[LabParameter]> = []
      return settings.compactMap { combination, configuration -> Candidate? in
        let own = combination.filter { policy.parameters[$0.name] != nil || isOption($0.name) }
        guard tried.insert(own).inserted else { return nil }
        return Candidate(
          kind: kind, source: index, name: policy.name, parameters: own, configuration: configuration)
      }
    }
    return result + oracles(of: result)
  }

  /// One pair of oracles for each way the source is read.
  private func oracles(of candidates: [Candidate]) -> [Candidate] {
    var settings: [Candidate] = []
    for candidate in candidates
    where !settings.contains(where: { $0.configuration == candidate.configuration }) {
      settings.append(candidate)
    }
    return settings.flatMap { like in
      [(Candidate.Kind.oracle, "oracle"), (.blindOracle, "oracle, network unknown")].map { kind, name in
        Candidate(
          kind: kind, source: like.source, name: name,
          parameters: like.parameters.filter { isOption($0.name) },
          configuration: like.configuration)
      }
    }
  }

  private func checkAxes(_ source: ExperimentSource) throws(ExperimentError) {
    let known = Set(
      policies.flatMap { $0.parameters.keys } + (source.policy?.parameters.keys.map { $0 } ?? []))
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
