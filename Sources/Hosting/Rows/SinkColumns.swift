import Glibc
import Items
import JSON

/// What the first items of a table have in common.
struct SinkSurvey: ~Copyable {
  /// The members in order of appearance, with the common type of their values; nil if all are null.
  private(set) var types: [(member: String, type: SinkColumnType?)] = []
  /// Whether each item's id is its member of the given name.
  private(set) var isIDInField: Bool
  /// Whether an item has a member named like our own key that is not its id.
  private(set) var hasStrayKey = false
  private let idField: String?
  private var idTypeSeen: SinkColumnType?
  private var members = SinkColumns()
  private var reader = JSONReader()

  init(idField: String?) {
    self.idField = idField
    isIDInField = idField != nil
  }

  /// The type of the ids.
  var idType: SinkColumnType { idTypeSeen ?? .any }

  /// Adds one more item.
  mutating func see(_ item: Item) throws(SinkError) {
    idTypeSeen = .common(idTypeSeen, SinkColumnType(of: item.id))
    let idPlace = idField.flatMap { members.place(of: $0) }
    var isIDFound = false
    try item.bytes.withUnsafeBytes { bytes throws(SinkError) in
      var likely = 0
      for member in try ItemMembers(bytes, of: item.id, &reader) {
        let place = place(of: member, likely: likely)
        likely = place + 1
        types[place].type = .common(types[place].type, SinkColumnType(of: member.value))
        if place == idPlace || idPlace == nil && types[place].member == idField {
          isIDFound = member.value.isID(item.id)
        }
        if types[place].member == SinkRow.ownKey && !member.value.isID(item.id) { hasStrayKey = true }
      }
    }
    isIDInField = isIDInField && isIDFound
  }

  private mutating func place(of member: ItemMembers.Member, likely: Int) -> Int {
    if let place = members.place(of: member, likely: likely) { return place }
    types.append((member.name, nil))
    return members.append(member.name)
  }
}

extension JSONValue {
  /// Whether the value is the id, as an integer or as a text.
  func isID(_ id: ItemID) -> Bool {
    switch (id, kind) {
    case (.integer(let number), .integer): integer == number
    case (.integer(let number), .real): exactInteger == number
    case (.text(let text), .text(isEscaped: false)): bytes.isEqual(to: text)
    case (.text(let text), .text(isEscaped: true)): string == text
    default: false
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether they are the text in UTF-8.
  func isEqual(to text: String) -> Bool {
    guard text.utf8.count == count else { return false }
    return text.utf8.withContiguousStorageIfAvailable {
      isEmpty || memcmp($0.baseAddress!, baseAddress!, count) == 0
    }
      ?? elementsEqual(text.utf8)
  }
}

/// The keys of items, in order of appearance: the columns of a table.
struct SinkColumns {
  /// All keys, one behind the other, and where each ends.
  private var keys: [UInt8] = []
  private var ends: [Int] = []
  private var places: [[UInt8]: Int] = [:]

  var count: Int { ends.count }

  /// The keys as text.
  var names: [String] {
    ends.indices.map { String(decoding: keys[start(of: $0)..<ends[$0]], as: UTF8.self) }
  }

  private func start(of place: Int) -> Int { place == 0 ? 0 : ends[place - 1] }

  /// The index of a key, or nil. Items mostly have their keys in the same order: `likely` is tried first.
  func place(of member: ItemMembers.Member, likely: Int) -> Int? {
    guard let name = member.plainName else { return places[Array(member.name.utf8)] }
    if likely < ends.count, isEqual(name, at: likely) { return likely }
    return places[Array(name)]
  }

  private func isEqual(_ name: UnsafeRawBufferPointer, at place: Int) -> Bool {
    let start = start(of: place)
    guard name.count == ends[place] - start else { return false }
    guard let text = name.baseAddress else { return true }
    return keys.withUnsafeBytes { name.isEmpty || memcmp(text, $0.baseAddress! + start, name.count) == 0 }
  }

  /// The index of a key by its text, or nil.
  func place(of name: String) -> Int? { places[Array(name.utf8)] }

  /// Appends a new key and returns its index.
  @discardableResult
  mutating func append(_ name: String) -> Int {
    let key = Array(name.utf8)
    places[key] = ends.count
    keys += key
    ends.append(keys.count)
    return ends.count - 1
  }
}

/// The declared type of a table column. SQLite converts values to it, so a column has a type only if all its values do;
/// one without a type leaves values unchanged.
enum SinkColumnType: String {
  case integer = "INTEGER"
  case real = "REAL"
  case text = "TEXT"
  case any = ""

  /// The type of one value; nil for null, which fits every type.
  init?(of value: JSONValue) {
    switch value.kind {
    case .null: return nil
    case .boolean: self = .integer
    case .integer: self = value.integer == nil ? .text : .integer
    case .real: self = .real
    case .text, .array, .object: self = .text
    }
  }

  init(of id: ItemID) {
    switch id {
    case .integer: self = .integer
    case .text: self = .text
    }
  }

  /// What SQLite makes of ids in a column that was declared so (datatype3.html, 3.1): of those that are like numbers numbers, save
  /// in texts and in what has no type.
  init(affinityOf declared: String) {
    let declared = declared.uppercased()
    if declared.contains("INT") {
      self = .integer
    } else if ["CHAR", "CLOB", "TEXT"].contains(where: declared.contains) {
      self = .text
    } else {
      self = declared.isEmpty || declared.contains("BLOB") ? .any : .integer
    }
  }

  /// The type of a column that holds values of both.
  static func common(_ one: SinkColumnType?, _ other: SinkColumnType?) -> SinkColumnType? {
    guard let one, let other else { return one ?? other }
    return one == other ? one : .any
  }

  /// Whether such a column returns a value unchanged, except that `3.0` may be `3`.
  func keeps(_ value: JSONValue) -> Bool {
    switch (self, SinkColumnType(of: value)) {
    case (.any, _), (_, nil), (.integer, .real): true
    case (.real, .integer): value.integer.map { $0.magnitude <= 1 << 53 } ?? false
    case (.integer, let type?), (.real, let type?), (.text, let type?): self == type
    }
  }

  /// Whether an id is unchanged in a primary key of this type.
  func keeps(_ id: ItemID) -> Bool { self == .any || self == SinkColumnType(of: id) }
}
