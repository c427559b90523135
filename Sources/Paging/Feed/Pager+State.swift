extension Pager {
  /// What this side is doing.
  func state(total: Int?, plan: KeyPlan) -> FetchState {
    if let failure { return .gaveUp(failure) }
    if let stop { return .stopped(stop) }
    if slots.isEmpty { return isExhausted(total: total, plan: plan) ? .exhausted : .idle }
    var waiting: FetchState?
    for (place, slot) in slots.enumerated() {
      switch slot.phase {
      case .gaveUp(let failure):
        // Its turn comes after the pages before it.
        if place == 0 { return .gaveUp(failure) }
      case .failed(let failure, let retryAt): waiting = waiting ?? .failed(failure, retryAt: retryAt)
      case .waiting, .inFlight, .landed: break
      }
    }
    return waiting ?? .fetching(inFlight: inFlight)
  }
}
