import Items

/// What a column of a table is declared as. SQLite turns values into what their column says, so a column says only what
/// all its values are; one without a type leaves every value alone.
enum SinkColumnType: String {
  case integer = "INTEGER"
  case real = "REAL"
  case text = "TEXT"
  case any = ""

  /// The type of one value; nil for null, which is of every type.
  init?(of value: JSONSlice) {
    switch value.kind {
    case .null: return nil
    case .boolean: self = .integer
    case .integer: self = value.integer == nil ? .text : .integer
    case .real: self = .real
    case .text, .nested: self = .text
    }
  }

  init(of id: ItemID) {
    switch id {
    case .integer: self = .integer
    case .text: self = .text
    }
  }

  /// The type of a column that holds values of both.
  static func common(_ one: SinkColumnType?, _ other: SinkColumnType?) -> SinkColumnType? {
    guard let one, let other else { return one ?? other }
    return one == other ? one : .any
  }

  /// Whether a value comes out of such a column as it went in, up to `3.0` being `3`.
  func keeps(_ value: JSONSlice) -> Bool {
    switch (self, SinkColumnType(of: value)) {
    case (.any, _), (_, nil), (.integer, .real): true
    case (.real, .integer): value.integer.map { $0.magnitude <= 1 << 53 } ?? false
    case (.integer, let type?), (.real, let type?), (.text, let type?): self == type
    }
  }

  /// Whether an id stays the same in a primary key of this type.
  func keeps(_ id: ItemID) -> Bool { self == .any || self == SinkColumnType(of: id) }
}
