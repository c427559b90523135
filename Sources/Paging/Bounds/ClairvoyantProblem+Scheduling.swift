extension ClairvoyantProblem {
  /// The schedule that fetches in the order of need and never idles, with the proof of how good it is.
  ///
  /// Every page comes as early as it can, which is optimal where all pages take equally long and where they can
  /// only come in order (lab.md I2, I3, I5). O(pages), and O(pages log slots) with unequal times.
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

  /// Fetches that can really be under way at once.
  var width: Int { usesCursors ? 1 : max(1, min(slots, memory ?? slots, deadlines.count)) }

  /// The memory in pages where it can hold anything up.
  var room: Int? { memory.flatMap { $0 < deadlines.count ? $0 : nil } }

  /// No page can overtake another.
  private var isInOrder: Bool { usesCursors || room == 1 }

  /// Pages take equally long, so the fetch that frees a slot is always the oldest.
  private func equalArrivals(_ latency: Int64, _ transfer: Int64) -> [Instant] {
    let width = width
    return arrivals { page, release, arrivals in
      let isFree = page < width ? 0 : arrivals[page - width].nanoseconds
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
      heap.replaceEarliest(with: arrival)
      return arrival
    }
  }

  /// Page by page; `arrive` is told the page, when there is memory for it, and the arrivals before.
  private func arrivals(_ arrive: (_ page: Int, _ release: Int64, _ before: [Instant]) -> Int64) -> [Instant]
  {
    let room = room
    var arrivals: [Instant] = []
    arrivals.reserveCapacity(deadlines.count)
    var released = Int64(0)
    for page in deadlines.indices {
      var release = Int64(0)
      if let room, page >= room {
        // The reader asks for the page after the one that is let go, at its time plus the wait so far.
        let gone = page - room
        released = max(released, arrivals[gone].nanoseconds - deadlines[gone].nanoseconds)
        release = deadlines[gone + 1].nanoseconds + released
      }
      arrivals.append(Instant(nanoseconds: arrive(page, release, arrivals)))
    }
    return arrivals
  }

  /// A wait that no schedule can avoid: when the reader is at a page, all pages up to it have come, through the
  /// slots and through the line (lab.md I4); and with less memory all pages as short as the shortest would still
  /// wait.
  private func leastStall(_ latencies: [Int64], _ transfers: [Int64]) -> Duration {
    let width = Int64(width)
    var (work, line, least) = (Int64(0), Int64(0), Int64(0))
    var shortest = Int64.max
    for page in deadlines.indices {
      work += latencies[page] + transfers[page]
      line += transfers[page]
      shortest = min(shortest, latencies[page])
      let deadline = deadlines[page].nanoseconds
      least = max(least, latencies[page] + transfers[page] - deadline, shortest + line - deadline)
      // Divides only where the slots' share is later than what is known already.
      let (covered, isMore) = (deadline + least).multipliedReportingOverflow(by: width)
      if !isMore, work > covered { least = (work - 1) / width + 1 - deadline }
    }
    guard room != nil else { return .nanoseconds(least) }
    let shortened = equalArrivals(latencies.min() ?? 0, transfers.min() ?? 0)
    return max(
      .nanoseconds(least), ClairvoyantSchedule.stall(arrivals: shortened, deadlines: deadlines))
  }
}
