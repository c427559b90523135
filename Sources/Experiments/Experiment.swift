public import Paging

/// What the lab is to compare: every policy over every source, workload and network.
///
///     var experiment = Experiment()
///     experiment.policies = [try ExperimentPolicy(builtIn: "leadingScreens(2)")]
///     experiment.networks = [WorldDescription("lognormal:0.3,1")]
public struct Experiment {
  /// For headings.
  public var title = "experiment"
  /// Feeds to read; none is one with default settings.
  public var sources: [ExperimentSource] = []
  /// Policies to try.
  public var policies: [ExperimentPolicy] = []
  /// Kinds of readers; none is the lab's default, flings.
  public var workloads: [WorldDescription] = []
  /// None is the lab's default.
  public var networks: [WorldDescription] = []
  /// Readers per row.
  public var sessions = 200
  /// Where all random numbers come from.
  public var seed: UInt64 = 1
  /// `stall`, `event`, `request`, `waste` and `memory`: what a unit of each costs.
  public var costs: [String: Double] = [:]
  /// Parameters of the policies or sources to be tried in every combination, in this order.
  public var sweep: [SweepAxis] = []
  /// The policy that the others are compared with; nil is the first.
  public var baseline: String?
  private var owners: [AnyObject] = []

  /// An experiment with nothing to compare yet.
  public init() {}

  /// Keeps an object alive for as long as the experiment: the script that policies belong to.
  public mutating func keep(_ owner: AnyObject) { owners.append(owner) }
}

/// A feed to read.
public struct ExperimentSource {
  /// As rows name it.
  public var name: String
  /// How it is read.
  public var options: FeedConfiguration.Options
  /// The source's own policy, where it has one.
  public var policy: ExperimentPolicy?

  /// A source, with a policy of its own where it has one.
  public init(name: String, options: FeedConfiguration.Options, policy: ExperimentPolicy? = nil) {
    self.name = name
    self.options = options
    self.policy = policy
  }
}
