import Items
import JSON

/// The declared type of a table column. SQLite converts values to it, so a column has a type only if all its values do;
/// one without a type leaves values unchanged.
enum SinkColumnType: String {
  case integer = "INTEGER"
  case real = "REAL"
  case text = "TEXT"
  case any = ""

  /// The type of a column that is to hold such values; nil for nulls, which fit every type.
  init?(for kinds: SinkValueKinds) {
    switch kinds {
    case []: return nil
    case _ where kinds.isSubset(of: [.integer, .longInteger]): self = .integer
    case .real: self = .real
    case .text: self = .text
    default: self = .any
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

  /// Whether such a column returns values unchanged, except that `3.0` may be `3`.
  func keeps(_ kinds: SinkValueKinds) -> Bool {
    switch self {
    case .any: true
    case .integer: !kinds.contains(.text)
    case .real: kinds.isSubset(of: [.integer, .real])
    case .text: kinds.isSubset(of: .text)
    }
  }

  /// Whether ids are unchanged in a primary key of this type.
  func keeps(ids kinds: SinkValueKinds) -> Bool { keeps(kinds) && (self != .real || kinds.isEmpty) }
}

/// Which kinds of values there are, as SQLite tells them apart.
struct SinkValueKinds: OptionSet {
  let rawValue: UInt8
  static let integer = SinkValueKinds(rawValue: 1)
  /// One that a double does not hold.
  static let longInteger = SinkValueKinds(rawValue: 2)
  static let real = SinkValueKinds(rawValue: 4)
  static let text = SinkValueKinds(rawValue: 8)
}

extension SinkValueKinds {
  /// That of one value; none for null.
  init(of value: JSONValue) {
    switch value.kind {
    case .null: self = []
    case .boolean: self = .integer
    case .integer: self = value.integer.map { $0.magnitude <= 1 << 53 ? .integer : .longInteger } ?? .text
    // SQLite would round one of more digits.
    case .real: self = value.exactReal == nil ? .text : .real
    case .text, .array, .object: self = .text
    }
  }

  init(of id: ItemID) {
    switch id {
    case .integer: self = .integer
    case .text: self = .text
    }
  }
}
