/// What a schedule that knows the future has to solve: pages that a forward reader will need, and how long they
/// take to come.
///
/// The reader waits where a page is late, and all that it needs later shifts by that wait (the closed loop of
/// lab.md 2.1). Times are exact: whole nanoseconds throughout.
public struct ClairvoyantProblem: Sendable, Hashable {
  /// When a reader that never waits would first need each page, in ascending order.
  ///
  /// With cursors these are all pages up to the last one needed, as nothing can be skipped: `PageNeeds`.
  public var deadlines: [Instant]
  /// From the start of a fetch to its answer, without the transfer. Fetches under way do not slow each other.
  public var latencies: PageTimes
  /// What a page adds on the network, one page after the other: its size divided by the bandwidth.
  public var transfers = PageTimes.same(.zero)
  /// Fetches that may be under way at once.
  public var slots = 1
  /// Each page names the next: a fetch waits for the page before.
  public var usesCursors = false
  /// Pages that may be held or on their way, or nil for any number. A page is let go when the reader asks for
  /// the next one.
  public var memory: Int?

  /// The problem of one fetch at a time and memory for everything.
  public init(deadlines: [Instant], latencies: PageTimes) {
    self.deadlines = deadlines
    self.latencies = latencies
  }

  /// All times together stay below this: 73 years.
  static let longest = Int64.max / 4

  /// The first number that makes no sense, or nil.
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

  /// Nothing can come later than the last deadline and all fetches one by one, so that sum must fit.
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
