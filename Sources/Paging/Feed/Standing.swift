/// What one side's pages come to: all that a decision needs of them.
struct Standing: Sendable {
  /// Neither at its end nor held up by a failure or a stop.
  let isOpen: Bool
  let isExhausted: Bool
  let inFlight: Int
  let freeSlots: Int
  let expectedItems: Int

  init(_ pager: borrowing Pager, total: Int?, plan: KeyPlan) {
    isOpen =
      switch pager.state(total: total, plan: plan) {
      case .idle, .fetching: true
      case .failed, .gaveUp, .stopped, .exhausted: false
      }
    isExhausted = pager.isExhausted(total: total, plan: plan)
    inFlight = pager.inFlight
    freeSlots = pager.freeSlots(total: total, plan: plan)
    expectedItems = pager.expectedItems
  }
}

extension Feed {
  /// How a side stands. It is kept until something happens to the pages, since most events only move the reader.
  mutating func standing(of side: Direction) -> Standing {
    if let standings { return standings[side.lane] }
    let new = [
      Standing(pagers[0], total: totalCount, plan: plan), Standing(pagers[1], total: totalCount, plan: plan),
    ]
    standings = new
    return new[side.lane]
  }
}
