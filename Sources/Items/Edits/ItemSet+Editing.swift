extension ItemSet {
  /// Makes a change to the first section.
  ///
  /// Released items are known by their ids alone: they keep their places, and count as unknown. New forms take time in
  /// proportion to the edit; what comes, goes or moves elsewhere than at the end also a pass over the ids that are held.
  public mutating func edit(_ edit: Edit) -> EditResult {
    change { section in
      switch edit {
      case .insert(let items, let placement): section.insert(items, placement)
      case .remove(let ids): section.remove(ids)
      case .replace(let items): section.replace(items)
      case .move(let ids, let placement): section.move(ids, placement)
      }
    }
  }
}

extension ItemSet.Section {
  mutating func insert(_ items: [Item], _ placement: Edit.Placement) -> EditResult {
    var known: [Item] = []
    var fresh: [Item] = []
    var places: [ItemID: Int] = [:]
    for item in items {
      if index(of: item.id) != nil {
        known.append(item)
      } else if let place = places[item.id] {
        fresh[place] = item
      } else {
        places[item.id] = fresh.count
        fresh.append(item)
      }
    }
    var result = replace(known)
    guard !fresh.isEmpty else { return result }
    let place = place(placement, &result) ?? count
    insert(fresh, at: place)
    result.changes.insert(fresh, at: ItemPath(item: place))
    for index in result.changes.updates.indices where result.changes.updates[index].path.item >= place {
      result.changes.updates[index].path.item += fresh.count
    }
    return result
  }

  mutating func remove(_ ids: [ItemID]) -> EditResult {
    var result = EditResult()
    let indices = indices(of: ids, &result).sorted()
    for index in indices {
      if let last = result.changes.removals.last, last.range.upperBound == index {
        result.changes.removals[result.changes.removals.count - 1].range = last.range.lowerBound..<index + 1
      } else {
        result.changes.remove(index..<index + 1)
      }
    }
    remove(indices)
    return result
  }

  mutating func replace(_ items: [Item]) -> EditResult {
    var result = EditResult()
    var forms: [ItemID: Int] = [:]
    for item in items {
      guard let index = heldIndex(of: item.id, &result), replace(at: index, with: item) else { continue }
      let update = ChangeSet.Update(path: ItemPath(item: index), item: item)
      if let form = forms[item.id] {
        result.changes.updates[form] = update
      } else {
        forms[item.id] = result.changes.updates.count
        result.changes.updates.append(update)
      }
    }
    return result
  }

  mutating func move(_ ids: [ItemID], _ placement: Edit.Placement) -> EditResult {
    var result = EditResult()
    let sources = indices(of: ids, &result)
    guard let limit = place(placement, &result), !sources.isEmpty else { return result }
    let place = limit - sources.count { $0 < limit }
    let moves = sources.enumerated().map { offset, source in
      ItemMove(from: ItemPath(item: source), to: ItemPath(item: place + offset))
    }
    guard moves.contains(where: { $0.from != $0.to }) else { return result }
    move(sources, to: place)
    result.changes.moves = moves
    return result
  }

  /// Before which index something is put; nil where the item beside it is not held.
  private func place(_ placement: Edit.Placement, _ result: inout EditResult) -> Int? {
    switch placement {
    case .start: return released
    case .end: return count
    case .before(let id): return heldIndex(of: id, &result)
    case .after(let id): return heldIndex(of: id, &result).map { $0 + 1 }
    }
  }

  /// Where an item is; an id that is not held is reported.
  private func heldIndex(of id: ItemID, _ result: inout EditResult) -> Int? {
    if let index = index(of: id), index >= released { return index }
    result.unknown.append(id)
    return nil
  }

  /// Where items are, each once, in the order of their ids; ids that are not held are reported.
  private func indices(of ids: [ItemID], _ result: inout EditResult) -> [Int] {
    var named: Set<ItemID> = []
    return ids.compactMap { named.insert($0).inserted ? heldIndex(of: $0, &result) : nil }
  }
}
