public import Paging

/// How much waiting each size of memory costs at least (lab.md I5 and 2.4, V33).
public struct MemoryFront: Sendable, Equatable {
  /// Some memory, and the least wait with it.
  public struct Point: Sendable, Hashable {
    /// In pages, held or on their way.
    public let pages: Int
    public let stall: Duration

    public init(pages: Int, stall: Duration) {
      self.pages = pages
      self.stall = stall
    }
  }

  /// Ascending in pages, descending in stall; the last point has the wait of unlimited memory.
  public let points: [Point]
  /// Whether the front is proven: all latencies equal, or pages in order.
  public let isExact: Bool

  /// The front of a problem, whose own memory is not looked at.
  public init(_ problem: ClairvoyantProblem) throws(InvalidConfiguration) {
    var problem = problem
    problem.memory = nil
    let goal = try problem.schedule()
    var (points, isExact) = ([Point](), goal.isExact)
    for pages in 1...max(1, problem.deadlines.count) {
      problem.memory = pages
      let schedule = try problem.schedule()
      isExact = isExact && schedule.isExact
      if points.last.map({ schedule.stall < $0.stall }) ?? true {
        points.append(Point(pages: pages, stall: schedule.stall))
      }
      if schedule.stall <= goal.stall { break }
    }
    self.points = points
    self.isExact = isExact
  }
}
