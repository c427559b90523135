import Experiments
import Paging

/// Everything about one source, workload and network that is independent of the policy.
struct LabBlock {
  /// One, or those that are read at once.
  let sources: [Int]
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
    let lists = block.sources.indices.map {
      SessionList(block, session: session, list: $0, seed: experiment.seed)
    }
    var bounds = SessionBounds()
    var outcomes: [SessionOutcome?] = []
    for (number, candidate) in block.candidates.enumerated() {
      // Also charged for the plan, the policy and the bound.
      guard meter.pay() else { throw SessionFailure.stopped(session: session) }
      let outcome =
        order.candidates[number]
        ? try run(candidate, lists, block, &bounds, records: session < order.recorded) : nil
      outcomes.append(outcome)
    }
    return outcomes
  }

  private func run(
    _ candidate: Candidate, _ lists: [SessionList], _ block: LabBlock, _ bounds: inout SessionBounds,
    records: Bool
  ) throws -> SessionOutcome {
    let session = lists[0].plan.session
    for (plan, configuration) in zip(lists.map(\.plan), candidate.configurations) {
      let pageSize = configuration.options.pageSize
      if plan.isCut {
        return .failure(.tooLarge(session: session, limit: "\(SessionPlan.mostSteps) steps of its reader"))
      }
      if plan.lastWanted / pageSize >= SessionFailure.mostPages {
        return .failure(.tooFar(session: session, item: plan.lastWanted, pageSize: pageSize))
      }
    }
    let timeline =
      records ? SessionTimeline(setting: block.setting(of: candidate, in: experiment), session: session) : nil
    let network = block.mix.network(of: session).network
    let isFair = network.isFair ?? (lists.count > 1 || network.bytesPerDetail != nil)
    let link = NetworkSession(network, seed: experiment.seed, session: session, isFair: isFair)
    var (sessions, stall, isExact): ([Session], Duration, Bool) = ([], .zero, true)
    for (place, list) in lists.enumerated() {
      let feed = Feed(
        configuration: try configuration(candidate.configurations[place], for: network, records: records),
        policy: try policy(candidate, place, list, block))
      sessions.append(
        Session(
          list.plan, feed, link, SessionLimits(meter: meter, mostItems: mostItems),
          timeline: place == 0 ? timeline : nil))
      let bound = try bounds.bound(
        of: candidate.configurations[place], list, network, isFair: isFair, seed: experiment.seed)
      stall += bound.leastStall
      isExact = isExact && bound.isExact
    }
    do throws(SessionFailure) {
      var group = SessionGroup(sessions, seeds: lists.map(\.seed))
      let result = Result { () throws(SessionFailure) in try group.run() }
      if case .failure(.stopped(let session)) = result { throw .stopped(session: session) }
      if let message = takeFailure(of: candidate) { throw .policy(session: session, message: message) }
      var score = try result.get()
      score.bound = stall.inSeconds
      score.isBoundExact = isExact
      score.cost = costs.cost(of: score)
      score.reader = block.mix.reader(of: session)
      score.network = block.mix.networkIndex(session)
      return .score(score, group.timeline)
    } catch {
      if case .stopped = error { throw error }
      return .failure(error)
    }
  }

  /// A feed whose network carries details wants them ahead; one that is recorded says why it fetches.
  private func configuration(
    _ configuration: FeedConfiguration, for network: Network, records: Bool
  ) throws(InvalidConfiguration) -> FeedConfiguration {
    guard network.bytesPerDetail != nil || records else { return configuration }
    var options = configuration.options
    options.prefetchesDetails = network.bytesPerDetail != nil || options.prefetchesDetails
    options.makesNotes = records
    return try FeedConfiguration(options)
  }

  /// Why the candidate's policy failed to decide in the session that ended.
  private func takeFailure(of candidate: Candidate) -> String? {
    switch candidate.kind {
    case .policy(let number): experiment.policies[number].takeFailure()
    case .own: candidate.sources.compactMap { experiment.sources[$0].policy?.takeFailure() }.first
    case .oracle, .blindOracle: nil
    }
  }

  private func policy(
    _ candidate: Candidate, _ place: Int, _ list: SessionList, _ block: LabBlock
  ) throws -> any FetchPolicy {
    var values: [String: Double] = [:]
    for parameter in candidate.parameters { values[parameter.name] = parameter.value }
    let (plan, configuration) = (list.plan, candidate.configurations[place])
    // The same for all settings of a session: what is left between two of them is the settings' own difference.
    var random = RandomStream(seed: list.seed, "policy", plan.session)
    let named = block.mix.network(of: plan.session)
    let latency = { (page: Int) in
      named.network.latency(seed: list.seed, session: plan.session, page: page, attempt: 1)
    }
    switch candidate.kind {
    case .policy(let number): return try experiment.policies[number].make(values, seed: random.next())
    case .own:
      guard let policy = experiment.sources[candidate.sources[place]].policy else { return LeadingScreens() }
      return try policy.make(values, seed: random.next())
    case .oracle where named.network.isShared: return Oracle(plan, configuration)
    case .oracle: return try Oracle(plan, configuration, latency: latency)
    case .blindOracle: return Oracle(plan, configuration, first: latency(0), usual: named.usualLatency)
    }
  }
}

