import Items

/// Rows that a delivery has brought.
struct TableRows {
  let items: ArraySlice<Item>
  let row: SinkRow
  /// The number of the first, where rows are counted.
  let first: Int64?

  init(_ items: [Item], _ row: SinkRow, first: Int64? = nil) {
    self.init(items[...], row, first: first)
  }

  private init(_ items: ArraySlice<Item>, _ row: SinkRow, first: Int64?) {
    (self.items, self.row, self.first) = (items, row, first)
  }

  /// What finds each, in order.
  func forEachID(_ body: (ItemID) -> Void) {
    if let first {
      for place in items.indices { body(.integer(first + Int64(place - items.startIndex))) }
    } else {
      for place in items.indices { body(items[place].id) }
    }
  }

  /// So many from the front.
  func prefix(_ count: Int) -> TableRows { TableRows(items.prefix(count), row, first: first) }

  /// Those behind so many.
  func dropFirst(_ count: Int) -> TableRows {
    TableRows(items.dropFirst(count), row, first: first.map { $0 + Int64(count) })
  }
}

/// A change of a table that waits for the next commit.
enum TableChange {
  case rows(TableRows)
  /// Of an id whose row is not of another part than this one.
  case removal(ItemID, ofPart: Int?)

  /// Rows that it brings.
  var rowCount: Int {
    if case .rows(let rows) = self { rows.items.count } else { 0 }
  }

  /// Bytes that wait with it.
  var byteCount: Int {
    guard case .rows(let rows) = self else { return 16 }
    var count = 0
    for place in rows.items.indices { count += rows.items[place].bytes.count }
    return count
  }
}

/// Changes of a table that can be made together: all rows have the same columns of our own, and all ids are gone from the same part.
enum TableChanges {
  case rows([TableRows])
  case removals([ItemID], ofPart: Int?)

  /// Changes that follow each other, divided.
  static func divided(_ changes: [TableChange]) -> [TableChanges] {
    var divided: [TableChanges] = []
    var (rows, removals): ([TableRows], [ItemID]) = ([], [])
    var part: Int?
    func cut() {
      if !rows.isEmpty { divided.append(.rows(rows)) }
      if !removals.isEmpty { divided.append(.removals(removals, ofPart: part)) }
      (rows, removals) = ([], [])
    }
    for change in changes {
      switch change {
      case .rows(let more):
        let isAlike = rows.last.map { $0.row.isLike(more.row) } ?? removals.isEmpty
        if !isAlike { cut() }
        rows.append(more)
      case .removal(let id, let ofPart):
        if !rows.isEmpty || part != ofPart { cut() }
        part = ofPart
        removals.append(id)
      }
    }
    cut()
    return divided
  }
}

extension [TableRows] {
  /// These, divided so that no id comes twice in one part, in whatever form the table keeps it.
  func withoutTwins(by form: (ItemID) -> ItemID) -> [[TableRows]] {
    var greatest = Int64.min
    if areGrowing(from: &greatest) { return [self] }
    var divided: [[TableRows]] = []
    var (part, seen): ([TableRows], Set<ItemID>) = ([], [])
    for rows in self {
      var (rest, count) = (rows, 0)
      rows.forEachID { id in
        let id = form(id)
        if !seen.insert(id).inserted {
          if count > 0 { part.append(rest.prefix(count)) }
          if !part.isEmpty { divided.append(part) }
          rest = rest.dropFirst(count)
          (part, seen, count) = ([], [id], 0)
        }
        count += 1
      }
      part.append(rest)
    }
    return divided + [part]
  }

  /// Whether they are of items without ids.
  var areCounted: Bool { first?.first != nil }

  /// Whether the ids are integers that only grow, from one that is greater than `greatest`, which becomes the greatest of
  /// all in any case: beyond all integers where one is a text.
  func areGrowing(from greatest: inout Int64) -> Bool {
    var (last, most, isGrowing) = (greatest, greatest, true)
    for rows in self {
      rows.forEachID { id in
        guard case .integer(let number) = id else { return (isGrowing, most) = (false, .max) }
        if number <= last { isGrowing = false }
        last = number
        most = Swift.max(most, number)
      }
    }
    greatest = most
    return isGrowing
  }
}
