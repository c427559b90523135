/// What a feed has done since the beginning.
public struct FeedStatistics: Sendable, Hashable {
  /// Attempts started.
  public var fetches = 0
  /// Attempts beyond the first at their page.
  public var retries = 0
  /// Attempts that failed.
  public var failures = 0
  /// Pages that took their place.
  public var pages = 0
  /// Items that the source sent.
  public var received = 0
  /// Items that were new.
  public var inserted = 0
  /// Items that took the place of an older form.
  public var updated = 0
  /// Items whose id was held already.
  public var duplicates = 0
  /// Answers thrown away as their attempt had ended.
  public var lateAnswers = 0

  public init() {}

  init(_ pages: Pages, _ held: HeldItems) {
    self = pages.statistics
    inserted = held.inserted
    updated = held.updated
    duplicates = held.duplicates
  }
}
