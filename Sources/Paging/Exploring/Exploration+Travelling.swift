extension Exploration {
  /// Goes back by so many moments, at most to the first; returns how many they were. Nothing is forgotten.
  @discardableResult
  public mutating func back(_ count: Int = 1) -> Int { go(to: position - max(0, count)) }

  /// Goes forward by so many moments that were lived already; returns how many they were.
  @discardableResult
  public mutating func forward(_ count: Int = 1) -> Int { go(to: position + max(0, count)) }

  /// Goes to the moment of that index, or the nearest there is; returns how far it was.
  @discardableResult
  public mutating func go(to index: Int) -> Int {
    let target = max(0, min(index, moments.count - 1))
    let distance = abs(target - position)
    if distance > 0 { stand(at: target) }
    return distance
  }

  /// Goes back to a moment as if nothing had happened behind it: its future is not kept, not even as one that was left.
  public mutating func takeBack(to index: Int) {
    go(to: index)
    moments.removeSubrange((position + 1)...)
  }

  /// What happened between two moments: from behind the first to the second.
  public func outcome(from start: Int, to end: Int) -> ExplorationOutcome {
    ExplorationOutcome(behind: moments[start], moments[min(start + 1, end + 1)..<(end + 1)])
  }
}

/// A stretch that is lived again under another policy.
public struct ExplorationRepeat: Sendable, Equatable {
  /// The moment that both begin behind.
  public let start: Int
  /// What the first time came to.
  public let before: ExplorationOutcome
  /// Acts of the reader that are repeated.
  public let acts: Int
}

extension Exploration {
  /// Plans for the reader what it did the first time after this moment, at the same nominal times; then it is to be run.
  /// Nil when it did nothing, or there was no first time.
  ///
  /// The first time is the future that was lived already, or the one that was left last: go back, exchange the policy, repeat.
  public mutating func planRepeat() -> ExplorationRepeat? {
    guard let (start, old) = firstTime else { return nil }
    let hasActed = moments[(start + 1)..<max(start + 1, position + 1)].contains { $0.act != nil }
    let since = situation.nominalNow
    let plans = plans(of: old).filter { hasActed ? $0.at > since : $0.at >= since }
    guard !plans.isEmpty else { return nil }
    let before = ExplorationOutcome(behind: moments[start], old[...])
    var next = takeSituation()
    next.agenda.plan(plans)
    add(ExploredMoment(.planned(moves: plans.count), next))
    return ExplorationRepeat(start: start, before: before, acts: plans.count)
  }

  /// What came of a stretch that was lived again, until now.
  public func outcome(of repeated: ExplorationRepeat) -> ExplorationOutcome {
    outcome(from: repeated.start, to: position)
  }

  private var firstTime: (behind: Int, moments: [ExploredMoment])? {
    if position < moments.count - 1 { return (position, Array(moments[(position + 1)...])) }
    return leftFuture
  }

  private func plans(of moments: [ExploredMoment]) -> [ExplorationAgenda.Plan] {
    moments.compactMap { moment in
      moment.act.map {
        ExplorationAgenda.Plan(at: moment.nominalTime, act: $0, slide: moment.situation.places.slide)
      }
    }
  }
}

extension ExploredMoment {
  /// What the reader did in it, if anything.
  public var act: ReaderAct? { if case .acted(let act) = cause { act } else { nil } }

  /// When the reader did it, in its own time: a wait that began with it has not begun then.
  var nominalTime: Instant { situation.nominalNow }
}
