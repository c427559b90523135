import Paging

/// What is going to happen in a session, in order of time; at equal times in order of entry.
///
/// A feed has a handful of fetches under way and one wake, so a sorted array beats a heap.
struct SessionAgenda {
  enum Happening {
    case answer(FetchID, PendingFetch)
    case wake
  }

  struct Entry {
    let at: Instant
    let happening: Happening
  }

  /// The earliest comes last.
  private var entries: [Entry] = []

  var nextTime: Instant? { entries.last?.at }

  mutating func add(_ happening: Happening, at: Instant) {
    let place = entries.firstIndex { $0.at <= at } ?? entries.endIndex
    entries.insert(Entry(at: at, happening: happening), at: place)
  }

  mutating func removeFirst() -> Entry? { entries.popLast() }

  /// Forgets the wake; there is one at most.
  mutating func removeWake() {
    entries.removeAll { if case .wake = $0.happening { true } else { false } }
  }

  /// Takes out the answer to a fetch, if it is still to come.
  mutating func remove(_ id: FetchID) -> PendingFetch? {
    for index in entries.indices {
      if case .answer(id, let pending) = entries[index].happening {
        entries.remove(at: index)
        return pending
      }
    }
    return nil
  }

  /// Fetches whose answers are still to come.
  var pending: [PendingFetch] {
    entries.compactMap { if case .answer(_, let pending) = $0.happening { pending } else { nil } }
  }
}

/// A fetch under way, and how it is going to end.
struct PendingFetch {
  let request: FetchRequest
  let start: Instant
  /// The items that were asked for.
  let items: Range<Int>
  /// Nil is a page.
  let failure: FetchFailure?
  /// Its place in the timeline.
  let bar: Int
}
