public import Paging

/// A moment of a reader's way: what is visible from then on, and how much of it the reader waits for.
public struct PlannedStep: Sendable, Hashable {
  /// Nominal: the time as it would be without any waiting.
  public var at: Instant
  /// In items of the source; cut at its end. A reader who goes back from where a way begins, or from where it jumped to, is seen
  /// to stand there first: nobody comes to a place by leaving it.
  public var viewport: Viewport
  /// The last item that the reader waits for: one that only shows its edge while the reader turns back is not waited for.
  public var lastWanted: Int

  /// The items that the reader sees, which it waits for.
  var wanted: Range<Int> { viewport.firstVisible..<max(viewport.firstVisible, lastWanted + 1) }

  /// Whether all that the reader wants to see is held.
  func isWithin(_ held: Range<Int>) -> Bool {
    viewport.firstVisible >= held.lowerBound && lastWanted < held.upperBound
  }
}

/// One reader's way through a source: made once, walked by every policy.
public struct SessionPlan: Sendable {
  /// Moments of a session at most.
  public static let mostSteps = ScrollPath.mostSegments

  /// The number of the session.
  public let session: Int
  /// Items that the source has.
  public let total: Int
  /// In order of time; the first is at the start.
  public let steps: [PlannedStep]
  /// There were more steps than a session has at most; those beyond are left out.
  public let isCut: Bool
  /// How long after its last move a waiting reader is seen to stand still; nil if it seems to go on until the wait is over.
  public var restsAfter: Duration?
  /// How long the reader waits at a time before it leaves; nil is for ever.
  public var patience: Duration?
  /// The path whose flings die at the edge of what is held; nil if they go on after the wait.
  var dyingPath: ScrollPath?
  /// Whenever an item further back than any before is wanted: from then on, that item is the last one wanted.
  private let needs: [(time: Instant, last: Int)]

  /// The way along a path; what lies beyond the source's end is cut.
  public init(session: Int, total: Int, path: ScrollPath) {
    self.init(session: session, total: total, path: path, behind: nil)
  }

  /// The rest of a way, behind a step.
  private init(session: Int, total: Int, path: ScrollPath, behind known: PlannedStep?) {
    self.session = session
    self.total = total
    var needs: [(time: Instant, last: Int)] = []
    var steps: [PlannedStep] = []
    steps.reserveCapacity(min(Self.mostSteps, 8 * path.segments.count))
    var furthest = known?.lastWanted ?? -1
    var before = known?.viewport
    var isCut = false
    for step in path.steps {
      if steps.count == Self.mostSteps {
        isCut = true
        break
      }
      var planned = PlannedStep(at: step.at, viewport: step.viewport, lastWanted: 0)
      // A path that bounces at the start may show its edge.
      planned.viewport.firstVisible = max(0, step.viewport.firstVisible)
      planned.viewport.lastVisible = min(step.viewport.lastVisible, total - 1)
      let isEdge = Self.isEdge(planned.viewport, behind: furthest, from: before)
      planned.lastWanted = planned.viewport.lastVisible - (isEdge ? 1 : 0)
      before = planned.viewport
      let isNew = planned.lastWanted > furthest
      if isNew, planned.viewport.velocity < 0 { planned.viewport.velocity = 0 }
      steps.append(planned)
      guard isNew else { continue }
      furthest = planned.lastWanted
      needs.append((step.at, furthest))
    }
    self.steps = steps
    self.isCut = isCut
    self.needs = needs
  }

  /// Whether the last item of a viewport only shows its edge, to which the place where a reader turns back may be rounded: it is
  /// the one behind all that was wanted, and the reader was beside it before. Where a way begins and after a jump all is wanted.
  private static func isEdge(_ viewport: Viewport, behind furthest: Int, from before: Viewport?) -> Bool {
    guard viewport.velocity < 0, viewport.lastVisible == furthest + 1, let before else { return false }
    return abs(viewport.firstVisible - before.firstVisible) <= 1
  }

  /// The way from a step on, if the fling that it is part of dies there; nil if it is part of none.
  func stopped(at step: Int) -> SessionPlan? {
    guard let path = dyingPath?.stopped(at: steps[step].at) else { return nil }
    var rest = SessionPlan(session: session, total: total, path: path, behind: steps[step])
    (rest.restsAfter, rest.patience, rest.dyingPath) = (restsAfter, patience, path)
    return rest
  }

  /// The last item that is ever wanted; -1 for none.
  public var lastWanted: Int { needs.last?.last ?? -1 }

  /// The nominal time at which an item, or one behind it, is first wanted; nil for never. Pages come in their order, so
  /// an item that was jumped over is needed as well.
  public func deadline(of item: Int) -> Instant? {
    var low = 0
    var high = needs.count
    while low < high {
      let middle = (low + high) / 2
      if needs[middle].last < item { low = middle + 1 } else { high = middle }
    }
    return low < needs.count ? needs[low].time : nil
  }

  /// The first items of the pages that are needed, where the first page has a size of its own, and their deadlines.
  public func pages(ofSize size: Int, first: Int) -> [(item: Int, deadline: Instant)] {
    var pages: [(item: Int, deadline: Instant)] = []
    var item = 0
    while item < total, let time = deadline(of: item) {
      pages.append((item, time))
      item += pages.count == 1 ? first : size
    }
    return pages
  }
}
