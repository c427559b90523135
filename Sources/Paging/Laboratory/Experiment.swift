/// What is to be compared: every policy over every source, workload and network.
public struct Experiment {
  /// For headings.
  public var title = "experiment"
  /// Feeds to read; none is one with default settings.
  public var sources: [ExperimentSource] = []
  public var policies: [ExperimentPolicy] = []
  /// None is the lab's default, flings.
  public var workloads: [WorldDescription] = []
  /// None is the lab's default.
  public var networks: [WorldDescription] = []
  /// Readers per row.
  public var sessions = 200
  public var seed: UInt64 = 1
  /// `stall`, `event`, `request`, `waste` and `memory`: what a unit of each costs.
  public var costs: [String: Double] = [:]
  /// Parameters of the policies or sources to be tried in every combination, in this order.
  public var sweep: [SweepAxis] = []
  /// The policy that the others are compared with; nil is the first.
  public var baseline: String?
  /// What has to live as long as the policies do.
  private var owners: [AnyObject] = []

  public init() {}

  /// Keeps what policies belong to.
  public mutating func keep(_ owner: AnyObject) { owners.append(owner) }
}

/// A feed to be read.
public struct ExperimentSource {
  public var name: String
  public var options: FeedConfiguration.Options
  /// The source's own policy, where it has one.
  public var policy: ExperimentPolicy?

  public init(name: String, options: FeedConfiguration.Options, policy: ExperimentPolicy? = nil) {
    self.name = name
    self.options = options
    self.policy = policy
  }
}

/// A policy to be tried, and what of it can be turned.
public struct ExperimentPolicy {
  public var name: String
  /// With their defaults.
  public var parameters: [String: Double]
  /// Makes one for a session; parameters that are not given have their defaults.
  public var make: ([String: Double]) throws -> any FetchPolicy

  public init(
    name: String, parameters: [String: Double] = [:],
    make: @escaping ([String: Double]) throws -> any FetchPolicy
  ) {
    self.name = name
    self.parameters = parameters
    self.make = make
  }
}

/// A parameter and the values that a sweep gives it.
public struct SweepAxis: Sendable, Hashable {
  public var name: String
  public var values: [Double]

  public init(name: String, values: [Double]) {
    self.name = name
    self.values = values
  }
}

/// A workload or a network in words, which the lab knows the meaning of.
public struct WorldDescription: Sendable, Hashable {
  /// What reports call it; nil is the text.
  public var name: String?
  /// Kind, values and options: `fling:flings=20`, `lognormal:0.35,0.5,loss=0.01`, `trace:FILE`.
  public var text: String
  /// Of the file that the text names, where it names one.
  public var contents: String?

  public init(_ text: String, name: String? = nil, contents: String? = nil) {
    self.text = text
    self.name = name
    self.contents = contents
  }
}
