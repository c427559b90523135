import CJSON

/// Why and where a text is no JSON.
public struct JSONFault: Error, Equatable, Sendable {
  /// What should stand at the place.
  public enum Expectation: Sendable {
    /// Any value.
    case value
    /// The key of a member, in quotes.
    case key
    /// The colon behind a key.
    case colon
    /// A comma or the end of an object.
    case memberEnd
    /// A comma or the end of an array.
    case elementEnd
    /// Nothing behind the value.
    case end
    /// The closing quote of a text.
    case quote
    /// No control character in a text.
    case noControl
    /// An escape that JSON knows.
    case escape
    /// Four hexadecimal digits.
    case digits
    /// The other half of a surrogate pair.
    case pair
    /// UTF-8.
    case utf8
    /// A number as JSON writes it.
    case number
    /// Fewer levels.
    case level
  }

  /// What was expected; nil where the fault is no single one, as with a text that is too long.
  public let expected: Expectation?
  /// Bytes before the place.
  public let offset: Int
  /// The line and the column, which counts bytes; both from 1 on, and 0 when they mean nothing.
  public let line: Int
  /// Counts bytes, from 1 on.
  public let column: Int
  /// In words.
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
