public import Items

extension Feed {
  /// Items that are in and wait for their turn: of pages that overtook others, and of a new generation that is not shown yet.
  public var waitingItems: [Item] {
    let landed = pagers.flatMap(\.slots).flatMap { slot -> [Item] in
      if case .landed(_, let landing) = slot.phase { return slot.pending + landing.items }
      return slot.pending
    }
    return landed + (gathering?.items.items() ?? [])
  }

  /// Whether a page failed, or a side gave up or stopped: then there is something that a retry begins again.
  public var hasFailed: Bool {
    isPaused
      || pagers.contains { pager in
        pager.failure != nil || pager.stop != nil
          || pager.slots.contains { slot in
            switch slot.phase {
            case .gaveUp, .failed: true
            case .waiting, .inFlight, .landed: false
            }
          }
      }
  }
}
