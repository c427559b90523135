extension ClairvoyantSchedule {
  /// The same wait with every page as late as it may be, so that the fewest pages are held ahead (lab.md I9).
  ///
  /// No schedule with this order and this wait has a later page anywhere. Where pages of unequal times overtake
  /// each other in several slots, the schedule stays as it is.
  public func postponed() -> ClairvoyantSchedule {
    guard let times = problem.orderedTimes, let last = arrivals.indices.last else { return self }
    let (width, room) = (problem.width, problem.room)
    var latest = arrivals.map(\.nanoseconds)
    var wait = stall.nanoseconds
    for page in stride(from: last, through: 0, by: -1) {
      if let room, page + room <= last {
        // The page that takes this one's place must not have to wait for the reader to leave this one.
        let start = latest[page + room] - times.whole[page + room]
        wait = min(wait, start - problem.deadlines[page + 1].nanoseconds)
      }
      var arrival = problem.deadlines[page].nanoseconds + wait
      if page < last { arrival = min(arrival, latest[page + 1] - times.transfers[page + 1]) }
      if page + width <= last {
        arrival = min(arrival, latest[page + width] - times.whole[page + width])
      }
      latest[page] = arrival
    }
    return ClairvoyantSchedule(
      problem: problem, arrivals: latest.map(Instant.init(nanoseconds:)), leastStall: leastStall)
  }
}

extension ClairvoyantProblem {
  /// Each page's transfer and whole time, where pages come in the order in which they were asked for; else nil.
  var orderedTimes: (transfers: [Int64], whole: [Int64])? {
    let pages = deadlines.count
    let isEqual = latencies.common(to: pages) != nil && transfers.common(to: pages) != nil
    guard isEqual || width == 1 else { return nil }
    let transfers = transfers.spread(over: pages)
    return (transfers, zip(latencies.spread(over: pages), transfers).map { $0 + $1 })
  }
}
