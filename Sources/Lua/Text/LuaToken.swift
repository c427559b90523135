/// One word, sign or comment of a Lua text.
public struct LuaToken: Sendable, Equatable {
  /// What a token is.
  public enum Kind: Sendable, Equatable {
    case name
    case keyword
    /// A string in quotes or long brackets, with them.
    case string
    case number
    /// An operator, a bracket or a separator; also a character that Lua does not know.
    case symbol
    case comment
    /// A string or a long comment whose end is missing: it reaches to the end of its line, or of the text.
    case unfinished
  }

  public let kind: Kind
  /// Offsets in the text's UTF-8 bytes.
  public let range: Range<Int>
  /// The line on which it begins, from 1.
  public let line: Int
  public let text: String

  init(_ kind: Kind, _ range: Range<Int>, line: Int, _ text: String) {
    self.kind = kind
    self.range = range
    self.line = line
    self.text = text
  }
}

extension LuaToken {
  /// The words that Lua keeps for itself, sorted (Lua 5.4 manual, 3.1).
  public static let keywords = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local",
    "nil",
    "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]

  static let keywordSet = Set(keywords)

  /// Whether `text` can be written as a field after a dot.
  public static func isName(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, first.isNameStart else { return false }
    return text.utf8.allSatisfy(\.isNamePart) && !keywordSet.contains(String(text))
  }

  /// Whether it is this keyword or sign.
  func `is`(_ text: String) -> Bool { (kind == .keyword || kind == .symbol) && self.text == text }
}

extension UInt8 {
  var isDigit: Bool { (0x30...0x39).contains(self) }
  var isHexadecimal: Bool { isDigit || (0x41...0x46).contains(self & 0xDF) }
  var isNameStart: Bool { (0x41...0x5A).contains(self & 0xDF) || self == UInt8(ascii: "_") }
  var isLineEnd: Bool { self == 0x0A || self == 0x0D }
  var isNamePart: Bool { isNameStart || isDigit }
}
