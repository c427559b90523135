import Experiments
import Paging

/// An exhaustive solver for a few pages and whole ticks: every start time of every page is tried.
///
/// It knows nothing of orders or rules, only when a set of start times is allowed.
struct StartTimes {
  let deadlines: [Int]
  let latencies: [Int]
  let transfers: [Int]
  let slots: Int
  let usesCursors: Bool
  let startsAlone: Bool
  let memory: Int
  /// Pages may come out of order.
  var mayOvertake = true

  /// A problem with random small numbers.
  init(using dice: inout some RandomNumberGenerator, isEven: Bool, hasTransfers: Bool, mayBeCapped: Bool) {
    let pages = Int.random(in: 1...4, using: &dice)
    let latency = Int.random(in: 1...3, using: &dice)
    let transfer = hasTransfers ? Int.random(in: 0...2, using: &dice) : 0
    deadlines = [0] + (1..<pages).map { _ in Int.random(in: 0...6, using: &dice) }.sorted()
    latencies = (0..<pages).map { _ in isEven ? latency : Int.random(in: 0...4, using: &dice) }
    transfers = (0..<pages).map { _ in
      isEven || !hasTransfers ? transfer : Int.random(in: 0...2, using: &dice)
    }
    slots = Int.random(in: 1...3, using: &dice)
    usesCursors = Int.random(in: 0..<3, using: &dice) == 0
    startsAlone = Bool.random(using: &dice)
    memory = mayBeCapped ? Int.random(in: 1...4, using: &dice) : 9
  }

  /// The same problem for the scheduler, a tick being a second.
  var problem: ClairvoyantProblem {
    var problem = ClairvoyantProblem(
      deadlines: deadlines.map { .zero + .seconds($0) }, latencies: .each(latencies.map { .seconds($0) }))
    problem.transfers = .each(transfers.map { .seconds($0) })
    problem.slots = slots
    problem.usesCursors = usesCursors
    problem.startsAlone = startsAlone
    problem.memory = memory < 9 ? memory : nil
    return problem
  }

  /// The least wait in ticks, and each page's latest arrival in any schedule with that wait.
  func solve() -> (stall: Int, latest: [Int]) {
    // Page by page, each when the reader asks for it, is always allowed and waits no longer than this.
    var best = (stall: (latencies + transfers).reduce(1, +), latest: [Int]())
    var starts: [Int] = []
    search(&starts, &best)
    return best
  }

  private func search(_ starts: inout [Int], _ best: inout (stall: Int, latest: [Int])) {
    let page = starts.count
    if page == deadlines.count {
      guard let arrivals = arrivals(starts) else { return }
      let stall = stall(arrivals)
      if stall < best.stall { best = (stall, arrivals) }
      if stall == best.stall { best.latest = zip(best.latest, arrivals).map { max($0, $1) } }
      return
    }
    for start in 0... {
      if start + latencies[page] + transfers[page] - deadlines[page] > best.stall { break }
      starts.append(start)
      search(&starts, &best)
      starts.removeLast()
    }
  }

  private func stall(_ arrivals: [Int]) -> Int {
    var delay = 0
    for (arrival, deadline) in zip(arrivals, deadlines) where arrival > deadline + delay {
      delay = arrival - deadline
    }
    return delay
  }

  /// When pages come with these starts, or nil where they are not allowed.
  private func arrivals(_ starts: [Int]) -> [Int]? {
    var arrivals = zip(starts, latencies).map { $0 + $1 }
    var line = 0
    for page in arrivals.indices.sorted(by: { (arrivals[$0], $0) < (arrivals[$1], $1) })
    where transfers[page] > 0 {
      arrivals[page] = max(arrivals[page], line) + transfers[page]
      line = arrivals[page]
    }
    for page in starts.indices {
      let start = starts[page]
      let others = starts.indices.filter { ($0 < page && starts[$0] == start) || starts[$0] < start }
      if others.count(where: { arrivals[$0] > start }) >= slots { return nil }
      if usesCursors, page > 0, start < arrivals[page - 1] { return nil }
      if startsAlone, page > 0, start < arrivals[0] { return nil }
      if !mayOvertake, page > 0, arrivals[page] < arrivals[page - 1] { return nil }
      if others.count(where: { release(of: $0, arrivals) > start }) >= memory { return nil }
    }
    return arrivals
  }

  /// When the reader asks for the page after this one.
  private func release(of page: Int, _ arrivals: [Int]) -> Int {
    page + 1 < deadlines.count ? deadlines[page + 1] + stall(Array(arrivals[...page])) : .max
  }
}
