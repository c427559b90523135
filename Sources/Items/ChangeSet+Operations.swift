extension ChangeSet {
  /// Whether it does nothing but add items behind the last of a list of that many.
  public func isAppend(to count: Int) -> Bool {
    guard !isReload, removals.isEmpty, moves.isEmpty, updates.isEmpty, sectionRemovals.isEmpty,
      sectionMoves.isEmpty, sectionInsertions.isEmpty
    else { return false }
    var end = count
    for insertion in insertions {
      guard insertion.path == ItemPath(item: end) else { return false }
      end += insertion.items.count
    }
    return true
  }

  /// The same change to a list of one section, step by step: removals from the last to the first, the fewest moves,
  /// insertions from the first to the last, updates. `ids` are those before the change; those after it are left there.
  ///
  /// Takes time in proportion to the list and the change, and for the moves to their number times its logarithm; an
  /// append only to what it appends. On failure the ids are left as they were.
  public func operations(on ids: inout [ItemID]) throws(ChangeSetMismatch) -> [ItemOperation] {
    if isAppend(to: ids.count) { return appendOperations(on: &ids) }
    let counts = baseCounts(over: [ids.count])
    let arrangement = try Arrangement(blueprint(counts: counts))
    try checkUpdates(arrangement.sections.map(\.count))
    guard arrangement.sections.count <= 1 else {
      throw ChangeSetMismatch(part: .sectionInsertion, path: ItemPath(section: 1, item: 0), counts: counts)
    }
    let plan = OperationPlan(arrangement, oldCount: isReload ? 0 : ids.count)
    let old = ids
    let lots = lots
    func id(of source: OperationPlan.Source) -> ItemID {
      switch source {
      case .old(let index): old[index]
      case .fresh(let lot, let index): lots[lot][index].id
      }
    }
    ids = plan.sources.map(id)

    var operations: [ItemOperation] = []
    let gone = isReload ? Array(old.indices) : plan.gone
    for index in gone.reversed() { operations.append(.remove(old[index], at: index)) }
    for move in plan.moves { operations.append(.move(old[move.old], from: move.from, to: move.to)) }
    for (place, source) in plan.sources.enumerated() {
      if case .fresh(let lot, let index) = source { operations.append(.insert(lots[lot][index], at: place)) }
    }
    for update in updates { operations.append(.update(update.item, at: update.path.item)) }
    return operations
  }

  private func appendOperations(on ids: inout [ItemID]) -> [ItemOperation] {
    var operations: [ItemOperation] = []
    for item in insertions.lazy.flatMap(\.items) {
      operations.append(.insert(item, at: ids.count))
      ids.append(item.id)
    }
    return operations
  }
}
