extension ItemSet {
  /// One section: a run of positions that can grow both ways, and a table from ids to positions.
  struct Section: Sendable {
    /// Position of the first item; a position never changes while its item is held.
    private(set) var start = 0
    /// Items at the front that were let go.
    private(set) var released = 0
    /// The held items, behind `spent` places that were let go and not yet cut off.
    private var storage: [Item] = []
    private var spent = 0
    private var table = IDTable()

    var count: Int { released + storage.count - spent }
    var end: Int { start + count }
    var heldItems: [Item] { Array(storage[spent...]) }

    func item(at index: Int) -> Item? {
      index >= released && index < count ? storage[index - released + spent] : nil
    }

    func index(of id: ItemID) -> Int? { table.position(of: id).map { $0 - start } }

    /// The position an id has already, or nil when it was new and now has the given one.
    mutating func register(_ id: ItemID, at position: Int) -> Int? {
      table.insert(id, position: position)
    }

    mutating func append(_ item: Item) { storage.append(item) }

    /// Puts items, registered from `start - reserved` on, before the first; unused places are closed.
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

    /// Whether the new form differs from the held one; released items cannot be compared and count as
    /// different.
    mutating func replace(at index: Int, with item: Item) -> Bool {
      guard index >= released, index < count else { return true }
      let place = index - released + spent
      guard storage[place] != item else { return false }
      storage[place] = item
      return true
    }

    mutating func release(before index: Int) {
      let wanted = min(index, count)
      guard wanted > released else { return }
      let nothing = Item(id: .integer(0), bytes: .empty)
      for place in spent..<spent + wanted - released { storage[place] = nothing }
      spent += wanted - released
      released = wanted
      if spent * 2 > storage.count { cutSpent() }
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
      storage.removeSubrange(max(0, range.lowerBound - released)..<max(0, range.upperBound - released))
      released -= gone
    }

    /// Other items in the place of all that are held; the released ones stay before them.
    mutating func setHeldItems(_ items: [Item]) {
      let first = start + released
      table.removeAll { $0 >= first }
      for (offset, item) in items.enumerated() { _ = table.insert(item.id, position: first + offset) }
      storage = items
      spent = 0
    }

    private mutating func cutSpent() {
      storage.removeFirst(spent)
      spent = 0
    }
  }
}
