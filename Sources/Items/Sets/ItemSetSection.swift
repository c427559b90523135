extension ItemSet {
  /// One section: a run of positions that can grow at both ends, and a table from ids to positions.
  struct Section: Sendable {
    /// Position of the first item; the position of an item never changes while it is held.
    private(set) var start = 0
    /// Released items at the front.
    private(set) var released = 0
    /// The held items, behind `spent` released places not yet cut off.
    private var storage: [Item] = []
    private var spent = 0
    private var table = IDTable()
    /// Ids of released items whose places are given up.
    private var passed = PassedIDs()
    /// Of released items that keep their places.
    private var forms = ReleasedForms()

    var count: Int { released + storage.count - spent }
    var end: Int { start + count }
    var heldItems: [Item] { Array(storage[spent...]) }

    func item(at index: Int) -> Item? {
      index >= released && index < count ? storage[index - released + spent] : nil
    }

    func index(of id: ItemID) -> Int? { table.position(of: id).map { $0 - start } }

    /// Whether an item of that id was released and its place given up.
    func hasPassed(_ id: ItemID) -> Bool { !passed.isEmpty && passed.contains(id) }

    /// The existing position of an id, or nil if it was new and now has the given one.
    mutating func register(_ id: ItemID, at position: Int) -> Int? {
      table.insert(id, position: position)
    }

    /// Appends the items whose ids are new, and returns them; the others come with the positions of those held, if they are
    /// known.
    mutating func append(_ items: [Item]) -> (new: [Item], known: [(item: Item, position: Int?)]) {
      let end = end
      if passed.isEmpty, table.append(items, at: end) {
        hold(items)
        return (items, [])
      }
      table.reserve(items.count)
      var new: [Item]?
      var known: [(item: Item, position: Int?)] = []
      for place in items.indices {
        let hasPassed = hasPassed(items[place].id)
        let position = hasPassed ? nil : table.insert(items[place].id, position: end + place - known.count)
        if hasPassed || position != nil {
          if new == nil { new = Array(items[..<place]) }
          known.append((items[place], position))
        } else {
          new?.append(items[place])
        }
      }
      // Most pages bring nothing but new items, which are not copied.
      hold(new ?? items)
      return (new ?? items, known)
    }

    /// Prepends items registered from `start - reserved`; unused positions are closed.
    mutating func prepend(_ items: [Item], reserved: Int) {
      guard !items.isEmpty else { return }
      let unused = reserved - items.count
      if unused > 0 {
        let low = start - reserved
        table.shift(by: unused) { $0 >= low && $0 < low + items.count }
      }
      start -= items.count
      if released > 0 { released += items.count } else { storage.insert(contentsOf: items, at: spent) }
    }

    /// Whether the new item differs from the one there; one whose form is not known any more counts as different.
    mutating func replace(at index: Int, with item: Item) -> Bool {
      guard index >= released, index < count else { return forms.replace(at: start + index, with: item) }
      let place = index - released + spent
      guard storage[place] != item else { return false }
      storage[place] = item
      return true
    }

    /// Releases the items before an index; without their places their ids take up less, once they are many.
    mutating func release(before index: Int, keepsPlaces: Bool, spillingInto room: (any SpillRoom)?) {
      let wanted = min(index, count)
      guard wanted > released else { return }
      let gone = spent..<spent + wanted - released
      if keepsPlaces {
        for place in gone { forms.append(storage[place], at: start + released + place - spent) }
      }
      released = wanted
      letGo(gone)
      let isLong = table.entryCount > 2 * (count - released) + Self.placesKept
      guard !keepsPlaces, isLong else { return }
      table.pass(before: start + released, into: &passed)
      if let room { passed.spill(into: room) }
    }

    /// Lets the first places go that are not spent; all of them at once, where there are no others.
    private mutating func letGo(_ places: Range<Int>) {
      guard places.upperBound < storage.count else { return (storage, spent) = ([], 0) }
      let nothing = Item(id: .integer(0), bytes: .empty)
      for place in places { storage[place] = nothing }
      spent = places.upperBound
      if spent * 2 > storage.count { cutSpent() }
    }

    /// Holds more items; a page is not copied where it is all there is.
    private mutating func hold(_ items: [Item]) {
      if spent == storage.count { (storage, spent) = (items, 0) } else { storage += items }
    }

    /// Released items that keep their places in any case; each time as many or more give them up together.
    private static let placesKept = 1 << 14

    /// Forgets the id of a released item.
    mutating func forget(_ id: ItemID) {
      table.remove(id)
      passed.remove(id)
    }

    mutating func remove(_ range: Range<Int>) {
      precondition(0 <= range.lowerBound && range.upperBound <= count, "\(range) of \(count) items")
      cutSpent()
      let positions = start + range.lowerBound..<start + range.upperBound
      table.removeAll { positions.contains($0) }
      let wasFirst = range.lowerBound == 0
      if wasFirst {
        start += range.count
      } else if range.upperBound < count {
        table.shift(by: -range.count) { $0 >= positions.upperBound }
      }
      let gone = range.clamped(to: 0..<released).count
      if gone > 0, !wasFirst { forms.removeAll() }
      storage.removeSubrange(max(0, range.lowerBound - released)..<max(0, range.upperBound - released))
      released -= gone
    }

    /// Inserts new items before the one at an index; never before a released one.
    mutating func insert(_ items: [Item], at index: Int) {
      precondition(released <= index && index <= count, "an insertion at \(index) of \(count) items")
      if index < count {
        let position = start + index
        table.renumber { $0 < position ? $0 : $0 + items.count }
      }
      for (offset, item) in items.enumerated() { _ = table.insert(item.id, position: start + index + offset) }
      storage.insert(contentsOf: items, at: index - released + spent)
    }

    /// Removes the held items at ascending indices.
    mutating func remove(_ indices: [Int]) {
      guard let first = indices.first, let last = indices.last else { return }
      precondition(released <= first && last < count, "\(first)...\(last) of \(count) items")
      for index in indices { table.remove(storage[index - released + spent].id) }
      let positions = indices.map { start + $0 }
      table.renumber { position in
        position > positions[0] ? position - Self.count(of: positions, below: position) : position
      }
      close(indices)
    }

    /// How many of ascending numbers are smaller.
    private static func count(of numbers: [Int], below limit: Int) -> Int {
      if numbers[numbers.count - 1] < limit { return numbers.count }
      var range = 0..<numbers.count
      while !range.isEmpty {
        let middle = (range.lowerBound + range.upperBound) / 2
        range = numbers[middle] < limit ? middle + 1..<range.upperBound : range.lowerBound..<middle
      }
      return range.lowerBound
    }

    /// Closes the positions of removed items.
    private mutating func close(_ indices: [Int]) {
      if indices.count <= 8 {
        for index in indices.reversed() { storage.remove(at: index - released + spent) }
        return
      }
      var gone = indices[...]
      var place = indices[0] - released + spent
      for next in place..<storage.count {
        if gone.first.map({ $0 - released + spent == next }) ?? false {
          gone.removeFirst()
        } else {
          storage.swapAt(place, next)
          place += 1
        }
      }
      storage.removeLast(indices.count)
    }

    /// Moves the held items at these indices, in that order, to a place among the others.
    mutating func move(_ indices: [Int], to place: Int) {
      let sorted = indices.sorted()
      guard let first = sorted.first, let last = sorted.last else { return }
      let low = min(first, place)
      let high = max(last, place + indices.count - 1)
      let run = indices.map { storage[$0 - released + spent] }
      var targets: [Int: Int] = [:]
      for (offset, index) in indices.enumerated() { targets[index] = place + offset }
      let start = start
      table.renumber { position in
        let index = position - start
        guard low <= index, index <= high else { return position }
        let before = Self.count(of: sorted, below: index)
        if before < sorted.count, sorted[before] == index { return start + (targets[index] ?? index) }
        let rest = index - before
        return start + (rest < place ? rest : rest + indices.count)
      }
      close(sorted)
      storage.insert(contentsOf: run, at: place - released + spent)
    }

    private mutating func cutSpent() {
      // A reader who has passed everything holds nothing: neither items nor their room.
      if spent == storage.count { storage = [] } else { storage.removeFirst(spent) }
      spent = 0
    }
  }
}

