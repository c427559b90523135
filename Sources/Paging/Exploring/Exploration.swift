/// A feed lived through step by step in virtual time, with every moment kept: one can go back to each of them, and on from
/// there in another way.
///
/// A value: it knows no clock and no source. Time passes only from one event to the next. What the source has to answer is
/// asked for (`ExplorationStop.needs`) and remembered, so that a past that is lived again needs nothing from outside.
public struct Exploration {
  /// Places that the reader sees at once.
  public let screen: Int
  /// All that happened, in order; those behind `position` are a future that was lived already.
  public internal(set) var moments: [ExploredMoment]
  /// The moment of now.
  public internal(set) var position = 0
  /// The future that was left when something else was done in the past: behind which moment, and its moments.
  public private(set) var leftFuture: (behind: Int, moments: [ExploredMoment])?
  var journal = AnswerJournal()

  /// Lets a reader see the first screen of a source. Every decision is noted, and nothing is released that was passed.
  public init(configuration: FeedConfiguration, policy: ExploredPolicy, screen: Int)
    throws(InvalidConfiguration)
  {
    var options = configuration.options
    options.notesEveryDecision = true
    options.releasesPassedItems = false
    let feed = Feed(configuration: try FeedConfiguration(options), policy: policy.make())
    self.screen = max(1, screen)
    var situation = Situation(feed, policy)
    let turns = situation.carryOut(.move(Viewport(firstVisible: 0, lastVisible: self.screen - 1)))
    moments = [ExploredMoment(.began, turns: turns, situation)]
  }
}

extension Exploration {
  /// The moment of now.
  public var moment: ExploredMoment { moments[position] }
  /// Virtual time.
  public var now: Instant { situation.now }
  /// The machine as it is now.
  public var feed: Feed { situation.feed }
  /// The policy that decides now.
  public var policyName: String { situation.policy.name }
  /// What the reader wants to see, in places of the source.
  public var viewport: Viewport { situation.places.wanted ?? Viewport(firstVisible: 0, lastVisible: -1) }
  /// What is held, by places of the source.
  public var list: BrowsedList { situation.feed.list(situation.places) }
  /// Since when the reader waits for items; nil when it does not.
  public var stalledSince: Instant? { situation.stalledSince }
  /// The waits of the reader so far.
  public var stalls: ExplorationStalls { situation.stalls }
  /// Moves and other acts of the reader that are still to come.
  public var plannedActs: Int { situation.agenda.plans.count }
  /// Requests that are under way.
  public var fetches: [ExploredFetch] { situation.fetches(journal) }
  /// When the next thing happens; nil where nothing is to come or that is not known before the source has answered.
  public var nextTime: Instant? {
    let (needs, coming) = toCome
    return needs.isEmpty ? coming?.at : nil
  }
  /// The last place at which the reader may begin to see a screen; nil while the end is not known.
  public var lastPlace: Int? { situation.lastPlace(screen: screen) }
  /// Answers that are remembered.
  public var journaledAnswers: Int { journal.count }

  /// How everything stands now; never lean.
  var situation: Situation { moments[position].situation }

  /// Adds a moment behind this one; a future that was lived already is left.
  mutating func add(_ moment: ExploredMoment) {
    if position < moments.count - 1 {
      leftFuture = (position, Array(moments[(position + 1)...]))
      moments.removeSubrange((position + 1)...)
    }
    moments.append(moment)
    position += 1
  }
}

/// A request under way.
public struct ExploredFetch: Sendable {
  public let request: FetchRequest
  public let since: Instant
  /// When its answer is in; nil while the source has not been asked.
  public let answersAt: Instant?
}

extension Situation {
  func fetches(_ journal: AnswerJournal) -> [ExploredFetch] {
    let coming = agenda.arrivals.filter(\.news.isEnd)
    let known = coming.map { ExploredFetch(request: $0.request, since: $0.since, answersAt: $0.at) }
    let needed = needs.map { need in
      ExploredFetch(
        request: need.request, since: need.since,
        answersAt: journal[need.key]?.pieces.last.map { need.since + $0.after })
    }
    return (known + needed).sorted { $0.request.id < $1.request.id }
  }

  /// How far nominal time lies behind; nil while it stands still.
  var runningDelay: Duration? { stalledSince == nil ? delay : nil }
}
