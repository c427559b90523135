extension String {
  /// The quoted name, for SQL.
  var asIdentifier: String {
    utf8.contains(UInt8(ascii: "\"")) ? "\"\(replacing("\"", with: "\"\""))\"" : "\"\(self)\""
  }

  /// The quoted text, for SQL.
  var asLiteral: String { "'\(replacing("'", with: "''"))'" }

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
