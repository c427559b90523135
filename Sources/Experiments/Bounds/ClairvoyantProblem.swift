public import Paging

/// The problem solved by a schedule that knows the future: the pages a forward reader needs, and how long they take to
/// arrive.
///
/// The reader waits for a late page, and all its later needs shift by that wait (the closed loop of lab.md 2.1). Times
/// are exact, in whole nanoseconds.
///
/// ```swift
/// let problem = ClairvoyantProblem(deadlines: needs, latencies: .same(.milliseconds(300)))
/// let least = try problem.schedule().leastStall
/// ```
public struct ClairvoyantProblem: Sendable, Hashable {
  /// When a reader that never waits first needs each page, ascending.
  ///
  /// With cursors, all pages up to the last one needed, as none can be skipped: `PageNeeds`.
  public var deadlines: [Instant]
  /// From the start of a fetch to its answer, without the transfer. Concurrent fetches do not slow each other.
  public var latencies: PageTimes
  /// Transfer time of each page: its size divided by the bandwidth. Transfers are sequential.
  public var transfers = PageTimes.same(.zero)
  /// Maximum concurrent fetches.
  public var slots = 1
  /// Whether each page names the next, so that a fetch waits for the page before.
  public var usesCursors = false
  /// Whether nothing else is in flight with the first page, as it says how many more there are.
  public var startsAlone = false
  /// Maximum pages held or in flight, or nil for no limit. A page is released when the reader asks for the next one.
  public var memory: Int?

  /// A problem with one fetch at a time and unlimited memory.
  public init(deadlines: [Instant], latencies: PageTimes) {
    self.deadlines = deadlines
    self.latencies = latencies
  }

  /// The schedule that fetches in order of need and never idles, with a proof of its quality.
  ///
  /// Every page arrives as early as possible, which is optimal if all pages take equally long or can only arrive in
  /// order (lab.md I2, I3, I5). O(pages), and O(pages log slots) with unequal times.
  public func schedule() throws(InvalidConfiguration) -> ClairvoyantSchedule {
    if let firstMistake { throw firstMistake }
    let pages = deadlines.count
    if let latency = latencies.common(to: pages), let transfer = transfers.common(to: pages) {
      let arrivals = equalArrivals(latency, transfer)
      return ClairvoyantSchedule(problem: self, arrivals: arrivals, leastStall: nil)
    }
    let times = (latencies: latencies.spread(over: pages), transfers: transfers.spread(over: pages))
    let arrivals = unequalArrivals(times.latencies, times.transfers)
    let isProven = isInOrder || (room == nil && slots == 1)
    let least = isProven ? nil : leastStall(times.latencies, times.transfers)
    return ClairvoyantSchedule(problem: self, arrivals: arrivals, leastStall: least)
  }

  /// The effective concurrency.
  var width: Int { usesCursors ? 1 : max(1, min(slots, memory ?? slots, deadlines.count)) }

  /// The memory in pages, if it is a constraint.
  var room: Int? { memory.flatMap { $0 < deadlines.count ? $0 : nil } }

  /// No page can overtake another.
  private var isInOrder: Bool { usesCursors || room == 1 }

  /// Pages take equally long, so the oldest fetch frees the next slot.
  private func equalArrivals(_ latency: Int64, _ transfer: Int64) -> [Instant] {
    let width = width
    return arrivals { page, release, arrivals in
      let first = startsAlone && page > 0 ? arrivals[0].nanoseconds : 0
      let isFree = page < width ? first : arrivals[page - width].nanoseconds
      let answer = max(isFree, release) + latency
      guard transfer > 0, page > 0 else { return answer + transfer }
      return max(answer, arrivals[page - 1].nanoseconds) + transfer
    }
  }

  private func unequalArrivals(_ latencies: [Int64], _ transfers: [Int64]) -> [Instant] {
    var heap = SlotHeap(slots: width)
    var lineIsFree = Int64(0)
    return arrivals { page, release, _ in
      var arrival = max(heap.earliest, release) + latencies[page]
      if transfers[page] > 0 {
        arrival = max(arrival, lineIsFree) + transfers[page]
        lineIsFree = arrival
      }
      if startsAlone, page == 0 {
        heap = SlotHeap(slots: width, freeAt: arrival)
      } else {
        heap.replaceEarliest(with: arrival)
      }
      return arrival
    }
  }

  /// Page by page; `arrive` receives the page, the time from which there is memory for it, and the arrivals before.
  private func arrivals(_ arrive: (_ page: Int, _ release: Int64, _ before: [Instant]) -> Int64) -> [Instant]
  {
    let room = room
    var arrivals: [Instant] = []
    arrivals.reserveCapacity(deadlines.count)
    var released = Int64(0)
    for page in deadlines.indices {
      var release = Int64(0)
      if let room, page >= room {
        // The reader asks for the page after the released one, at its deadline plus the wait so far.
        let gone = page - room
        released = max(released, arrivals[gone].nanoseconds - deadlines[gone].nanoseconds)
        release = deadlines[gone + 1].nanoseconds + released
      }
      arrivals.append(Instant(nanoseconds: arrive(page, release, arrivals)))
    }
    return arrivals
  }

