import Paging

/// Pages of a reader that have come and whose tasks go on: a page counts as read once all that works for it has ended.
struct PagesGoingOn {
  /// Those before the newest place that the reader has reached.
  private var before: Set<FetchID> = []
  /// The others.
  private var behind: Set<FetchID> = []
  /// Whether a task of one has failed, or was stopped: that page never counts.
  private var haveFailed = false

  /// Whether there are none.
  var areOver: Bool { before.isEmpty && behind.isEmpty }

  /// Whether all that worked for the pages before the newest place has ended well.
  var haveEndedBefore: Bool { before.isEmpty && !haveFailed }

  /// Tasks of the page that this fetch has brought go on.
  mutating func add(_ fetch: FetchID) { behind.insert(fetch) }

  /// The tasks of a page have ended; false if it is none of these.
  mutating func end(_ fetch: FetchID, isWell: Bool) -> Bool {
    guard (behind.remove(fetch) ?? before.remove(fetch)) != nil else { return false }
    haveFailed = haveFailed || !isWell
    return true
  }

  /// The reader has reached a place: all pages come before it but those that are under way.
  mutating func reach(_ isUnderWay: (FetchID) -> Bool) {
    guard !behind.isEmpty else { return }
    let passed = behind.filter { !isUnderWay($0) }
    behind.subtract(passed)
    before.formUnion(passed)
  }
}
