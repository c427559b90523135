public import Items

/// What happened and why, for traces and people; reading it is optional.
public enum Note: Sendable, Equatable {
  /// A policy was asked.
  case decided(PolicyView, Verdict)
  /// A verdict asked for more pages than there were slots.
  case clamped(asked: Int, started: Int)
  /// A page landed; `latency` is from the start of the attempt.
  case landed(FetchID, received: Int, latency: Duration)
  /// A page was merged into the item set.
  case delivered(FetchID, inserted: Int, updated: Int, duplicates: Int)
  case retrying(FetchID, FetchFailure, attempt: Int, at: Instant)
  /// A page is not retried by itself.
  case gaveUp(FetchID, FetchFailure)
  /// An attempt was withdrawn.
  case cancelled(FetchID)
  /// An answer came for a fetch that had ended: cancelled, timed out, or of an older generation.
  case threwAwayLateAnswer(FetchID)
  /// A page was fetched past the end.
  case threwAwayPastEnd(FetchID)
  /// A page held fewer items than its offsets span; the rest is fetched separately.
  case fillsGap(FetchID, offset: Int64, size: Int)
  /// The source sends fewer items per page than asked for; later requests ask for that many.
  case learnedPageSize(Int)
  /// The feed stopped by itself on that side.
  case stopped(Direction, StopReason)
  /// So many consecutive pages were empty below the total: taken as the end.
  case endedBelowTotal(Direction, emptyPages: Int, items: Int, total: Int)
  /// A page past the total failed: taken as the end, like an empty page.
  case endedPastTotal(FetchID, FetchFailure)
  /// The side is exhausted, with another number of items than the source's total.
  case disagreedWithTotal(Direction, TotalMismatch)
  /// No more pages on that side.
  case exhausted(Direction)
  /// Whole pages were dropped on that side.
  case dropped(Direction, items: Int)
  case refreshing(generation: Int)
  /// A new generation has replaced the previous one.
  case replaced(EditCounts)
  /// A refresh brought nothing at all, so the items that are held stay: so many.
  case keptAll(Int)
  /// The caller edited the held items; ids that are not held are listed.
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
    case .keptAll: "keptAll"
    case .edited: "edited"
    }
  }
}
