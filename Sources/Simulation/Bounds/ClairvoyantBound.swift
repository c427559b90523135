public import Paging

/// What nobody can do better in one session: the yardstick of every policy (lab.md 2.3).
public struct ClairvoyantBound: Sendable, Equatable {
  /// The pages that are needed, in the order of need.
  public let needs: [PageNeeds.Need]
  /// When they come at the earliest.
  public let schedule: ClairvoyantSchedule
  /// The fewest requests: one for each page needed.
  public let requests: Int
  /// Items that come with the needed pages and are never seen.
  public let waste: Int

  /// What fetches are like in the session, the same for the bound as for the policies.
  public struct Supply {
    /// A page's latency as it was drawn.
    public var latency: (_ page: Int) -> Duration
    /// A page's size divided by the bandwidth.
    public var transfer: ((_ page: Int) -> Duration)?
    /// Fetches that may be under way at once.
    public var slots = 1
    /// Each page names the next, so none can be skipped.
    public var usesCursors = false
    /// Pages that may be held or on their way; nil for any number.
    public var memory: Int?
    /// Items that there are, or nil if the list does not end; the last page may be short.
    public var items: Int?

    /// One fetch at a time, memory for everything.
    public init(latency: @escaping (_ page: Int) -> Duration) { self.latency = latency }
  }

  /// The bound for a reader with these needs.
  public init(_ needs: PageNeeds, _ supply: Supply) throws(InvalidConfiguration) {
    let pages = supply.usesCursors ? needs.needsWithoutHoles : needs.needs
    var problem = ClairvoyantProblem(
      deadlines: pages.map(\.deadline), latencies: .each(pages.map { supply.latency($0.page) }))
    if let transfer = supply.transfer { problem.transfers = .each(pages.map { transfer($0.page) }) }
    problem.slots = supply.slots
    problem.usesCursors = supply.usesCursors
    problem.memory = supply.memory
    self.needs = pages
    schedule = try problem.schedule()
    requests = pages.count
    let size = needs.pageSize
    let fetched = pages.reduce(0) { sum, need in
      sum + max(0, min(size, (supply.items ?? .max) - need.page * size))
    }
    waste = max(0, fetched - needs.seenItems)
  }

  /// No schedule has less wait.
  public var lower: Duration { schedule.leastStall }

  /// A schedule with this wait exists.
  public var upper: Duration { schedule.stall }

  /// What a session has beyond the bound: the wait in seconds, requests, and items wasted.
  public func regret(of score: SessionScore) -> (stall: Double, requests: Int, waste: Int) {
    (score.stall - lower.inSeconds, score.requests - requests, score.waste - waste)
  }
}
