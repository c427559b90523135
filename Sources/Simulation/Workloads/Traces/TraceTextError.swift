import JSON

/// A text that is not the expected trace.
public struct TraceTextError: Error, Sendable, Hashable {
  /// From 1; 0 for the whole text.
  public let line: Int
  /// What was expected.
  public let expected: String
  /// What was found, cut to 60 characters.
  public let found: String

  public init(line: Int, expected: String, found: some StringProtocol) {
    self.line = line
    self.expected = expected
    self.found = String(found.prefix(60))
  }

  /// Where the text, which begins in that line of its file, is no JSON.
  init(_ fault: JSONFault, in text: some StringProtocol, firstLine: Int) {
    let rest = text.utf8.dropFirst(fault.offset).prefix { $0 != 10 }.prefix(60)
    self.init(
      line: firstLine + max(1, fault.line) - 1, expected: Self.expected(fault),
      found: rest.isEmpty ? "the end of the text" : String(decoding: rest, as: UTF8.self))
  }

  private static func expected(_ fault: JSONFault) -> String {
    switch fault.expected {
    case .value, .number: "a JSON value"
    case .key: "a name in quotes"
    case .colon: "`:`"
    case .memberEnd: "`,` or `}`"
    case .elementEnd: "`,` or `]`"
    case .end: "the end of the JSON text"
    case .quote: "the end of a text"
    case .noControl: "no control character in a text"
    case .escape: "a known escape"
    case .digits: "four hexadecimal digits"
    case .pair: "the second half of a pair"
    case .utf8: "UTF-8"
    case .level: "at most \(JSONTree.mostNested) levels"
    case nil: fault.message
    }
  }
}

extension JSONTree {
  /// The one value that a text in a file is; a fault has the line of the file.
  init(trace text: some StringProtocol, firstLine: Int = 1) throws(TraceTextError) {
    do throws(JSONFault) {
      try self.init(text)
    } catch { throw TraceTextError(error, in: text, firstLine: firstLine) }
  }
}
