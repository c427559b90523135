public import Paging

/// When each page arrives in a schedule that knows the future, and a bound that no schedule can beat.
public struct ClairvoyantSchedule: Sendable, Hashable {
  /// The problem it solves.
  public let problem: ClairvoyantProblem
  /// When each page arrives, in the order of the deadlines.
  public let arrivals: [Instant]
  /// The reader's total wait with these arrivals.
  public let stall: Duration
  /// No schedule waits less than this. Equal to `stall` if every page takes equally long, or pages can only arrive in
  /// order; otherwise the problem is NP-hard and the optimum is between the two (lab.md I4, I5).
  public let leastStall: Duration

  init(problem: ClairvoyantProblem, arrivals: [Instant], leastStall: Duration?) {
    self.problem = problem
    self.arrivals = arrivals
    stall = ClairvoyantSchedule.stall(arrivals: arrivals, deadlines: problem.deadlines)
    self.leastStall = min(stall, leastStall ?? stall)
  }

  /// Whether this schedule is proven optimal.
  public var isExact: Bool { stall == leastStall }

  /// The wait for each page, in the order of the deadlines. Their sum is `stall`.
  public var stalls: [Duration] {
    var wait = Int64(0)
    return zip(arrivals, problem.deadlines).map { arrival, deadline in
      let before = wait
      wait = max(wait, arrival.nanoseconds - deadline.nanoseconds)
      return .nanoseconds(wait - before)
    }
  }

  /// The same wait with every page as late as possible, so that the fewest pages are held ahead (lab.md I9).
  ///
  /// No schedule with this order and this wait has a later page anywhere. If pages of unequal times overtake each other
  /// in several slots, the schedule is unchanged.
  public func postponed() -> ClairvoyantSchedule {
    guard let times = problem.orderedTimes, let last = arrivals.indices.last else { return self }
    let (width, room) = (problem.width, problem.room)
    var latest = arrivals.map(\.nanoseconds)
    var wait = stall.nanoseconds
    for page in stride(from: last, through: 0, by: -1) {
      if let room, page + room <= last {
        // The page that replaces this one in memory must not have to wait for the reader to leave this one.
        let start = latest[page + room] - times.whole[page + room]
        wait = min(wait, start - problem.deadlines[page + 1].nanoseconds)
      }
      var arrival = problem.deadlines[page].nanoseconds + wait
      if page < last { arrival = min(arrival, latest[page + 1] - times.transfers[page + 1]) }
      if page + width <= last {
        arrival = min(arrival, latest[page + width] - times.whole[page + width])
      }
      // They take equally long where several are in flight: the second one is the next to start.
      if page == 0, problem.startsAlone, last > 0 { arrival = min(arrival, latest[1] - times.whole[1]) }
      latest[page] = arrival
    }
    return ClairvoyantSchedule(
      problem: problem, arrivals: latest.map(Instant.init(nanoseconds:)), leastStall: leastStall)
  }

  /// The total wait of a forward reader under any schedule and policy: the lateness of the latest page against a reader
  /// that never waits (lab.md I1).
  ///
  /// Both are in the order the pages are needed. A simulator checks itself with it.
  public static func stall(arrivals: [Instant], deadlines: [Instant]) -> Duration {
    var wait = Int64(0)
    for (arrival, deadline) in zip(arrivals, deadlines) {
      wait = max(wait, arrival.nanoseconds - deadline.nanoseconds)
    }
    return .nanoseconds(wait)
  }
}
