extension DataController {
  /// A change set in progress.
  struct Entry: Sendable {
    enum State: Sendable {
      case queued, working, ready
    }

    let revision: Int
    let change: ElementChange<Source>
    var state = State.queued
    /// Elements whose jobs are not done.
    var awaited: Set<ElementID> = []
    /// Elements that were remade with a different product.
    var remade: [ElementID: Source.Product] = [:]
    /// Elements to make, and elements to update to their new model.
    var fresh: [ElementID] = []
    var adopted: [Element<Source.Model>] = []
    var isSynchronous = false
    /// The last set that removes something this one inserts: both are applied together.
    var heldUntil = 0
    var completions: [Int] = []
  }
}

extension DataController.Entry {
  /// Drops the elements this set would have inserted and that were removed meanwhile.
  mutating func lose(_ lost: Set<ElementID>, until revision: Int) {
    let isConcerned =
      switch state {
      case .ready: false
      case .working: !awaited.isDisjoint(with: lost)
      case .queued: fresh.contains(where: lost.contains)
      }
    guard isConcerned else { return }
    heldUntil = revision
    switch state {
    case .ready: break
    case .working:
      awaited.subtract(lost)
      if awaited.isEmpty { state = .ready }
    case .queued: fresh.removeAll(where: lost.contains)
    }
  }
}
