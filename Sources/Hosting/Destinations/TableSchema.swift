import Items
import JSON
import Paging

/// The columns of a stream's table in a database that has types, with the members of the items that they hold.
///
/// It is kept beside the table, so that what another one has changed there is seen, and columns of somebody else stay as they
/// are.
struct TableSchema: Equatable {
  struct Column: Equatable {
    let name: String
    /// Nil for the key, where no member is the id, and for columns of our own.
    let member: String?
    var type: ColumnType
    /// Whether it only counts the rows, whose items have no ids.
    var isCounter = false
    /// Who has chosen its type, which then does not widen; nil where values do.
    var choice: Choice?

    /// Whether it keeps its type whatever the source says later: no value begins with a decimal.
    var isFixed: Bool {
      if case .decimal = type { return true }
      return declared != nil
    }

    /// What the database calls its type, where somebody else has chosen it.
    var declared: String? { if case .database(let name) = choice { name } else { nil } }
  }

  /// Who has chosen the type of a column.
  enum Choice: Equatable {
    /// The source.
    case source
    /// Whoever made the column, by the database's name of it.
    case database(String)
  }

  /// What the database asks of a column.
  struct Rule: Equatable {
    var isNeverNull = false
    /// Whether it has a value where none is given.
    var hasDefault = false
    /// How the database fills it itself, as SQL has it; nil where it takes values.
    var filling: String?
  }

  /// The column of the ids.
  let key: String
  /// What the database asks of columns, by their names.
  var rules: [String: Rule] = [:]
  private(set) var columns: [Column]
  /// Columns that somebody else has added.
  private(set) var foreign: [String] = []
  /// Whether the table has just these columns, in their order.
  private(set) var isInOrder = true

  /// Whether somebody else has made the table: then members have the columns that are there.
  private(set) var isAdopted = false
  /// Those columns that no item has had a member for yet, with their types: they stay as they are.
  private var unclaimed: [String: String] = [:]
  /// By the bytes of members: texts of Swift are equal where Unicode writes the same in two ways.
  private var places: [[UInt8]: Int] = [:]

  /// The primary key if no member is the id.
  static let ownKey = SinkRow.ownKey

  /// That of a table that is yet to be made.
  init(key: String, isMember: Bool, type: ColumnType, isCounter: Bool) {
    self.key = key
    columns = [Column(name: key, member: isMember ? key : nil, type: type, isCounter: isCounter)]
    index()
  }

  /// That of a table which somebody else has made, whose columns keep their types.
  init(adopting declared: [(name: String, type: String)], key: String, _ dialect: any Dialect) {
    self.key = key
    columns = []
    isAdopted = true
    for (name, type) in declared {
      let isOurs = name == TableSchema.ownKey || SinkRow.isOurs(name)
      if isOurs || name == key {
        let choice = Choice.database(type)
        columns.append(
          Column(
            name: name, member: isOurs ? nil : name, type: dialect.type(ofDeclared: type), choice: choice))
      } else {
        foreign.append(name)
        unclaimed[name] = type
      }
    }
    index()
  }

  var keyType: ColumnType { columns.first { $0.name == key }?.type ?? .text }

  /// Whether the ids are UUIDs, which the database gives back in one form.
  var hasUUIDs: Bool { if case .other(let name) = keyType { name.lowercased() == "uuid" } else { false } }

  /// The same for all ids that are one in the column of the ids: `1` and `"1"`, and UUIDs in whatever form.
  func form(of id: ItemID) -> ItemID {
    guard case .text(let text) = id, case .other = keyType else { return id.canonical }
    return (hasUUIDs ? id.canonicalUUID : nil) ?? .text(text.lowercased())
  }

  /// Whether the database counts its rows, or rather we do.
  var countsRows: Bool { key == TableSchema.ownKey && keyType == .integer }

  /// Whether its rows are only counted; nil where that is not known, or can't be.
  var isCounted: Bool? {
    guard !isAdopted, key == TableSchema.ownKey else { return nil }
    return columns.first { $0.name == key }?.isCounter
  }

  /// Notes whether its rows are only counted.
  mutating func setCounted(_ isCounted: Bool) {
    for place in columns.indices where columns[place].name == key { columns[place].isCounter = isCounted }
  }

  /// Whether a column is of a type that only the database can make of what is copied in.
  var hasForeignTypes: Bool {
    columns.contains { column in
      switch column.type {
      case .other, .decimal: true
      case .boolean, .integer, .real, .date, .timestamp, .json, .text, .bytes: column.declared != nil
      }
    }
  }

  /// The place of a member's column.
  func place(of member: String) -> Int? { places[Array(member.utf8)] }

  /// What is true of the rows of a part, and of all where none is given, or rows do not say it.
  func condition(ofPart part: Int?) -> String {
    guard let part, has(column: SinkRow.partColumn) else { return "true" }
    return "\(SinkRow.partColumn.asIdentifier) = \(part)"
  }

  func has(column: String) -> Bool { columns.contains { $0.name == column } }

