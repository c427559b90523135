import Items
import Paging

/// Items that wait in a destination until they may be seen, as texts of JSON.
struct DestinationAside: WaitingItems {
  private let owner: Int
  private unowned let store: DestinationStore

  init(_ owner: Int, _ store: DestinationStore) {
    self.owner = owner
    self.store = store
  }

  private var table: String { DestinationAside.table(in: store) }
  static func table(in store: DestinationStore) -> String {
    store.dialect.table("_lookahead_aside", in: store.schema)
  }

  /// Makes the table.
  static func make(in store: DestinationStore) throws {
    let (number, text) = (store.dialect.declaration(of: .integer), store.dialect.declaration(of: .text))
    try store.execute(
      """
      CREATE TABLE \(table(in: store)) ("row_number" \(number)\(store.dialect.refusesTwins ? " PRIMARY KEY" : ""), \
      "owner" \(number), "stream" \(text), "id" \(number), "text_id" \(text), "item" \(text))
      """)
  }

  var lastRow: Int64 { store.lastAsideRow }

  func add(_ items: [Item], stream: String?, isNumbered: Bool) throws {
    guard !items.isEmpty else { return }
    if store.lastAsideRow < 0 {
      let table = table
      store.lastAsideRow = try store.reading { connection in
        guard try store.has(table: "_lookahead_aside") else { return 0 }
        return try connection.first("SELECT coalesce(max(\"row_number\"), 0) FROM \(table)") {
          $0.integer(0) ?? 0
        } ?? 0
      }
    }
    let first = store.lastAsideRow + 1
    store.lastAsideRow += Int64(items.count)
    store.add(AsideItems(items: items, first: first, owner: owner, stream: stream, isNumbered: isNumbered))
  }

  func forEach(_ body: (_ items: [Item], _ stream: String?, _ isNumbered: Bool) throws -> Void) throws {
    guard let (first, last, all) = try store.reading({ try extent($0) }) else { return }
    guard first >= 0, last <= Int64(StoredFields.most) else { throw HostFailure.damaged("row_number") }
    // By their numbers, between which are those of others: to look for the next ones would be to read all that are left, again and again.
    let spread = Double(last - first + 1) / Double(all)
    var (next, count) = (first, DestinationAside.mostRows / 20)
    while next <= last {
      let end = next + max(1, Int64(Double(count) * spread))
      let rows = try store.reading { try self.rows(next..<end, over: $0) }
      next = end
      guard !rows.isEmpty else { continue }
      let size = rows.reduce(1) { $0 + $1.item.bytes.count }
      count = min(max(rows.count * DestinationAside.portion / size, 1), DestinationAside.mostRows)
      var start = 0
      for end in 1...rows.count {
        if end < rows.count, rows[end].stream == rows[start].stream,
          rows[end].isNumbered == rows[start].isNumbered
        {
          continue
        }
        try body(rows[start..<end].map(\.item), rows[start].stream, rows[start].isNumbered)
        start = end
      }
      try store.spillIfLarge()
    }
  }

  /// The numbers of its first and its last row, and how many there are; nil if there are none.
  private func extent(_ connection: ADBCConnection) throws -> (first: Int64, last: Int64, count: Int64)? {
    let query =
      "SELECT min(\"row_number\"), max(\"row_number\"), count(*) FROM \(table) WHERE \"owner\" = \(owner)"
    return try connection.first(query) { row in
      guard let first = row.integer(0), let last = row.integer(1), let count = row.integer(2) else {
        return nil
      }
      return (first, last, count)
    } ?? nil
  }

  /// Its rows with these numbers, in order.
  private func rows(
    _ numbers: Range<Int64>, over connection: ADBCConnection
  ) throws -> [(item: Item, stream: String?, isNumbered: Bool)] {
    var rows: [(Item, stream: String?, isNumbered: Bool)] = []
    try connection.forEachRow(
      """
      SELECT "stream", "id", "text_id", "item" FROM \(table) WHERE "owner" = \(owner) \
      AND "row_number" >= \(numbers.lowerBound) AND "row_number" < \(numbers.upperBound) ORDER BY "row_number"
      """
    ) { row in
      let id = row.text(2).map { ItemID.text($0) } ?? row.integer(1).map { .integer($0) }
      let item = Item(
        id: id ?? .integer(0), bytes: row.bytes(3).map { Bytes(copying: $0) } ?? Bytes("null"))
      rows.append((item, row.text(0), id == nil))
    }
    return rows
  }

  /// Bytes that are read together, and rows.
  private static let (portion, mostRows) = (4 << 20, 5000)

  func clear(above row: Int64?) throws {
    let (table, owner) = (table, owner)
    store.add { [store] in
      try store.execute("DELETE FROM \(table) WHERE \"owner\" = \(owner) AND \"row_number\" > \(row ?? -1)")
    }
  }

  func forget(_ id: ItemID) throws {
    let (table, owner) = (table, owner)
    let condition =
      switch id {
      case .integer(let number): "\"id\" = \(number)"
      case .text(let text): "\"text_id\" = \(text.asLiteral)"
      }
    store.add { [store] in
      try store.execute("DELETE FROM \(table) WHERE \"owner\" = \(owner) AND \(condition)")
    }
  }
}

/// Items that are set aside together, with numbers that count on from the first one's.
struct AsideItems {
  let items: [Item]
  let first: Int64
  let owner: Int
  let stream: String?
  let isNumbered: Bool

  /// Writes them.
  static func write(_ all: [AsideItems], in store: DestinationStore) throws {
    let columns = [
      ColumnBuilder("row_number", .integer), ColumnBuilder("owner", .integer), ColumnBuilder("stream", .text),
      ColumnBuilder("id", .integer), ColumnBuilder("text_id", .text), ColumnBuilder("item", .text),
    ]
    for some in all { some.append(to: columns) }
    let names = columns.map(\.name.asIdentifier).joined(separator: ", ")
    try store.withBatch(BuiltRows(columns, count: columns[0].count)) { batch in
      try store.execute(
        "INSERT INTO \(DestinationAside.table(in: store)) (\(names)) SELECT \(names) FROM \(batch)")
    }
  }

  private func append(to columns: [ColumnBuilder]) {
    for (place, item) in items.enumerated() {
      columns[0].append(first + Int64(place))
      columns[1].append(Int64(owner))
      if let stream { columns[2].append(stream) } else { columns[2].appendNull() }
      switch item.id {
      case .integer(let number) where !isNumbered:
        columns[3].append(number)
        columns[4].appendNull()
      case .text(let text) where !isNumbered:
        columns[3].appendNull()
        columns[4].append(text)
      case .integer, .text:
        columns[3].appendNull()
        columns[4].appendNull()
      }
      item.bytes.withUnsafeBytes { columns[5].append($0) }
    }
  }
}