extension ItemSet.Section {
  mutating func insert(_ items: [Item], _ placement: Edit.Placement) -> EditResult {
    var known: [Item] = []
    var fresh: [Item] = []
    var places: [ItemID: Int] = [:]
    for item in items {
      if index(of: item.id) != nil || hasPassed(item.id) {
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
    for id in result.unknown where index(of: id) != nil || hasPassed(id) { forget(id) }
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

  /// The index to insert before; nil if the item beside it is unknown.
  private func place(_ placement: Edit.Placement, _ result: inout EditResult) -> Int? {
    switch placement {
    case .start: return released
    case .end: return count
    case .before(let id): return heldIndex(of: id, &result)
    case .after(let id): return heldIndex(of: id, &result).map { $0 + 1 }
    }
  }

  /// The index of an item; an unknown id is recorded in the result.
  private func heldIndex(of id: ItemID, _ result: inout EditResult) -> Int? {
    if let index = index(of: id), index >= released { return index }
    result.unknown.append(id)
    return nil
  }

  /// The indices of items, each once, in the order of the ids; unknown ids are recorded in the result.
  private func indices(of ids: [ItemID], _ result: inout EditResult) -> [Int] {
    var named: Set<ItemID> = []
    return ids.compactMap { named.insert($0).inserted ? heldIndex(of: $0, &result) : nil }
  }
}
