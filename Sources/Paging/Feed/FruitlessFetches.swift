/// Consecutive fetches of one side that brought no new items.
struct FruitlessFetches: Sendable {
  /// What too many of them mean.
  enum Meaning {
    /// They are past the end, and the total is too large.
    case endsBelow(total: Int, emptyPages: Int)
    /// The side stops.
    case stops(fetches: Int)
  }

  var fetches: Int32 = 0
  /// Consecutive empty pages.
  private var empty: Int32 = 0
  /// Whether the last of them said that it is not the last page.
  private var goesOn = false

  /// Counts a delivered page.
  mutating func follow(_ slot: Slot, isFruitless: Bool) {
    empty = slot.isEmpty ? empty + 1 : 0
    if case .landed(_, let landing) = slot.phase { goesOn = landing.goesOn }
    fetches = isFruitless ? fetches + 1 : 0
  }

  /// Whether there are too many. Empty pages that say that they are not the last, or lead through ever new cursors, are what a server
  /// skips that filters its list: many may follow each other.
  func areTooMany(_ limit: Int, _ plan: KeyPlan) -> Bool {
    let isSkipping = (plan.kind == .cursor || goesOn) && empty >= fetches
    return fetches >= (isSkipping ? limit.clampedProduct(FruitlessFetches.skippedPages) : limit)
  }

  /// How many of these count as one that brings nothing new.
  private static let skippedPages = 125

  func meaning(_ plan: KeyPlan) -> Meaning {
    if let total = plan.total, empty >= fetches, plan.kind.isCounted {
      return .endsBelow(total: total, emptyPages: Int(empty))
    }
    return .stops(fetches: Int(fetches))
  }
}