  /// A wait no schedule can avoid: before the reader is at a page, all pages up to it have passed through the slots and
  /// the link (lab.md I4); with less memory, even if all pages were as short as the shortest.
  private func leastStall(_ latencies: [Int64], _ transfers: [Int64]) -> Duration {
    let width = Int64(width)
    var (work, line, least) = (Int64(0), Int64(0), Int64(0))
    var shortest = Int64.max
    for page in deadlines.indices {
      work += latencies[page] + transfers[page]
      line += transfers[page]
      shortest = min(shortest, latencies[page])
      let deadline = deadlines[page].nanoseconds
      let before = startsAlone && page > 0 ? latencies[0] : 0
      least = max(least, before + latencies[page] + transfers[page] - deadline, shortest + line - deadline)
      // Divides only where the slots' bound exceeds the best so far.
      let (covered, isMore) = (deadline + least).multipliedReportingOverflow(by: width)
      if !isMore, work > covered { least = (work - 1) / width + 1 - deadline }
    }
    guard room != nil else { return .nanoseconds(least) }
    let shortened = equalArrivals(latencies.min() ?? 0, transfers.min() ?? 0)
    return max(
      .nanoseconds(least), ClairvoyantSchedule.stall(arrivals: shortened, deadlines: deadlines))
  }

  /// Each page's transfer and total time if pages arrive in request order; else nil.
  var orderedTimes: (transfers: [Int64], whole: [Int64])? {
    let pages = deadlines.count
    let isEqual = latencies.common(to: pages) != nil && transfers.common(to: pages) != nil
    guard isEqual || width == 1 else { return nil }
    let transfers = transfers.spread(over: pages)
    return (transfers, zip(latencies.spread(over: pages), transfers).map { $0 + $1 })
  }

  /// All times together stay below this: 73 years.
  static let longest = Int64.max / 4

  /// The first invalid number, or nil.
  var firstMistake: InvalidConfiguration? {
    if slots < 1 { return mistake("slots", slots, "at least 1") }
    if let memory, memory < 1 { return mistake("memory", memory, "at least 1 page") }
    return deadlineMistake ?? timeMistake("latency", latencies) ?? timeMistake("transfer", transfers)
      ?? sumMistake
  }

  private var deadlineMistake: InvalidConfiguration? {
    var last = Int64(0)
    for deadline in deadlines {
      if deadline.nanoseconds < last {
        return mistake(
          "deadlines", deadline.seconds, "at least the one before, \(Double(last) / 1e9) seconds")
      }
      last = deadline.nanoseconds
    }
    return nil
  }

  private func timeMistake(_ option: String, _ times: PageTimes) -> InvalidConfiguration? {
    switch times {
    case .same(let duration):
      return duration < .zero ? mistake(option, duration.inSeconds, "at least 0 seconds") : nil
    case .nanoseconds(let each):
      if each.count != deadlines.count {
        return mistake(option, "\(each.count) numbers", "one, or as many as deadlines: \(deadlines.count)")
      }
      guard let wrong = each.first(where: { $0 < 0 }) else { return nil }
      return mistake(option, Double(wrong) / 1e9, "at least 0 seconds")
    }
  }

  /// Nothing arrives later than the last deadline plus all fetches one by one, so that sum must fit.
  private var sumMistake: InvalidConfiguration? {
    var sum = deadlines.last?.nanoseconds ?? 0
    var isTooLong = sum > ClairvoyantProblem.longest
    for times in [latencies, transfers] where !isTooLong {
      let (part, overflows) = times.total(over: deadlines.count)
      isTooLong = overflows || part > ClairvoyantProblem.longest - sum
      sum = isTooLong ? sum : sum + part
    }
    return isTooLong
      ? mistake("deadlines", "more than 73 years with all latencies", "a session that ends") : nil
  }

  private func mistake(_ option: String, _ value: some Any, _ expected: String) -> InvalidConfiguration {
    InvalidConfiguration(option: option, value: "\(value)", expected: expected)
  }
}

/// When each slot becomes free, earliest first: a binary heap of fixed size.
private struct SlotHeap {
  private var times: [Int64]

  /// All slots are free from that time on.
  init(slots: Int, freeAt start: Int64 = 0) { times = Array(repeating: start, count: slots) }

  /// When the first slot becomes free.
  var earliest: Int64 { times[0] }

  /// Assigns the earliest slot to a fetch that ends at this time.
  mutating func replaceEarliest(with end: Int64) {
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < times.count else { break }
      if child + 1 < times.count, times[child + 1] < times[child] { child += 1 }
      if times[child] >= end { break }
      times[parent] = times[child]
      parent = child
    }
    times[parent] = end
  }
}
