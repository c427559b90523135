import Items
import Paging

/// The table of a stream in a database that is reached through a driver.
///
/// Changes wait in the store's journal, many at a time; a column begins with the type of its first value and widens with the
/// one that needs it, whatever the batches are: the table depends on the items and their order alone.
final class DestinationTable: StreamTable {
  let name: String
  private unowned let store: DestinationStore
  private let idField: String?
  private let keys: [String]
  /// How the table is; nil while there is none.
  private var schema: TableSchema? {
    didSet { columnCount = schema.map { $0.columns.count + $0.foreign.count } ?? 0 }
  }
  private(set) var columnCount = 0
  /// How it is to begin, once items have come.
  private var plan: TableSchema?
  /// Whether the table is known to be as `schema` says.
  private var isInspected = false
  /// Whether somebody else has altered it.
  private let held: TableHold
  /// Whether its columns are known to be as the source declares them.
  private var isDeclared = false
  /// What the source says that columns are.
  private var types: [String: DeclaredType] { store.types(of: name) }
  private var hasAskedForParts = false
  /// Whether rows may be there that one with an id that does not grow could have the id of.
  private var mayHaveTwins = true
  /// Whether something may keep rows out of the table in silence.
  private var isWatched = false
  /// Whether the last rows were copied right into the table.
  private(set) var isCopied = true
  /// No id that is an integer is greater.
  private var greatestID = Int64.max
  private(set) var lastRow: Int64 = 0
  private var isLastRowKnown = false

  init(_ name: String, idField: String?, keys: [String], _ store: DestinationStore) throws {
    self.name = name
    self.idField = idField
    self.keys = keys
    self.store = store
    held = TableHold(name)
    try store.dialect.check(table: name)
    try store.reading { try self.inspect() }
    if let schema, let refusal = store.refusal(of: schema, of: name) { throw refusal }
  }

  /// The table with all of its rows, for SQL.
  private func table() throws -> String { try store.whole(name) }

  var countsRows: Bool { schema?.countsRows ?? plan?.countsRows ?? false }
  var isCounted: Bool? { (schema ?? plan)?.isCounted }
  var hasParts: Bool { hasAskedForParts || schema?.has(column: SinkRow.partColumn) == true }

  var isAdopted: Bool { schema?.isAdopted == true }
  var hasUUIDs: Bool { schema?.hasUUIDs == true }

  func hasRows() throws -> Bool {
    try store.reading { _ in try self.schema != nil && self.store.hasRows(self.name) }
  }

  func addPart() throws {
    guard !hasParts else { return }
    hasAskedForParts = true
    let part = isAdopted ? "NULL" : "\(try StateTables.firstPart(of: name, in: store.memory))"
    store.add { try self.addPart(part) }
  }

  func write(_ items: [Item], as row: SinkRow) throws {
    guard !items.isEmpty else { return }
    try prepare(for: items, row)
    store.add(.rows(TableRows(items, row, first: row.isNumbered ? lastRow + 1 : nil)), to: self)
    if row.isNumbered { lastRow += Int64(items.count) }
  }

  func apply(_ operations: [ItemOperation], as row: SinkRow) throws {
    try prepare(for: operations.compactMap(\.item), row)
    var items: [Item] = []
    func add() {
      if !items.isEmpty { store.add(.rows(TableRows(items, row)), to: self) }
      items = []
    }
    for operation in operations {
      switch operation {
      case .insert(let item, _), .update(let item, _): items.append(item)
      case .remove(let id, _):
        add()
        store.add(.removal(id, ofPart: row.part), to: self)
      case .move: break
      }
    }
    add()
  }

  func remove(_ id: ItemID, ofPart part: Int?) throws { store.add(.removal(id, ofPart: part), to: self) }

