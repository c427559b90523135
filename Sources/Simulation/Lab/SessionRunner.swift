import Experiments
import Paging

/// Everything about one source, workload and network that is independent of the policy.
struct LabBlock {
  let source: Int
  let workloadName: String
  let networkName: String
  let mix: SessionMix
  let candidates: [Candidate]
}

/// The state of one worker: its own experiment, whose policies belong to its thread.
struct SessionRunner {
  let experiment: Experiment
  private let costs: SessionCosts
  private let meter: SessionMeter
  private let mostItems: Int

  init(_ experiment: Experiment, _ options: LabOptions) throws(ExperimentError) {
    self.experiment = experiment.completed
    costs = try SessionCosts(experiment.costs)
    meter = SessionMeter(options.account)
    mostItems = options.mostItems
  }

  /// Runs all candidates over one session; nil for those that have dropped out.
  func run(_ order: SessionOrder, session: Int) throws -> [SessionOutcome?] {
    meter.begin()
    let block = order.block
    let workload = block.mix.workload(of: session)
    var plan = SessionPlan(
      session: session, total: workload.items ?? LabBlock.endless,
      path: workload.path(seed: experiment.seed, session: session))
    plan.restsAfter = workload.restsAfter
    var bounds = SessionBounds()
    var outcomes: [SessionOutcome?] = []
    for (number, candidate) in block.candidates.enumerated() {
      // Also charged for the plan, the policy and the bound.
      guard meter.pay() else { throw SessionFailure.stopped(session: session) }
      let outcome =
        order.candidates[number]
        ? try run(candidate, plan, block, &bounds, records: session < order.recorded) : nil
      outcomes.append(outcome)
    }
    return outcomes
  }

  private func run(
    _ candidate: Candidate, _ plan: SessionPlan, _ block: LabBlock, _ bounds: inout SessionBounds,
    records: Bool
  ) throws -> SessionOutcome {
    let pageSize = candidate.configuration.options.pageSize
    if plan.isCut {
      return .failure(.tooLarge(session: plan.session, limit: "\(SessionPlan.mostSteps) steps of its reader"))
    }
    if plan.lastWanted / pageSize >= SessionFailure.mostPages {
      return .failure(.tooFar(session: plan.session, item: plan.lastWanted, pageSize: pageSize))
    }
    let network = block.mix.network(of: plan.session).network
    let latency = { [seed = experiment.seed] (page: Int) in
      network.latency(seed: seed, session: plan.session, page: page, attempt: 1)
    }
    let policy = try policy(candidate, plan, block, latency)
    let timeline =
      records
      ? SessionTimeline(setting: block.setting(of: candidate, in: experiment), session: plan.session) : nil
    var run = Session(
      plan, Feed(configuration: candidate.configuration, policy: policy),
      NetworkSession(network, seed: experiment.seed, session: plan.session),
      SessionLimits(meter: meter, mostItems: mostItems), timeline: timeline)
    let bound = try bounds.bound(of: candidate, plan, block, seed: experiment.seed)
    do throws(SessionFailure) {
      let result = Result { () throws(SessionFailure) in try run.run() }
      if case .failure(.stopped(let session)) = result { throw .stopped(session: session) }
      if let message = takeFailure(of: candidate) {
        throw .policy(session: plan.session, message: message)
      }
      var score = try result.get()
      score.bound = bound.leastStall.inSeconds
      score.isBoundExact = bound.isExact
      score.cost = costs.cost(of: score)
      score.reader = block.mix.reader(of: plan.session)
      score.network = block.mix.networkIndex(plan.session)
      return .score(score, run.timeline)
    } catch {
      if case .stopped = error { throw error }
      return .failure(error)
    }
  }

  /// Why the candidate's policy failed to decide in the session that ended.
  private func takeFailure(of candidate: Candidate) -> String? {
    switch candidate.kind {
    case .policy(let number): experiment.policies[number].takeFailure()
    case .own: experiment.sources[candidate.source].policy?.takeFailure()
    case .oracle, .blindOracle: nil
    }
  }

  private func policy(
    _ candidate: Candidate, _ plan: SessionPlan, _ block: LabBlock, _ latency: (Int) -> Duration
  ) throws -> any FetchPolicy {
    var values: [String: Double] = [:]
    for parameter in candidate.parameters { values[parameter.name] = parameter.value }
    // The same for all settings of a session: what is left between two of them is the settings' own difference.
    var random = RandomStream(seed: experiment.seed, "policy", plan.session)
    let network = block.mix.network(of: plan.session)
    switch candidate.kind {
    case .policy(let number): return try experiment.policies[number].make(values, seed: random.next())
    case .own:
      guard let policy = experiment.sources[candidate.source].policy else { return LeadingScreens() }
      return try policy.make(values, seed: random.next())
    case .oracle where network.network.isShared: return Oracle(plan, candidate.configuration)
    case .oracle: return try Oracle(plan, candidate.configuration, latency: latency)
    case .blindOracle:
      return Oracle(plan, candidate.configuration, first: latency(0), usual: network.usualLatency)
    }
  }
}

/// The bounds of one session, one per way of reading the source.
private struct SessionBounds {
  private var known: [(configuration: FeedConfiguration, bound: Bound)] = []

  /// The least stall of any policy, and whether a schedule is known that has it.
  struct Bound {
    let leastStall: Duration
    let isExact: Bool
  }

  mutating func bound(
    of candidate: Candidate, _ plan: SessionPlan, _ block: LabBlock, seed: UInt64
  ) throws -> Bound {
    let (configuration, network) = (candidate.configuration, block.mix.network(of: plan.session).network)
    if let (_, bound) = known.first(where: { $0.configuration == configuration }) { return bound }
    let schedule = try plan.bound(configuration) { page in
      network.leastTime(seed: seed, session: plan.session, page: page)
    }
    var least = schedule.leastStall
    if network.isShared {
      let deadlines = plan.pages(configuration).map(\.deadline)
      least = max(least, LinkBound(plan, configuration, network, seed: seed).leastStall(deadlines))
    }
    let isExact = schedule.isExact && network.isCertain(slots: configuration.maxInFlight)
    let bound = Bound(leastStall: least, isExact: isExact)
    known.append((configuration, bound))
    return bound
  }
}

/// The outcome of a session.
enum SessionOutcome: Sendable {
  case score(SessionScore, SessionTimeline?)
  case failure(SessionFailure)
}

extension LabBlock {
  /// Items of an endless source: more than any reader reaches.
  static let endless = 1_000_000_000

  /// The setting of a candidate's row.
  func setting(of candidate: Candidate, in experiment: Experiment) -> LabSetting {
    LabSetting(
      source: experiment.sources[source].name, policy: candidate.name, parameters: candidate.parameters,
      workload: workloadName, network: networkName)
  }
}
