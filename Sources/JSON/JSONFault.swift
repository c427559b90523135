import CJSON

/// Why and where a text is not valid JSON.
public struct JSONFault: Error, Equatable, Sendable {
  /// What was expected at the place.
  public enum Expectation: Sendable {
    /// Any value.
    case value
    /// The quoted key of a member.
    case key
    /// The colon after a key.
    case colon
    /// A comma or the end of an object.
    case memberEnd
    /// A comma or the end of an array.
    case elementEnd
    /// Nothing after the value.
    case end
    /// The closing quote of a string.
    case quote
    /// No control character in a string.
    case noControl
    /// A valid escape sequence.
    case escape
    /// Four hexadecimal digits.
    case digits
    /// The other half of a surrogate pair.
    case pair
    /// Valid UTF-8.
    case utf8
    /// A number in JSON syntax.
    case number
    /// Less nesting.
    case level
  }

  /// What was expected; nil if the fault is of another kind, such as a document that is too long.
  public let expected: Expectation?
  /// Bytes before the fault.
  public let offset: Int
  /// The line and the column (in bytes), both from 1; 0 if unknown.
  public let line: Int
  /// Column in bytes, from 1.
  public let column: Int
  /// The fault in words.
  public let message: String

  init(_ error: cjson_error) {
    expected = Expectation(error.wanted)
    offset = Int(clamping: error.offset)
    line = Int(clamping: error.line)
    column = Int(clamping: error.column)
    message = withUnsafeBytes(of: error.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

extension JSONFault.Expectation {
  init?(_ wanted: cjson_wanted) {
    switch wanted {
    case CJSON_WANTED_VALUE: self = .value
    case CJSON_WANTED_KEY: self = .key
    case CJSON_WANTED_COLON: self = .colon
    case CJSON_WANTED_MEMBER_END: self = .memberEnd
    case CJSON_WANTED_ELEMENT_END: self = .elementEnd
    case CJSON_WANTED_END: self = .end
    case CJSON_WANTED_QUOTE: self = .quote
    case CJSON_WANTED_NO_CONTROL: self = .noControl
    case CJSON_WANTED_ESCAPE: self = .escape
    case CJSON_WANTED_DIGITS: self = .digits
    case CJSON_WANTED_PAIR: self = .pair
    case CJSON_WANTED_UTF8: self = .utf8
    case CJSON_WANTED_NUMBER: self = .number
    case CJSON_WANTED_LEVEL: self = .level
    default: return nil
    }
  }
}
