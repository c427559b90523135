public import Paging

extension ClairvoyantSchedule {
  /// The lateness of all pages together, for a reader who does not wait but sees placeholders. The schedule is
  /// that of the waiting reader; with one latency no other has less lateness (lab.md I6).
  public var tardiness: Duration {
    .nanoseconds(
      zip(arrivals, problem.deadlines).reduce(Int64(0)) { sum, page in
        sum + max(0, page.0.nanoseconds - page.1.nanoseconds)
      })
  }
}

/// A reader who does not wait: pages that have scrolled off before they came are not worth their fetch.
public struct PassingReader: Sendable, Equatable {
  /// When the last item of each page has gone, in any order.
  public var departures: [Instant]
  /// Every page's latency.
  public var latency: Duration
  /// Fetches that may be under way at once, from time zero on.
  public var slots: Int

  public init(departures: [Instant], latency: Duration, slots: Int) {
    self.departures = departures
    self.latency = latency
    self.slots = max(1, slots)
  }

  /// The most pages that can be there before they are gone, as offsets in `departures`, in the order of their
  /// fetches (lab.md I7): those due first that still fit.
  public var pagesInTime: [Int] {
    let order = departures.indices.sorted { (departures[$0], $0) < (departures[$1], $1) }
    let latency = latency.nanoseconds
    var pages: [Int] = []
    for page in order {
      let (arrival, isBeyond) = latency.multipliedReportingOverflow(by: Int64(pages.count / slots + 1))
      if !isBeyond, arrival <= departures[page].nanoseconds { pages.append(page) }
    }
    return pages
  }
}
