extension String {
  /// The text with an escape wherever the character is, which is one of ASCII.
  ///
  /// A quote and an accent behind it are one character to Swift, and none that equals the quote. To SQL, a shell or libpq they
  /// are two, so that a text could leave its quotes: what escapes for others looks at bytes.
  ///
  /// ```swift
  /// "'\("it's".escaping("'", as: "''"))'"  // 'it''s'
  /// ```
  public func escaping(_ character: Unicode.Scalar, as escape: String) -> String {
    let byte = UInt8(ascii: character)
    guard utf8.contains(byte) else { return self }
    var bytes: [UInt8] = []
    for each in utf8 { if each == byte { bytes += escape.utf8 } else { bytes.append(each) } }
    return String(decoding: bytes, as: UTF8.self)
  }
}
