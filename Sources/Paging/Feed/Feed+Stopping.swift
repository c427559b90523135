extension Feed {
  /// Takes back everything in flight on one side; it is asked for again when the policy says so.
  mutating func cancel(_ side: Direction) {
    for slot in pagers[side.lane].takeBack() {
      if let id = slot.fetchID {
        effects.append(.cancel(id))
        effects.append(.note(.cancelled(id)))
      }
    }
  }

  /// Takes back everything, and starts nothing before something happens.
  mutating func cancelAll() {
    generation += 1
    isPaused = true
    cancel(.append)
    cancel(.prepend)
  }

  /// Lets go of a page past the end.
  mutating func throwAway(_ slot: Slot) {
    switch slot.phase {
    case .inFlight(let id, _):
      effects.append(.cancel(id))
      effects.append(.note(.threwAwayPastEnd(id)))
    case .landed(let id, _): effects.append(.note(.threwAwayPastEnd(id)))
    case .waiting, .failed, .gaveUp: break
    }
  }

  /// Asks again for what failed or stopped; what waits for its next attempt is tried at once.
  mutating func retry() {
    isPaused = false
    for lane in pagers.indices {
      pagers[lane].failure = nil
      pagers[lane].stop = nil
      pagers[lane].fruitless = 0
      pagers[lane].empty = 0
      for index in pagers[lane].slots.indices {
        switch pagers[lane].slots[index].phase {
        case .gaveUp:
          pagers[lane].slots[index].attempt = 0
          pagers[lane].slots[index].phase = .waiting
        case .failed: begin(index, pagers[lane].side)
        case .waiting, .inFlight, .landed: break
        }
      }
    }
  }

  /// Notes each side that has just come to its end.
  mutating func noteExhaustion() {
    for lane in pagers.indices {
      let isExhausted = pagers[lane].isExhausted(total: totalCount, plan: plan)
      if isExhausted, !pagers[lane].wasExhausted, hasBegun, pagers[lane].landedPages > 0 {
        effects.append(.note(.exhausted(pagers[lane].side)))
        if let mismatch = mismatch(atEndOf: pagers[lane].side) {
          effects.append(.note(.disagreedWithTotal(pagers[lane].side, mismatch)))
        }
      }
      pagers[lane].wasExhausted = isExhausted
    }
  }
}
