extension ItemSet {
  /// Makes a change to the first section; takes time in proportion to it, but for new forms only.
  ///
  /// Released items are known by their ids alone: they keep their places, and count as unknown.
  public mutating func edit(_ edit: Edit) -> EditResult {
    switch edit {
    case .insert(let items, let placement): insert(items, placement)
    case .remove(let ids): remove(ids)
    case .replace(let items): replace(items)
    case .move(let ids, let placement): move(ids, placement)
    }
  }

  private mutating func insert(_ items: [Item], _ placement: Edit.Placement) -> EditResult {
    var fresh: [Item] = []
    var named: Set<ItemID> = []
    var known: [Item] = []
    for item in items where named.insert(item.id).inserted {
      if contains(item.id) { known.append(item) } else { fresh.append(item) }
    }
    var result = EditResult()
    let place = place(placement, among: heldIDs, &result)
    if !fresh.isEmpty {
      var held = self.items()
      held.insert(contentsOf: fresh, at: place)
      setHeldItems(held)
      result.changes.insert(fresh, at: ItemPath(item: place + releasedCount()))
    }
    let replaced = replace(known)
    result.changes.updates = replaced.changes.updates
    result.unknown += replaced.unknown
    return result
  }

  private mutating func remove(_ ids: [ItemID]) -> EditResult {
    var result = EditResult()
    let indices = Set(indices(of: ids, &result))
    guard !indices.isEmpty else { return result }
    for index in indices.sorted() {
      if let last = result.changes.removals.last, last.range.upperBound == index {
        result.changes.removals[result.changes.removals.count - 1].range = last.range.lowerBound..<index + 1
      } else {
        result.changes.remove(index..<index + 1)
      }
    }
    let base = releasedCount()
    setHeldItems(items().enumerated().filter { !indices.contains($0.offset + base) }.map(\.element))
    return result
  }

  private mutating func replace(_ items: [Item]) -> EditResult {
    var result = EditResult()
    for item in items {
      guard let index = indices(of: [item.id], &result).first else { continue }
      if setItem(item, at: index) {
        result.changes.updates.append(ChangeSet.Update(path: ItemPath(item: index), item: item))
      }
    }
    return result
  }

  private mutating func move(_ ids: [ItemID], _ placement: Edit.Placement) -> EditResult {
    var result = EditResult()
    var sources: [Int] = []
    for index in indices(of: ids, &result) where !sources.contains(index) { sources.append(index) }
    let moving = Set(sources)
    let base = releasedCount()
    let held = items()
    let rest = held.indices.filter { !moving.contains($0 + base) }
    let place = place(placement, among: rest.map { held[$0].id }, &result)
    var after = rest.map { held[$0] }
    after.insert(contentsOf: sources.map { held[$0 - base] }, at: place)
    guard after.map(\.id) != held.map(\.id) else { return result }
    setHeldItems(after)
    result.changes.moves = sources.enumerated().map { offset, source in
      ItemMove(from: ItemPath(item: source), to: ItemPath(item: base + place + offset))
    }
    return result
  }

  private var heldIDs: [ItemID] { items().map(\.id) }

  /// Where a run is put among held items.
  private func place(_ placement: Edit.Placement, among ids: [ItemID], _ result: inout EditResult) -> Int {
    switch placement {
    case .start: return 0
    case .end: return ids.count
    case .before(let id), .after(let id):
      guard let index = ids.firstIndex(of: id) else {
        result.unknown.append(id)
        return ids.count
      }
      if case .after = placement { return index + 1 }
      return index
    }
  }

  /// Where ids are, in their order; those that are not held are reported.
  private func indices(of ids: [ItemID], _ result: inout EditResult) -> [Int] {
    var indices: [Int] = []
    for id in ids {
      if let index = path(of: id)?.item, index >= releasedCount() {
        indices.append(index)
      } else {
        result.unknown.append(id)
      }
    }
    return indices
  }
}