  /// Has the table begin as its first items need it, and numbers go on where they stopped.
  private func prepare(for items: [Item], _ row: SinkRow) throws {
    guard !items.isEmpty else { return }
    if schema == nil, plan == nil {
      plan = try TableSchema(for: items, row, idField: idField, types: types, of: name, store.dialect)
    }
    guard row.isNumbered else { return }
    guard countsRows else {
      throw HostFailure(
        .invalid,
        "the table \(name.escapingControls) has one row for each \((schema ?? plan)?.key.escapingControls ?? ""), and these "
          + "items are only counted (they have no ids, or --write append keeps all): write them into a table of their own"
      )
    }
    guard !isLastRowKnown else { return }
    isLastRowKnown = true
    lastRow = try store.reading { connection in
      guard let key = self.schema?.key.asIdentifier else { return 0 }
      return try connection.first("SELECT coalesce(max(\(key)), 0) FROM \(self.table())") {
        $0.integer(0) ?? 0
      }
        ?? 0
    }
  }

  func removeAll(ofPart part: Int?, reading: Int?, above row: Int64?) throws {
    isLastRowKnown = false
    store.add { try self.delete(part, reading, row) }
  }

  private func delete(_ part: Int?, _ reading: Int?, _ row: Int64?) throws {
    guard let schema else { return }
    var conditions = [schema.condition(ofPart: part)]
    if let reading, schema.has(column: SinkRow.readingColumn) {
      conditions.append("\(SinkRow.readingColumn.asIdentifier) = \(reading)")
    }
    if let row { conditions.append("\(schema.key.asIdentifier) > \(row)") }
    try store.execute("DELETE FROM \(table()) WHERE \(conditions.joined(separator: " AND "))")
  }

  func countOthers() throws -> Int {
    guard hasParts else { return 0 }
    try store.reading { _ in }
    let query = "SELECT count(*) FROM \(try table()) WHERE \(SinkRow.partColumn.asIdentifier) IS NULL"
    return Int(try store.connection.first(query) { $0.integer(0) ?? 0 } ?? 0)
  }

  func forEachID(ofPart part: Int?, _ body: (ItemID) throws -> Void) throws {
    try store.reading { _ in }
    guard let schema else { return }
    let type = store.dialect.declaration(of: schema.keyType == .integer ? .integer : .text)
    try store.connection.forEachRow(
      "SELECT CAST(\(schema.key.asIdentifier) AS \(type)) FROM \(table()) WHERE \(schema.condition(ofPart: part))"
    ) { row in
      if schema.keyType == .integer {
        if let number = row.integer(0) { try body(.integer(number)) }
      } else if let text = row.text(0) {
        try body(.text(text))
      }
    }
  }
}

/// What happens as the journal is executed, inside a transaction.
extension DestinationTable {
  /// What was done since the last commit is undone: the table is looked at anew.
  func forget() {
    (isInspected, isDeclared) = (false, false)
    mayHaveTwins = true
    greatestID = .max
  }

  /// Makes changes, in their order.
  func execute(_ changes: [TableChange]) throws {
    try hold()
    for changes in TableChanges.divided(changes) {
      switch changes {
      case .removals(let ids, let part): try delete(ids, ofPart: part)
      case .rows(let rows):
        if schema == nil { try create() }
        if !isDeclared { try declare() }
        if var schema, let isCounted = schema.isCounted, isCounted != rows.areCounted {
          schema.setCounted(!isCounted)
          try change(to: schema)
        }
        try write(rows)
      }
    }
    try held.settle(in: store)
  }

  /// Has nobody else alter the table until the transaction ends, and looks at it anew if somebody has since it was looked at.
  private func hold() throws {
    try inspect()
    guard try !held.hold(ifThere: schema != nil, in: store) else { return }
    forget()
    try inspect()
  }

  private func inspect() throws {
    guard !isInspected else { return }
    try held.begin(in: store)
    schema = try store.schema(of: name, keys: keys)
    isWatched = try schema != nil && store.isWatched(name)
    mayHaveTwins = try schema != nil && store.hasRows(name)
    greatestID = mayHaveTwins ? .max : .min
    if mayHaveTwins, let schema, schema.keyType == .integer {
      let query = try "SELECT max(\(schema.key.asIdentifier)) FROM \(table())"
      greatestID = try store.connection.first(query) { $0.integer(0) ?? .max } ?? .max
    }
    isInspected = true
  }

  private func create() throws {
    guard let plan else { preconditionFailure("no item was seen of \(name)") }
    let key = "\(plan.key.asIdentifier) \(store.dialect.declaration(of: plan.keyType))"
    try store.execute("CREATE TABLE \(table()) (\(key)\(store.dialect.refusesTwins ? " PRIMARY KEY" : ""))")
    store.hasMade(table: name)
    schema = plan
    held.alter()
    try store.keep(plan, of: name)
    (mayHaveTwins, greatestID) = (false, .min)
  }

