import Items
import TestSupport
import Paging

/// A prefetcher in virtual time, its fetches under way, and what its readers were told.
struct PrefetchRig {
  var prefetcher: Prefetcher<String>
  var now = Instant.zero
  /// Fetches under way, the oldest first.
  var flying: [(name: PrefetchID, id: ItemID)] = []
  /// Fetches that were taken back.
  var takenBack: [PrefetchID] = []
  /// Ids in the order in which their fetches began.
  var begun: [String] = []
  /// What came of each token, in order: `1 = a` or `1 failed: why`.
  var told: [String] = []

  init(_ set: (inout PrefetcherOptions) -> Void = { _ in }) {
    var options = PrefetcherOptions()
    set(&options)
    prefetcher = Prefetcher(options: options)
  }

  mutating func take(_ effects: [PrefetchEffect<String>]) {
    for effect in effects {
      switch effect {
      case .fetch(let name, let id):
        flying.append((name, id))
        begun.append(id.description)
      case .cancel(let name):
        flying.removeAll { $0.name == name }
        takenBack.append(name)
      case .deliver(let token, let value): told.append("\(token.number) = \(value)")
      case .fail(let token, let failure): told.append("\(token.number) failed: \(failure.message)")
      }
    }
  }

  mutating func prefetch(_ ids: String...) { take(prefetcher.prefetch(ids.map { .text($0) }, at: now)) }

  mutating func cancelPrefetch(_ ids: String...) {
    take(prefetcher.cancelPrefetch(ids.map { .text($0) }, at: now))
  }

  /// Reads an id; the token when the reader has to wait.
  @discardableResult
  mutating func get(_ id: String) -> PrefetchToken? {
    let (read, effects) = prefetcher.get(.text(id), at: now)
    take(effects)
    switch read {
    case .value(let value):
      told.append("at once = \(value)")
      return nil
    case .waits(let token): return token
    }
  }

  mutating func cancel(_ token: PrefetchToken?, of id: String) {
    if let token { take(prefetcher.cancel(token, of: .text(id), at: now)) }
  }

  mutating func invalidate(_ ids: String...) {
    take(prefetcher.invalidate(ids.isEmpty ? nil : ids.map { .text($0) }, at: now))
  }

  /// Answers the fetch of an id with a value, the id itself unless given.
  mutating func answer(_ id: String, _ value: String? = nil) {
    guard let index = flying.firstIndex(where: { $0.id == .text(id) }) else { return }
    let name = flying.remove(at: index).name
    take(prefetcher.answered(name, with: value ?? id, at: now))
  }

  mutating func fail(_ id: String, _ message: String = "no") {
    guard let index = flying.firstIndex(where: { $0.id == .text(id) }) else { return }
    let name = flying.remove(at: index).name
    take(prefetcher.failed(name, with: FetchFailure(code: "x", message: message), at: now))
  }

  mutating func sleep(_ seconds: Int) { now = now + .seconds(seconds) }

  /// Ids being fetched.
  var fetching: [String] { flying.map(\.id.description) }

  mutating func peek(_ id: String) -> String? { prefetcher.peek(.text(id)) }

  func state(_ id: String) -> PrefetchState { prefetcher.state(of: .text(id), at: now) }
}
