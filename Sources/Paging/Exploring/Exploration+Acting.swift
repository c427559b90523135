internal import Items

extension Exploration {
  /// The reader looks at another place at once; what it was going to do is dropped, as by a finger on a moving list.
  public mutating func scroll(to place: Int) {
    var next = takeSituation()
    next.agenda.plan([])
    act(.move(viewport(at: place, velocity: 0)), in: &next)
  }

  /// The reader is going to move like that, from now on; nothing happens yet.
  public mutating func plan(_ moves: ReaderMoves) {
    var next = takeSituation()
    let start = next.nominalNow
    let slide = next.places.slide
    next.agenda.plan(
      moves.moves.map { move in
        ExplorationAgenda.Plan(
          at: start + move.after, act: .move(viewport(at: move.place, velocity: move.velocity)), slide: slide)
      })
    add(ExploredMoment(.planned(moves: moves.moves.count), next))
  }

  /// Asks for one page more on that side, whatever the policy says; the answer says why it cannot be, and then nothing
  /// has happened.
  public mutating func fetch(_ side: Direction) -> FetchRefusal? {
    if let refusal = refusal(of: side) { return refusal }
    var next = takeSituation()
    act(.fetch(side), in: &next)
    return nil
  }

  /// Has everything fetched again; the source is asked again too.
  public mutating func refresh() {
    var next = takeSituation()
    act(.refresh, in: &next)
  }

  /// Tries again what failed or stopped.
  public mutating func retry() {
    var next = takeSituation()
    act(.retry, in: &next)
  }

  /// Another policy decides from now on, and is asked at once.
  public mutating func exchange(_ policy: ExploredPolicy) {
    var next = takeSituation()
    next.policy = policy
    next.feed.policy = policy.make()
    let turns = next.feed.viewport.map { next.tell(.viewportMoved($0)) } ?? []
    add(ExploredMoment(.policy(policy.name), turns: turns, next))
  }

  private mutating func act(_ act: ReaderAct, in next: inout Situation) {
    let turns = next.carryOut(act)
    add(ExploredMoment(.acted(act), turns: turns, next))
  }

  private func viewport(at place: Int, velocity: Double) -> Viewport {
    Viewport(firstVisible: place, lastVisible: place + screen - 1, velocity: velocity)
  }
}

/// Why a page could not be asked for by hand.
public enum FetchRefusal: Sendable, Equatable {
  /// Nothing more comes on that side.
  case exhausted
  /// It is over until it is retried or refreshed.
  case gaveUp(FetchFailure)
  /// The feed stopped by itself; over until it is retried or refreshed.
  case stopped(StopReason)
  /// It failed in passing, and is tried again by itself then.
  case waitsForRetry(FetchFailure, at: Instant)
  /// As many pages are under way as may be.
  case busy(inFlight: Int)
  /// As many items are held as may be.
  case full(items: Int)
  /// A new generation has to be in before.
  case refreshing
}

extension Exploration {
  private func refusal(of side: Direction) -> FetchRefusal? {
    if situation.feed.isGathering { return .refreshing }
    switch feed.state(of: side) {
    case .exhausted: return .exhausted
    case .gaveUp(let failure): return .gaveUp(failure)
    case .stopped(let reason): return .stopped(reason)
    case .failed(let failure, let retryAt): return .waitsForRetry(failure, at: retryAt)
    case .idle, .fetching: break
    }
    guard let view = feed.view(of: side), view.freeSlots <= 0 else { return nil }
    if view.inFlight > 0 { return .busy(inFlight: view.inFlight) }
    return .full(items: feed.items.count)
  }
}

extension Feed {
  /// Whether a new generation is on its way while the one before it is shown.
  var isGathering: Bool { gathering != nil }
}