  /// Makes the columns that the source declares, and gives them their types.
  private func declare() throws {
    isDeclared = true
    guard var schema else { return }
    for (member, declared) in types.sorted(by: { $0.key < $1.key }) {
      let type = ColumnType(declared)
      _ = schema.claim(member, store.dialect)
      guard let place = schema.place(of: member) else {
        let column = schema.add(member, type, choice: .source, store.dialect)
        let declaration = "\(column.name.asIdentifier) \(store.dialect.declaration(of: type))"
        try store.execute("ALTER TABLE \(table()) ADD COLUMN \(declaration)")
        continue
      }
      let column = schema.columns[place]
      if column.type != type { try retype(column, as: type) }
      let isDecimal = if case .decimal = type { true } else { false }
      if column.declared == nil || isDecimal { schema.fix(place, as: type) }
    }
    if schema != self.schema { try change(to: schema) }
  }

  /// Gives a column that is there another type, if that loses nothing.
  private func retype(_ column: TableSchema.Column, as type: ColumnType) throws {
    let isLossless =
      switch (column.type, type) {
      case (_, .text): true
      case (.timestamp, .timestamp(6)): true
      case (.integer, .real): try widening().isSmall(column.name)
      default: false
      }
    guard isLossless, column.declared == nil, column.name != schema?.key || type == .text else {
      throw HostFailure.declaredOtherwise(column, of: name, as: type)
    }
    _ = try widening().widen(column.name, from: column.type, to: type)
  }

  private func addPart(_ part: String) throws {
    try hold()
    guard var schema, !schema.has(column: SinkRow.partColumn) else { return }
    let column = schema.add(nil, named: SinkRow.partColumn, .integer, store.dialect)
    let declaration = "\(column.name.asIdentifier) \(store.dialect.declaration(of: .integer)) DEFAULT \(part)"
    try store.execute("ALTER TABLE \(table()) ADD COLUMN \(declaration)")
    try change(to: schema)
    try held.settle(in: store)
  }

  private func change(to new: TableSchema) throws {
    try store.keep(new, of: name)
    schema = new
    held.alter()
    try store.makeRoom()
  }

  /// Deletes the rows of ids, unless they are of another part.
  private func delete(_ ids: [ItemID], ofPart part: Int?) throws {
    guard let schema else { return store.moved.note(absent: ids.count, in: name) }
    let column = ColumnBuilder(ids, isInteger: schema.keyType == .integer)
    let count = column.count
    guard count > 0 else { return store.moved.note(absent: ids.count, in: name) }
    try store.makeRoom(merging: true)
    try store.withBatch(BuiltRows([column], count: count)) { batch in
      let id = store.dialect.value(
        "id", as: schema.keyType, declared: schema.columns.first { $0.name == schema.key }?.declared)
      let isGone = "\(schema.key.asIdentifier) IN (SELECT \(id) FROM \(batch))"
      let rows = try "FROM \(table()) WHERE \(isGone) AND coalesce(\(schema.condition(ofPart: part)), true)"
      let there = try store.connection.first("SELECT count(*) \(rows)") { $0.integer(0) ?? 0 } ?? 0
      store.moved.note(absent: ids.count - Int(there), in: name)
      try store.execute("DELETE \(rows)")
    }
  }

  private func write(_ rows: [TableRows]) throws {
    let isNumbered = rows.areCounted
    let isGrowing = rows.areGrowing(from: &greatestID) && schema?.keyType == .integer
    let canRefuse = store.dialect.refusesTwins
    var rest = rows[...]
    isCopied = true
    while !rest.isEmpty, isCopied {
      isCopied =
        store.dialect.takesRows && !isWatched && (isNumbered || isGrowing || canRefuse && !mayHaveTwins)
      // Where columns have no names, their places have to be right.
      if let schema { isCopied = isCopied && !schema.hasForeignTypes && (canRefuse || schema.isInOrder) }
      if isCopied { isCopied = try copy(&rest, isWhole: !canRefuse) }
    }
    try merge(rest, isNew: isNumbered || isGrowing && !canRefuse)
  }

