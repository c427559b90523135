import Text

extension String {
  /// The quoted name, for SQL.
  var asIdentifier: String { "\"\(escaping("\"", as: "\"\""))\"" }

  /// The quoted text, for SQL.
  var asLiteral: String { "'\(escaping("'", as: "''"))'" }

  /// Whether SQLite takes both for one name: it ignores the case of ASCII letters.
  func isSameIdentifier(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased }
  }
}

extension UInt8 {
  var asciiLowercased: UInt8 {
    self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self + 32 : self
  }
}
