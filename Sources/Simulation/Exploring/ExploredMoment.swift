public import Paging

/// One event of an exploration, what followed from it, and how everything stood then.
public struct ExploredMoment {
  /// What happened.
  public let cause: Cause
  /// In virtual time.
  public let at: Instant
  /// What the feed was told, in order, and what it asked for each time.
  public let turns: [Turn]
  /// Rows that there were to be shown.
  public let rowCount: Int
  /// What the reader wanted to see then, in places of the source.
  public let viewport: Viewport?
  /// How far the visible items had moved: see `ListPlaces.slide`.
  let slide: Int
  /// What everything came to then.
  let tally: ExplorationTally
  /// How everything stood; where it is lean, with the feed of the first moment.
  var situation: Situation
  /// Whether the feed was let go, since it can be had again from the moments before.
  var isLean = false

  init(_ cause: Cause, turns: [Turn] = [], _ situation: Situation) {
    self.cause = cause
    at = situation.now
    self.turns = turns
    self.situation = situation
    tally = ExplorationTally(situation)
    viewport = situation.places.wanted
    slide = situation.places.slide
    let screen = viewport.map { $0.lastVisible - $0.firstVisible + 1 } ?? 0
    rowCount = situation.feed.list.rowCount(beyond: screen)
  }

  /// An event of the feed and its effects.
  public struct Turn: Sendable, Equatable {
    public let event: Event
    public let effects: [Effect]
  }

  /// What makes a moment.
  public enum Cause: Sendable, Equatable {
    /// The reader sees the list for the first time.
    case began
    /// The reader does something.
    case acted(ReaderAct)
    /// The reader is going to make so many moves.
    case planned(moves: Int)
    /// A fetch handler said something.
    case answered(FetchRequest, Event)
    /// The feed wanted to be woken then.
    case woke
    /// Another policy decides from then on.
    case policy(String)
    /// Time passed without anything.
    case waited
  }

  /// What the policies were shown and what they said, in order.
  public var decisions: [(view: PolicyView, verdict: Verdict)] {
    notes.compactMap { note in
      if case .decided(let view, let verdict) = note { (view, verdict) } else { nil }
    }
  }

  /// What the feed did and why, in order.
  public var notes: [Note] {
    effects.compactMap { effect in if case .note(let note) = effect { note } else { nil } }
  }

  /// All effects, in order.
  public var effects: [Effect] { turns.flatMap(\.effects) }

  /// Whether the reader waited for items then.
  public var isStalled: Bool { situation.stalledSince != nil }

  /// Whether its decisions are the first of a policy.
  var installsPolicy: Bool {
    switch cause {
    case .began, .policy: true
    case .acted, .planned, .answered, .woke, .waited: false
    }
  }
}

/// What a reader may do.
public enum ReaderAct: Sendable, Equatable {
  /// To look at these places of the source.
  case move(Viewport)
  /// To have a page more on that side, whatever the policy says.
  case fetch(Direction)
  /// To have all of it fetched again.
  case refresh
  /// To have tried again what failed or stopped.
  case retry
}

extension ExploredMoment {
  /// What the reader did in it, if anything.
  public var act: ReaderAct? { if case .acted(let act) = cause { act } else { nil } }

  /// When the reader did it, in its own time: a wait that began with it has not begun then.
  var nominalTime: Instant { situation.nominalNow }
}

extension Feed {
  /// Becomes what it became in that moment; its policy is not asked.
  mutating func live(_ moment: ExploredMoment) {
    policy = SaidAgain(moment)
    for turn in moment.turns { _ = handle(turn.event, at: moment.at) }
  }
}