  /// Copies rows from the front right into the table, as many as go at once; false if it has columns that they say nothing of,
  /// and has to know them.
  private func copy(_ rows: inout ArraySlice<TableRows>, isWhole: Bool) throws -> Bool {
    let (built, taken, change) = try build(&rows, upTo: store.link.portion) { !isWhole || $0.isWhole }
    guard let built else { return false }
    if built.count > 0 { try store.copy(built.release(), of: taken, into: self) }
    if let change { try apply(change) }
    return true
  }

  /// Merges rows with those that are there.
  func merge(_ rows: [TableRows]) throws {
    mayHaveTwins = true
    try merge(rows[...], isNew: false)
  }

  private func merge(_ rows: ArraySlice<TableRows>, isNew: Bool) throws {
    guard let form = schema?.form else { return }
    for part in isNew ? [rows] : Array(rows).withoutTwins(by: form).map({ $0[...] }) {
      var rest = part
      while !rest.isEmpty {
        let (built, _, change) = try build(&rest, upTo: .max) { _ in true }
        if let built, built.count > 0 { try insert(built, isNew: isNew) }
        if let change { try apply(change) }
      }
    }
  }

  /// Takes rows from the front, up to one that does not fit; nil, and none are taken, if the builder is of no use.
  private func build(
    _ rows: inout ArraySlice<TableRows>, upTo most: Int, _ isUseful: (RowBuilder) -> Bool
  ) throws -> (built: RowBuilder?, taken: [TableRows], change: RowBuilder.Change?) {
    guard let schema, let first = rows.first else { preconditionFailure("no row, or no table") }
    let built = RowBuilder(schema, like: first.row, store.dialect, table: name)
    guard isUseful(built) else { return (nil, [], nil) }
    var taken: [TableRows] = []
    while built.count < most, !built.isFull, let next = rows.popFirst() {
      let (count, change) = try built.append(next, upTo: most - built.count)
      if count > 0 { taken.append(next.prefix(count)) }
      if count < next.items.count { rows = [next.dropFirst(count)] + rows }
      if let change { return (built, taken, change) }
    }
    return (built, taken, nil)
  }

  /// Changes the table as a row needs it.
  private func apply(_ change: RowBuilder.Change) throws {
    guard var schema else { return }
    switch change {
    case .add(let member, let name, let wanted):
      if let member, schema.claim(member, store.dialect) { break }
      let type = store.type(of: wanted)
      let column = schema.add(member, named: name, type, store.dialect)
      try store.dialect.check(columns: schema.columns.count + schema.foreign.count, of: self.name)
      let declaration = store.dialect.declaration(of: type)
      try store.execute("ALTER TABLE \(table()) ADD COLUMN \(column.name.asIdentifier) \(declaration)")
    case .widen(let place, let type):
      let column = schema.columns[place]
      schema.widen(place, to: try widening().widen(column.name, from: column.type, to: type))
    }
    try self.change(to: schema)
  }

  private func widening() throws -> ColumnWidening { ColumnWidening(try table(), store) }

  private func insert(_ built: RowBuilder, isNew: Bool) throws {
    guard let schema else { return }
    let count = built.count
    if !isNew { try store.makeRoom(merging: true) }
    let names = Set(built.written.map(\.name))
    let written = schema.columns.filter { names.contains($0.name) }
    let columns = written.map { column in
      let name = column.name.asIdentifier
      let value = store.dialect.value("_lookahead_new.\(name)", as: column.type, declared: column.declared)
      return (name: name, value: value)
    }
    try store.withBatch(built.release()) { batch in
      let merge = try Merge(
        table: table(), batch: batch, key: schema.key.asIdentifier, columns: columns, isNew: isNew,
        isWhole: written.count == schema.columns.count && schema.foreign.isEmpty,
        isComparable: !schema.hasForeignTypes && !isWatched)
      try store.moved.count(merge, in: name, over: store.connection)
      try MisfitSearch(merge, written, table: name, store).guarding {
        if isWatched { return try WatchedMerge(merge, count: count, table: name, store).run() }
        for sql in store.dialect.merge(merge) { try store.execute(sql) }
      }
    }
  }
}
