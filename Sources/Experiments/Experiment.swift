public import Paging

/// What the lab compares: every policy over every source, workload and network.
///
///     var experiment = Experiment()
///     experiment.policies = [try ExperimentPolicy(builtIn: "leadingScreens(2)")]
///     experiment.networks = [WorldDescription("lognormal:0.3,1")]
public struct Experiment {
  /// For headings.
  public var title = "experiment"
  /// Feeds to read; if empty, one with default settings.
  public var sources: [ExperimentSource] = []
  /// Policies to compare.
  public var policies: [ExperimentPolicy] = []
  /// Reader models; if empty, the lab's default, flings.
  public var workloads: [WorldDescription] = []
  /// Networks; if empty, the lab's default.
  public var networks: [WorldDescription] = []
  /// Sessions per row.
  public var sessions = 200
  /// Whether the first of several readers meets the first of as many networks only, and so on; otherwise all meet all.
  public var isPaired = false
  /// Whether all sources are read at once, on one link, each by a reader of its own; otherwise each has rows of its own.
  public var isTogether = false
  /// Seed of all random numbers.
  public var seed: UInt64 = 1
  /// The cost of one unit of `stall`, `event`, `request`, `waste` and `memory`.
  public var costs: [String: Double] = [:]
  /// Policy or source parameters to try in every combination, in this order.
  public var sweep: [SweepAxis] = []
  /// The policy the others are compared with; nil is the first.
  public var baseline: String?
  private var owners: [AnyObject] = []

  /// An empty experiment.
  public init() {}

  /// Keeps an object alive as long as the experiment: the script that policies belong to.
  public mutating func keep(_ owner: AnyObject) { owners.append(owner) }
}

/// A feed to read.
public struct ExperimentSource {
  /// Its name in rows.
  public var name: String
  /// How it is read.
  public var options: FeedConfiguration.Options
  /// The source's own policy, if any.
  public var policy: ExperimentPolicy?

  /// A source, with its own policy if it has one.
  public init(name: String, options: FeedConfiguration.Options, policy: ExperimentPolicy? = nil) {
    self.name = name
    self.options = options
    self.policy = policy
  }
}
