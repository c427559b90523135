extension Feed {
  /// Whether a moment that matters has come.
  var isDue: Bool {
    guard let announcedWake else { return false }
    return announcedWake <= now
  }

  /// Ends attempts past their deadline and makes the retries that are due.
  mutating func expire() {
    for lane in pagers.indices {
      if let time = pagers[lane].askAgainAt, time <= now { pagers[lane].askAgainAt = nil }
      for index in pagers[lane].slots.indices {
        switch pagers[lane].slots[index].phase {
        case .inFlight(let id, let since): timeOut(id, since: since)
        case .failed(_, let retryAt): if retryAt <= now { begin(index, pagers[lane].side) }
        case .waiting, .gaveUp, .landed: break
        }
      }
    }
  }

  private mutating func timeOut(_ id: FetchID, since: Instant) {
    guard let deadline = configuration.options.deadline, since + deadline <= now else { return }
    effects.append(.cancel(id))
    take(.failed(.timeout(after: deadline)), to: id)
  }

  /// Asks to be woken at the next moment that matters, when it is another one than announced.
  mutating func announceWake() {
    var earliest: Instant?
    func consider(_ time: Instant) { earliest = min(earliest ?? time, time) }
    for lane in pagers.indices {
      if let time = pagers[lane].askAgainAt { consider(time) }
      for index in pagers[lane].slots.indices {
        switch pagers[lane].slots[index].phase {
        case .inFlight(_, let since): configuration.options.deadline.map { consider(since + $0) }
        case .failed(_, let retryAt): consider(retryAt)
        case .waiting, .gaveUp, .landed: break
        }
      }
    }
    guard let earliest, earliest != announcedWake else { return }
    announcedWake = earliest
    effects.append(.wake(at: earliest))
  }
}
