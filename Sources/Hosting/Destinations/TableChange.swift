import Items

/// A row that is to be written.
struct TableRow {
  let item: Item
  let row: SinkRow
  /// Its number, where rows are counted.
  let number: Int64?

  /// What finds it.
  var id: ItemID { number.map { .integer($0) } ?? item.id }
}

/// A change of a table that waits for the next commit.
enum TableChange {
  case row(TableRow)
  case removal(ItemID)

  /// Bytes that wait with it.
  var byteCount: Int { if case .row(let row) = self { row.item.bytes.count } else { 16 } }
}

/// Changes of a table that can be made at once: no id comes twice, and all rows have the same columns of our own.
enum TableChanges {
  case rows([TableRow])
  case removals([ItemID])

  /// Changes that follow each other, divided.
  static func divided(_ changes: [TableChange]) -> [TableChanges] {
    var divided: [TableChanges] = []
    var rows: [TableRow] = []
    var removals: [ItemID] = []
    var seen: Set<ItemID>? = mayRepeat(changes) ? [] : nil
    func cut() {
      if !rows.isEmpty { divided.append(.rows(rows)) }
      if !removals.isEmpty { divided.append(.removals(removals)) }
      (rows, removals) = ([], [])
      if seen != nil { seen = [] }
    }
    for change in changes {
      switch change {
      case .row(let row):
        let isAlike = rows.last.map { $0.row.isLike(row.row) } ?? removals.isEmpty
        if !isAlike || seen?.contains(row.id) == true { cut() }
        seen?.insert(row.id)
        rows.append(row)
      case .removal(let id):
        if !rows.isEmpty { cut() }
        removals.append(id)
      }
    }
    cut()
    return divided
  }

  /// Whether an id may come twice: it can't where they only grow.
  private static func mayRepeat(_ changes: [TableChange]) -> Bool {
    var greatest: Int64?
    for change in changes {
      guard case .row(let row) = change, case .integer(let id) = row.id else { return true }
      if let greatest, id <= greatest { return true }
      greatest = id
    }
    return false
  }
}
