import Paging

extension Revisits {
  /// The wait with Aggressive: whenever nothing is on its way, the next missing page replaces the page whose next
  /// use is furthest away, if that is after the missing page's. Its elapsed time is at most 1 + fetch / (memory in
  /// pages × time of a reference) and at most twice the best (Cao et al. 1995).
  public func aggressiveStall() -> Duration {
    var run = RevisitsRun(self)
    let places = places
    while run.place < references.count {
      if run.onItsWay == nil, let fetch = nextFetch(run, places) {
        run.start(fetch.page, for: fetch.victim, self)
      }
      run.advance(self)
    }
    return .nanoseconds(run.stall)
  }

  /// The wait with Conservative: the same victims as the best demand fetching has (Belady's), each fetch as soon
  /// as its victim is not needed before. At most twice the best elapsed time (Cao et al. 1995).
  public func conservativeStall() -> Duration {
    var run = RevisitsRun(self)
    var faults = demandFaults()[...]
    while run.place < references.count {
      if run.onItsWay == nil, let fault = faults.first, run.place >= fault.earliest {
        run.start(fault.page, for: fault.victim, self)
        faults = faults.dropFirst()
      }
      run.advance(self)
    }
    return .nanoseconds(run.stall)
  }

  /// The first page that will be missing, and the page to give up for it, if one is worth less.
  ///
  /// That no other fetch and no other victim is ever better is proven by Cao et al.; what remains to decide is
  /// when.
  func nextFetch(_ run: RevisitsRun, _ places: [Int: [Int]]) -> (page: Int, victim: Int?)? {
    var place = run.place
    while place < references.count, run.held.contains(references[place]) { place += 1 }
    guard place < references.count else { return nil }
    if run.held.count < memory { return (references[place], nil) }
    guard let victim = furthest(run.held, from: run.place, places), victim.use > place else { return nil }
    return (references[place], victim.page)
  }

  /// The page whose next use is furthest away, and that use; of equal ones the lowest number.
  private func furthest(_ pages: Set<Int>, from place: Int, _ places: [Int: [Int]]) -> (page: Int, use: Int)?
  {
    var best: (page: Int, use: Int)?
    for page in pages {
      let use = nextUse(of: page, from: place, in: places)
      if let found = best, (found.use, page) >= (use, found.page) { continue }
      best = (page, use)
    }
    return best
  }

  /// What demand fetching with Belady's rule fetches: the page, its victim, and the first reference at which the
  /// victim is not needed any more.
  func demandFaults() -> [(page: Int, victim: Int?, earliest: Int)] {
    var (held, lastUse, places) = (held, [Int: Int](), places)
    var faults: [(page: Int, victim: Int?, earliest: Int)] = []
    for (place, page) in references.enumerated() {
      if !held.contains(page) {
        let victim = held.count < memory ? nil : furthest(held, from: place, places)?.page
        if let victim { held.remove(victim) }
        faults.append((page, victim, victim.flatMap { lastUse[$0] }.map { $0 + 1 } ?? 0))
        held.insert(page)
      }
      lastUse[page] = place
    }
    return faults
  }
}
