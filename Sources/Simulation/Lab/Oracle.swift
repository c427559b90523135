import Experiments
import Paging

/// A policy that knows what the reader will do: it fetches each page at a precomputed time, and no page that stays
/// unseen.
struct Oracle: FetchPolicy {
  /// When to fetch each page, in order.
  let starts: [Instant]
  let pageSize: Int
  /// Items of the first page.
  let firstSize: Int

  /// The latest schedule that waits no longer than the best one, with these latencies.
  init(
    _ plan: SessionPlan, _ configuration: FeedConfiguration, latency: (_ page: Int) -> Duration
  ) throws(InvalidConfiguration) {
    pageSize = configuration.options.pageSize
    firstSize = configuration.initialPageSize
    let latencies = plan.pages(configuration).indices.map(latency)
    let schedule = try plan.bound(configuration, latency: latency).postponed()
    starts = zip(schedule.arrivals, latencies).map { Instant(nanoseconds: $0.nanoseconds - $1.nanoseconds) }
  }

  /// Every page that will be seen as early as possible: where pages slow each other, no later schedule is known to wait as
  /// little.
  init(_ plan: SessionPlan, _ configuration: FeedConfiguration) {
    pageSize = configuration.options.pageSize
    firstSize = configuration.initialPageSize
    starts = plan.pages(configuration).map { _ in .zero }
  }

  /// The schedule of an oracle that knows the reader, but only the distribution of latencies: every page is fetched
  /// `usual` before it is needed.
  init(_ plan: SessionPlan, _ configuration: FeedConfiguration, first: Duration, usual: Duration) {
    pageSize = configuration.options.pageSize
    firstSize = configuration.initialPageSize
    starts = plan.pages(configuration).map { max(.zero, $0.deadline + first + (.zero - usual)) }
  }

  func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    if view.direction == .prepend {
      return Verdict(view.firstVisible + view.expectedItems < 0, reason: "it was dropped")
    }
    let page = page(behind: view.expectedCount)
    guard page < starts.count else { return Verdict(false, reason: "the next page will not be seen") }
    if starts[page] <= view.now { return Verdict(true, reason: "now it comes just in time") }
    return Verdict(wait: starts[page] - view.now, reason: "it would come too early")
  }

  /// Only the items held count, and a page that is put off is asked for in its time.
  func deadZone(around view: PolicyView) -> DeadZone? {
    var zone = view.wholeZone
    if view.direction == .prepend {
      guard view.firstVisible + view.expectedItems >= 0 else { return nil }
      zone.firstVisible = -view.expectedItems...Int.max
    }
    return zone
  }

  /// The number of the page that starts after `items` items.
  private func page(behind items: Int) -> Int {
    items < firstSize ? (items > 0 ? 1 : 0) : 1 + (items - firstSize) / pageSize
  }
}

extension SessionPlan {
  /// The schedule that no policy can beat, with these page latencies.
  func bound(
    _ configuration: FeedConfiguration, latency: (_ page: Int) -> Duration
  ) throws(InvalidConfiguration) -> ClairvoyantSchedule {
    let pages = pages(configuration)
    var problem = ClairvoyantProblem(
      deadlines: pages.map(\.deadline),
      latencies: .each(pages.indices.map(latency)))
    problem.slots = configuration.maxInFlight
    problem.usesCursors = !configuration.options.keys.isCounted
    problem.startsAlone = configuration.options.knownTotal == nil
    return try problem.schedule()
  }

  /// The first items of the needed pages, and when they are needed.
  func pages(_ configuration: FeedConfiguration) -> [(item: Int, deadline: Instant)] {
    pages(ofSize: configuration.options.pageSize, first: configuration.initialPageSize)
  }
}