  /// Adds a column for a member, or one of our own, and returns it.
  mutating func add(
    _ member: String?, named name: String? = nil, _ type: ColumnType, choice: Choice? = nil,
    _ dialect: any Dialect
  ) -> Column {
    let wanted = (name ?? member ?? "").replacing("\0", with: "\u{FFFD}")
    // Ours are found by their names.
    let column = Column(
      name: member == nil ? wanted : free(wanted, dialect), member: member, type: type, choice: choice)
    columns.append(column)
    index()
    return column
  }

  /// Whether there is a column of that name which no item has had a member for.
  func hasUnclaimed(_ member: String) -> Bool { unclaimed[member] != nil }

  /// Whether each row needs a value for a column; what no member fills may have a default.
  func needsValue(_ column: String, isFilled: Bool) -> Bool {
    guard let rule = rules[column], rule.isNeverNull, rule.filling == nil, column != key else { return false }
    return isFilled || !rule.hasDefault
  }

  /// Has a member take the column of its name that is there; false if there is none.
  mutating func claim(_ member: String, _ dialect: any Dialect) -> Bool {
    guard let type = unclaimed.removeValue(forKey: member) else { return false }
    foreign.removeAll { $0 == member }
    columns.append(
      Column(
        name: member, member: member, type: dialect.type(ofDeclared: type), choice: .database(type)))
    index()
    return true
  }

  /// Gives a column another type.
  mutating func widen(_ place: Int, to type: ColumnType) { columns[place].type = type }

  /// Gives a column the type that the source declares.
  mutating func fix(_ place: Int, as type: ColumnType) {
    (columns[place].type, columns[place].choice) = (type, .source)
  }

  /// The name, or one with a number if a database that ignores case would confuse it with another one.
  private func free(_ wanted: String, _ dialect: any Dialect) -> String {
    let name = wanted.isEmpty ? "_" : wanted
    var candidate = dialect.shortened(name)
    var number = 2
    let taken = columns.map(\.name) + foreign
    while taken.contains(where: { $0.lowercased() == candidate.lowercased() })
      || candidate == TableSchema.ownKey || SinkRow.isOurs(candidate) || dialect.reserves(candidate)
    {
      let ending = "_\(number)"
      candidate = dialect.shortened(name, leaving: ending.utf8.count) + ending
      number += 1
    }
    return candidate
  }

  private mutating func index() {
    places = [:]
    for (place, column) in columns.enumerated() {
      if let member = column.member { places[Array(member.utf8)] = place }
    }
  }
}

/// What is kept of it.
extension TableSchema {
  /// As JSON.
  var text: String {
    var writer = JSONWriter()
    writer.object {
      $0.member("key", key)
      if isAdopted { $0.member("isAdopted", true) }
      $0.key("columns")
      $0.array { list in
        for column in columns {
          list.object {
            $0.member("name", column.name)
            if let member = column.member { $0.member("member", member) }
            if column.isCounter { $0.member("isCounted", true) }
            if column.isFixed { $0.member("isFixed", true) }
            if case .other = column.type { return }
            $0.member("type", column.type.name)
          }
        }
      }
    }
    return writer.bytes().string
  }

  /// The columns that say nothing outside of the database, as `text` has them: the number of a part, and that of a row that is
  /// only counted. Of a table that has no others, none.
  static func hidden(_ text: String) -> [String] {
    guard let tree = try? JSONTree(text), case .list(let list)? = tree["columns"] else { return [] }
    let own = list.filter { column in
      let name = column["name"]?.text
      return name == SinkRow.partColumn && column["member"] == nil
        || name == ownKey && tree["key"]?.text == ownKey && column["isCounted"] == .boolean(true)
    }
    return own.count < list.count ? own.compactMap { $0["name"]?.text } : []
  }

  /// Reads what `text` gave, for a table that has these columns now; nil if it is damaged, or the key is gone.
  init?(text: String, declared: [(name: String, type: String)], _ dialect: any Dialect) {
    guard let tree = try? JSONTree(text), let key = tree["key"]?.text,
      case .list(let list)? = tree["columns"]
    else { return nil }
    self.key = key
    columns = []
    var rest = declared
    for entry in list {
      guard let name = entry["name"]?.text else { return nil }
      guard let place = rest.firstIndex(where: { $0.name == name }) else { continue }
      let there = rest.remove(at: place).type
      let kept = entry["type"]?.text.flatMap(ColumnType.init(name:))
      let own = kept.flatMap { dialect.isDeclared(there, as: $0) ? $0 : nil }
      let isFixed = own == nil || entry["isFixed"] == .boolean(true)
      columns.append(
        Column(
          name: name, member: entry["member"]?.text, type: own ?? dialect.type(ofDeclared: there),
          isCounter: entry["isCounted"] == .boolean(true), choice: isFixed ? .database(there) : nil))
    }
    foreign = rest.map(\.name)
    isInOrder = declared.map(\.name) == columns.map(\.name)
    isAdopted = tree["isAdopted"] == .boolean(true)
    if isAdopted { for (name, type) in rest { unclaimed[name] = type } }
    guard has(column: key) else { return nil }
    index()
  }
}
