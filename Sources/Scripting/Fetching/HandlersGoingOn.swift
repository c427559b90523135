import Paging

/// Handlers of a reader that have answered their fetches and go on, as tasks of the run: a page counts as read once its handler has ended.
struct HandlersGoingOn {
  /// Those of pages before the newest place that the reader has reached.
  private var before: Set<FetchID> = []
  /// The others.
  private var behind: Set<FetchID> = []
  /// Whether one of them has failed, or was ended: its page never counts.
  private var haveFailed = false

  /// Whether all of them have ended well.
  var areOver: Bool { areOverBefore && behind.isEmpty }

  /// Whether all of those have ended well whose pages come before the newest place.
  var areOverBefore: Bool { before.isEmpty && !haveFailed }

  /// The handler of that fetch goes on.
  mutating func add(_ fetch: FetchID) { behind.insert(fetch) }

  mutating func end(_ fetch: FetchID, isWell: Bool) {
    if behind.remove(fetch) == nil { before.remove(fetch) }
    haveFailed = haveFailed || !isWell
  }

  /// The reader has reached a place: all pages come before it but those that are under way.
  mutating func reach(_ isUnderWay: (FetchID) -> Bool) {
    guard !behind.isEmpty else { return }
    let passed = behind.filter { !isUnderWay($0) }
    behind.subtract(passed)
    before.formUnion(passed)
  }
}
