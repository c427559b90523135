import Items
import TestSupport
import Paging

/// An item set on demand with a log of what it says.
struct DemandRig {
  var set: DemandSet
  var now = Instant.zero
  var waiting: [FetchRequest] = []
  var keys: [Int?] = []
  var loaded: [[Int]] = []
  var failures: [FetchFailure] = []
  var abandoned = 0
  var lateAnswers = 0
  var wakeAt: Instant?
  var mismatches: [TotalMismatch?] = []
  var start = DemandStart.nothing(.lastPageFetched)

  init(_ set: (inout FeedConfiguration.Options) -> Void = { $0.keys = .page }) throws {
    self.set = DemandSet(configuration: try FeedConfiguration(set))
  }

  mutating func take(_ effects: [DemandEffect]) {
    for effect in effects {
      switch effect {
      case .fetch(let request):
        waiting.append(request)
        keys.append(request.key?.number)
      case .cancel(let id): waiting.removeAll { $0.id == id }
      case .wake(let time): wakeAt = time
      case .loaded(_, _, let new): loaded.append(new.ids)
      case .failed(_, _, let failure): failures.append(failure)
      case .abandoned: abandoned += 1
      case .ended(let mismatch): mismatches.append(mismatch)
      case .note(.threwAwayLateAnswer): lateAnswers += 1
      case .note: break
      }
    }
  }

  mutating func next() {
    let (start, effects) = set.fetchNextPage(at: now)
    self.start = start
    take(effects)
  }

  mutating func fetch(_ page: Int) {
    let (start, effects) = set.fetchPage(page, at: now)
    self.start = start
    take(effects)
  }

  mutating func answer(_ answer: FetchAnswer) {
    take(set.answered(waiting.removeFirst().id, answer, at: now))
  }

  /// Fetches the next page and answers it.
  mutating func next(_ page: Page) {
    next()
    answer(.page(page))
  }

  var shown: [Int] { self.set.items.items().ids }
}