/// One of the lists that are read in a session: its reader's way, and the seed of all that is drawn for it.
private struct SessionList {
  let plan: SessionPlan
  let seed: UInt64

  /// The first list of a session has the experiment's seed, the others have their own.
  init(_ block: LabBlock, session: Int, list: Int, seed: UInt64) {
    var own = RandomStream(seed: seed, "list", list)
    self.seed = list == 0 ? seed : own.next()
    let workload = block.mix.workload(of: session)
    let path = workload.path(seed: self.seed, session: session)
    var plan = SessionPlan(session: session, total: workload.items ?? LabBlock.endless, path: path)
    plan.restsAfter = workload.restsAfter
    plan.patience = workload.patience(seed: self.seed, session: session)
    if workload.stopsAtEdge { plan.dyingPath = path }
    self.plan = plan
  }
}

/// The bounds of one session, one per way of reading a list.
private struct SessionBounds {
  private var known: [(configuration: FeedConfiguration, seed: UInt64, bound: Bound)] = []

  /// The least stall of any policy, and whether a schedule is known that has it.
  struct Bound {
    var leastStall: Duration
    var isExact: Bool
  }

  mutating func bound(
    of configuration: FeedConfiguration, _ list: SessionList, _ network: Network, isFair: Bool, seed: UInt64
  ) throws -> Bound {
    if let (_, _, bound) = known.first(where: { $0.configuration == configuration && $0.seed == list.seed }) {
      return bound
    }
    let bound = try Self.bound(list, configuration, network, isFair: isFair, linkSeed: seed)
    known.append((configuration, list.seed, bound))
    return bound
  }

  private static func bound(
    _ list: SessionList, _ configuration: FeedConfiguration, _ network: Network, isFair: Bool,
    linkSeed: UInt64
  ) throws -> Bound {
    let plan = list.plan
    let latency = { (page: Int) in network.leastTime(seed: list.seed, session: plan.session, page: page) }
    if plan.dyingPath != nil {
      // Where a wait changes the way, only the way to the first page is certain.
      let first = plan.deadline(of: 0) == .zero ? latency(0) : .zero
      return Bound(leastStall: min(first, plan.patience ?? first), isExact: false)
    }
    let schedule = try plan.bound(configuration, latency: latency)
    // Of all schedules that request pages in their order, as the machine does, none has any page earlier than
    // this one; its `leastStall` is for any order.
    var bound = Bound(
      leastStall: schedule.stall,
      isExact: schedule.isExact && network.isCertain(slots: configuration.maxInFlight))
    if network.isShared {
      let deadlines = plan.pages(configuration).map(\.deadline)
      let link = LinkBound(
        plan, configuration, network, isFair: isFair, seed: list.seed, linkSeed: linkSeed)
      bound.leastStall = max(bound.leastStall, link.leastStall(deadlines))
    }
    if let patience = plan.patience, patience < bound.leastStall {
      // Either no wait is that long, and the reader goes all the way, or one is.
      bound = Bound(leastStall: patience, isExact: false)
    }
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
      source: sources.map { experiment.sources[$0].name }.joined(separator: " + "), policy: candidate.name,
      parameters: candidate.parameters,
      workload: workloadName, network: networkName)
  }
}
