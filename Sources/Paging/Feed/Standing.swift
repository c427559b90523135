/// Both sides' pages, as a decision sees them.
struct Standings: Sendable {
  let append: Standing
  let prepend: Standing

  subscript(side: Direction) -> Standing { side == .prepend ? prepend : append }
}

/// One side's pages, as a decision sees them.
struct Standing: Sendable {
  /// Neither exhausted nor held up by a failure or a stop.
  let isOpen: Bool
  let isExhausted: Bool
  let inFlight: Int
  let freeSlots: Int
  let expectedItems: Int
  /// Of those, items of outlined pages whose turn is next: they count as held.
  let outlinedItems: Int

  init(_ pager: borrowing Pager, _ plan: KeyPlan) {
    let hasNext = pager.hasNext(plan)
    isExhausted = pager.isExhausted(hasNext: hasNext)
    isOpen = !isExhausted && !pager.isHeldUp
    inFlight = pager.inFlight
    freeSlots = pager.freeSlots(plan, hasNext: hasNext)
    expectedItems = pager.expectedItems
    outlinedItems = pager.outlinedItems
  }
}
