public import Items

/// What happened and why, for traces and people; a feed behaves the same whether or not anybody reads them.
public enum Note: Sendable, Equatable {
  /// A policy was asked.
  case decided(PolicyView, Verdict)
  /// A verdict asked for more pages than there were slots.
  case clamped(asked: Int, started: Int)
  /// A page is in; `latency` is from the start of the attempt.
  case landed(FetchID, received: Int, latency: Duration)
  /// A page took its place in the item set.
  case delivered(FetchID, inserted: Int, updated: Int, duplicates: Int)
  case retrying(FetchID, FetchFailure, attempt: Int, at: Instant)
  /// A page is not tried again before somebody says so.
  case gaveUp(FetchID, FetchFailure)
  /// An attempt was taken back.
  case cancelled(FetchID)
  /// An answer came for a fetch that had ended: cancelled, timed out, or of an older generation.
  case threwAwayLateAnswer(FetchID)
  /// A page was fetched past the end.
  case threwAwayPastEnd(FetchID)
  /// A page held fewer items than its offsets span; the rest is fetched on its own.
  case fillsGap(FetchID, offset: Int64, size: Int)
  /// The source sends fewer items per page than asked for; later requests ask for that many.
  case learnedPageSize(Int)
  /// The feed stopped by itself on that side.
  case stopped(Direction, StopReason)
  /// So many pages in a row were empty, though the total that the source tells of is not reached: taken as its end.
  case endedBelowTotal(Direction, emptyPages: Int, items: Int, total: Int)
  /// A page behind the total failed: taken as the end, as an empty page would be.
  case endedPastTotal(FetchID, FetchFailure)
  /// The side is at its end, and another number of items came than the source said.
  case disagreedWithTotal(Direction, TotalMismatch)
  /// No more pages on that side.
  case exhausted(Direction)
  /// Whole pages were let go on that side.
  case dropped(Direction, items: Int)
  case refreshing(generation: Int)
  /// A new generation has taken the place of the one before it.
  case replaced(EditCounts)
  /// The caller changed what is held; ids that are not held are named.
  case edited(EditCounts, unknown: [ItemID])

  /// The kind of note, as traces name it.
  public var name: String {
    switch self {
    case .decided: "decided"
    case .clamped: "clamped"
    case .landed: "landed"
    case .delivered: "delivered"
    case .retrying: "retrying"
    case .gaveUp: "gaveUp"
    case .cancelled: "cancelled"
    case .threwAwayLateAnswer: "threwAwayLateAnswer"
    case .threwAwayPastEnd: "threwAwayPastEnd"
    case .fillsGap: "fillsGap"
    case .learnedPageSize: "learnedPageSize"
    case .stopped: "stopped"
    case .endedBelowTotal: "endedBelowTotal"
    case .endedPastTotal: "endedPastTotal"
    case .disagreedWithTotal: "disagreedWithTotal"
    case .exhausted: "exhausted"
    case .dropped: "dropped"
    case .refreshing: "refreshing"
    case .replaced: "replaced"
    case .edited: "edited"
    }
  }
}
