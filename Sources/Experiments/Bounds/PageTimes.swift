import Paging

/// How long something takes for each page.
public enum PageTimes: Sendable, Hashable {
  /// Equally long for every page.
  case same(Duration)
  /// Each page's own nanoseconds, in the order of the pages.
  case nanoseconds([Int64])

  /// Each page's own time, in the order of the pages.
  public static func each(_ durations: [Duration]) -> PageTimes { .nanoseconds(durations.map(\.nanoseconds)) }

  /// Nanoseconds of each page.
  func spread(over pages: Int) -> [Int64] {
    switch self {
    case .same(let duration): Array(repeating: duration.nanoseconds, count: pages)
    case .nanoseconds(let times): times
    }
  }

  /// The time that all pages share, or nil where they differ.
  func common(to pages: Int) -> Int64? {
    switch self {
    case .same(let duration): return duration.nanoseconds
    case .nanoseconds(let times):
      guard let first = times.first else { return 0 }
      for page in 1..<max(1, min(pages, times.count)) where times[page] != first { return nil }
      return first
    }
  }

  /// The nanoseconds of all pages together, and whether they overflow.
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
