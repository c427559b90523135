/// A JSON value (RFC 8259), as traces and logs have them.
indirect enum JSONValue: Hashable {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// Reads one value and nothing after it.
  static func parse(_ text: some StringProtocol, firstLine: Int = 1) throws(TraceTextError) -> JSONValue {
    var reader = JSONReader(text, firstLine: firstLine)
    return try reader.document()
  }

  var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }
}
