import Items
import Paging

/// The details of a session's items, such as their images: fetched ahead by the production's prefetcher, beside the pages.
struct SessionDetails {
  /// What is to be done about details, in order.
  enum Action {
    case fetch(PrefetchID, item: Int)
    case cancel(PrefetchID)
  }

  private var prefetcher = Prefetcher<Bool>()
  /// Items whose details came once.
  private var come: Set<Int> = []

  /// Other details will be wanted soon.
  mutating func change(_ change: PrefetchRange.Change, at now: Instant) -> [Action] {
    actions(prefetcher.cancelPrefetch(change.cancelled, at: now))
      + actions(prefetcher.prefetch(change.wanted, at: now))
  }

  /// The details of an item came, or failed to.
  mutating func ended(
    _ name: PrefetchID, item: Int, _ failure: FetchFailure?, at now: Instant
  ) -> [Action] {
    if let failure { return actions(prefetcher.failed(name, with: failure, at: now)) }
    come.insert(item)
    return actions(prefetcher.answered(name, with: true, at: now))
  }

  /// How many of the items' details have not come.
  func missing(of items: Range<Int>) -> Int { items.count { !come.contains($0) } }

  private func actions(_ effects: [PrefetchEffect<Bool>]) -> [Action] {
    effects.compactMap { effect in
      switch effect {
      case .fetch(let name, .integer(let item)): .fetch(name, item: Int(item))
      case .cancel(let name): .cancel(name)
      case .fetch, .deliver, .fail: nil
      }
    }
  }
}
