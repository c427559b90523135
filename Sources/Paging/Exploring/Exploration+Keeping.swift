internal import Items

/// Not every moment keeps its feed, since each that has items of its own takes up room for all of them. What was let go is
/// had again by telling an older feed what was told then: equal events give equal feeds.
extension Exploration {
  /// Of so many moments one keeps its feed.
  private static let interval = 32

  /// The feed as it was after a moment.
  public func feed(at index: Int) -> Feed {
    guard moments[index].isLean else { return moments[index].situation.feed }
    let start = moments[..<index].lastIndex { !$0.isLean } ?? 0
    var feed = moments[start].situation.feed
    for moment in moments[(start + 1)...index] { feed.live(moment) }
    return feed
  }

  /// What was held after a moment, by places of the source.
  public func list(at index: Int) -> BrowsedList { feed(at: index).list(moments[index].situation.places) }

  /// How everything stands now, to be changed: the next moment has it. Nothing is copied where this one need not keep it.
  mutating func takeSituation() -> Situation {
    let situation = situation
    if position == moments.count - 1 { makeLean(position) }
    return situation
  }

  /// Makes another moment the one of now.
  mutating func stand(at index: Int) {
    var feed = feed(at: index)
    let first = moments[...index].lastIndex(where: \.installsPolicy) ?? 0
    feed.policy = moments[index].situation.policy.remade(after: moments[first...index])
    makeLean(position)
    moments[index].situation.feed = feed
    moments[index].isLean = false
    position = index
  }

  private mutating func makeLean(_ index: Int) {
    guard index % Self.interval != 0, !moments[index].isLean else { return }
    moments[index].situation.feed = moments[0].situation.feed
    moments[index].isLean = true
  }
}

extension Feed {
  /// Becomes what it became in that moment; its policy is not asked.
  mutating func live(_ moment: ExploredMoment) {
    if case .acted(.fetch(let side)) = moment.cause { pagers[side.lane].askAgainAt = nil }
    policy = SaidAgain(moment)
    for turn in moment.turns { _ = handle(turn.event, at: moment.at) }
  }
}
