import TestSupport
import Paging
import Simulation

/// An exploration of a source of numbers, which counts how often the source was asked.
struct ExplorationRig {
  var exploration: Exploration
  let source: NumberSource
  /// How long an answer takes.
  var delay: (FetchRequest) -> Duration = { _ in .milliseconds(100) }
  /// The answer in the place of the source's own.
  var answer: (FetchRequest) -> JournaledAnswer? = { _ in nil }
  /// Answers of the source so far.
  private(set) var asked = 0

  init(
    _ source: NumberSource = NumberSource(count: 200), policy: FreshPolicy? = nil, screen: Int = 10,
    _ set: (inout FeedConfiguration.Options) -> Void = { _ in }
  ) throws {
    self.source = source
    let configuration = try FeedConfiguration {
      $0.keys = source.keys
      set(&$0)
    }
    exploration = try Exploration(
      configuration: configuration, policy: policy ?? .named("leadingScreens(2)"), screen: screen)
  }

  /// Lets happen what is to come, with the source at hand.
  @discardableResult
  mutating func run(_ goal: ExplorationGoal = ExplorationGoal()) -> ExplorationStop {
    var goal = goal
    while true {
      guard case .needs(let requests) = exploration.run(&goal) else { return exploration.run(&goal) }
      for request in requests {
        asked += 1
        exploration.supply(
          answer(request) ?? JournaledAnswer(.page(source.page(for: request)), after: delay(request)),
          for: request)
      }
    }
  }

  mutating func step(_ count: Int = 1) { run(ExplorationGoal(events: count)) }
}

extension FreshPolicy {
  static func named(_ text: String) -> FreshPolicy {
    FreshPolicy(text, try! BuiltInPolicies.policy(text))
  }
}

/// All that can be compared of a moment.
struct PastMoment: Equatable {
  let at: Instant
  let cause: ExploredMoment.Cause
  let turns: [ExploredMoment.Turn]

  init(_ moment: ExploredMoment) {
    at = moment.at
    cause = moment.cause
    turns = moment.turns
  }
}

extension Exploration {
  /// The whole history, up to now.
  var past: [PastMoment] { moments[...position].map(PastMoment.init) }
}
