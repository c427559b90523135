import Paging

/// The time something takes for each page.
public enum PageTimes: Sendable, Hashable {
  /// The same for every page.
  case same(Duration)
  /// Nanoseconds per page, in page order.
  case nanoseconds([Int64])

  /// Individual times, in page order.
  public static func each(_ durations: [Duration]) -> PageTimes { .nanoseconds(durations.map(\.nanoseconds)) }

  /// Nanoseconds of each page.
  func spread(over pages: Int) -> [Int64] {
    switch self {
    case .same(let duration): Array(repeating: duration.nanoseconds, count: pages)
    case .nanoseconds(let times): times
    }
  }

  /// The common time of all pages, or nil if they differ.
  func common(to pages: Int) -> Int64? {
    switch self {
    case .same(let duration): return duration.nanoseconds
    case .nanoseconds(let times):
      guard let first = times.first else { return 0 }
      for page in 1..<max(1, min(pages, times.count)) where times[page] != first { return nil }
      return first
    }
  }

  /// The total in nanoseconds, and whether it overflows.
  func total(over pages: Int) -> (sum: Int64, overflows: Bool) {
    switch self {
    case .same(let duration):
      let (product, overflows) = duration.nanoseconds.multipliedReportingOverflow(by: Int64(pages))
      return (product, overflows)
    case .nanoseconds(let times):
      var sum = Int64(0)
      for time in times {
        let (next, overflows) = sum.addingReportingOverflow(time)
        if overflows { return (sum, true) }
        sum = next
      }
      return (sum, false)
    }
  }
}
