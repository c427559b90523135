import Paging

/// A feed in virtual time: time passes from one thing that happens to the next, and change sets are taken at once.
///
/// The lab's sessions and explorations both run on it; they differ in what answers a request, and when.
struct FeedLoop<Answer: ComingAnswer> {
  /// What happens by itself.
  enum Happening {
    case answer(Answer)
    /// The feed wanted to be woken then.
    case wake
  }

  /// The machine.
  var feed: Feed
  /// The time that has been reached.
  private(set) var now = Instant.zero
  private var timeline = Timeline<Happening>()
  /// The newest change set, until it is acknowledged.
  private var unacknowledged: Int?

  init(_ feed: Feed) { self.feed = feed }

  /// When the next thing happens; nil when nothing is to come.
  var nextTime: Instant? { timeline.nextTime }

  /// Answers that are to come, in order.
  var answers: [(at: Instant, answer: Answer)] {
    timeline.events.compactMap { entry in
      if case .answer(let answer) = entry.event { (entry.at, answer) } else { nil }
    }
  }

  /// Nothing happens before that time.
  mutating func advance(to time: Instant) { now = max(now, time) }

  /// Hands the feed an event at the time that has been reached. What it asks for is for the caller to carry out, except that
  /// it is woken; then comes `acknowledgement`.
  ///
  /// Pages come whole: a feed decides the same when it had their outlines before.
  mutating func send(_ event: Event) -> [Effect] {
    let effects = feed.handle(event, at: now)
    for effect in effects {
      switch effect {
      case .wake(let at):
        timeline.removeAll { if case .wake = $0 { true } else { false } }
        timeline.add(.wake, at: max(at, now))
      case .apply(_, let revision): unacknowledged = revision
      case .fetch, .cancel, .shiftViewport, .prefetch, .removed, .delivered, .reached, .ended, .note: break
      }
    }
    return effects
  }

  /// Takes a reader's move that leads to nothing; false if the feed has to handle it as an event.
  mutating func ignores(_ viewport: Viewport) -> Bool { feed.ignores(viewport, at: now) }

  /// The event that says that the newest change set was taken; nil when the feed has it already.
  mutating func acknowledgement() -> Event? {
    guard let revision = unacknowledged else { return nil }
    unacknowledged = nil
    return .applied(revision: revision)
  }

  /// An answer that is to come.
  mutating func add(_ answer: Answer, at time: Instant) { timeline.add(.answer(answer), at: max(time, now)) }

  /// Nobody wants the answers to that request any more; they are returned, in order.
  mutating func removeAnswers(to id: FetchID) -> [Answer] { removeAnswers { $0.fetchID == id } }

  /// Nobody wants these answers any more; they are returned, in order.
  mutating func removeAnswers(where isUnwanted: (Answer) -> Bool) -> [Answer] {
    let gone = answers.map(\.answer).filter(isUnwanted)
    if !gone.isEmpty {
      timeline.removeAll { if case .answer(let answer) = $0 { isUnwanted(answer) } else { false } }
    }
    return gone
  }

  /// Goes on to the next thing that happens; nil when nothing is to come.
  mutating func next() -> Happening? {
    guard let next = timeline.removeFirst() else { return nil }
    advance(to: next.at)
    return next.event
  }
}

/// Something that is to come, on behalf of a fetch or of none.
protocol ComingAnswer: Sendable {
  /// Who waits for it.
  var fetchID: FetchID? { get }
}
