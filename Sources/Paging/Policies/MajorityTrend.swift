/// Leap's trend: the majority of recent moves picks the direction, and the window grows while it holds.
public struct MajorityTrend: FetchPolicy, Sendable {
  /// The largest window, in pages.
  public let maxPages: Int
  private var moves: [Direction] = []
  private var oldest = 0
  private var lastPosition = 0
  private var windows = PerSide(1)

  /// Number of moves that vote.
  private static let voters = 16

  public init(maxPages: Int = 8) { self.maxPages = max(1, maxPages) }

  public mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    if view.firstVisible != lastPosition {
      record(view.firstVisible > lastPosition ? .append : .prepend)
      lastPosition = view.firstVisible
      let isTrend = majority == view.direction
      let window = windows[view.direction]
      windows[view.direction] = isTrend ? min(maxPages, window * 2) : max(1, window / 2)
    }
    if view.isFull { return Verdict(false, reason: "a fetch is in flight") }
    if view.isUnfilled { return Verdict(true, reason: "the edge is in sight") }
    guard view.isVisible, majority == view.direction else {
      return Verdict(false, reason: "no trend this way")
    }
    let distance = windows[view.direction] * view.pageSize
    return view.remainingItems + view.expectedItems < distance
      ? Verdict(true, reason: "most moves went this way") : Verdict(false, reason: "the window is filled")
  }

  private mutating func record(_ move: Direction) {
    if moves.count < MajorityTrend.voters {
      moves.append(move)
    } else {
      moves[oldest] = move
      oldest = (oldest + 1) % MajorityTrend.voters
    }
  }

  /// More than half of the moves; with two candidates, counting is the Boyer-Moore vote.
  private var majority: Direction? {
    let forwards = moves.count { $0 == .append }
    if 2 * forwards > moves.count { return .append }
    return 2 * forwards < moves.count ? .prepend : nil
  }
}
