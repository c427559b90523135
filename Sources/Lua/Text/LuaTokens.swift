/// A Lua text cut into its tokens, in order, as Lua 5.4 cuts it; whatever the text is.
///
/// Blanks are left out. Nothing is parsed: the tokens of a text that is no Lua are its tokens all the same.
///
/// ```swift
/// LuaTokens("return x -- all").code.map(\.text)  // ["return", "x"]
/// ```
public struct LuaTokens: Sendable {
  public let tokens: [LuaToken]

  /// `isScript`: a first line that begins with `#` is a comment, as in a file.
  public init(_ text: String, isScript: Bool = true) {
    var text = text
    tokens = text.withUTF8 { bytes in
      var lexer = LuaLexer(bytes, isScript: isScript)
      var tokens: [LuaToken] = []
      while let token = lexer.next() { tokens.append(token) }
      return tokens
    }
  }

  /// The tokens that mean something to Lua: all but the comments.
  public var code: [LuaToken] { tokens.filter { $0.kind != .comment } }
}

/// Reads one token after another.
struct LuaLexer {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  private var line = 1
  private let isScript: Bool

  init(_ bytes: UnsafeBufferPointer<UInt8>, isScript: Bool) {
    self.bytes = bytes
    self.isScript = isScript
  }

  /// The next token; nil at the end of the text.
  mutating func next() -> LuaToken? {
    skipBlanks()
    guard position < bytes.count else { return nil }
    let start = position
    let firstLine = line
    let kind = read()
    let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self)
    let isKeyword = kind == .name && LuaToken.keywordSet.contains(text)
    return LuaToken(isKeyword ? .keyword : kind, start..<position, line: firstLine, text)
  }

  private func byte(_ offset: Int = 0) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  private mutating func skipBlanks() {
    while let byte = byte(), byte == 0x20 || (0x09...0x0D).contains(byte) {
      if byte.isLineEnd { passLineEnd() } else { position += 1 }
    }
  }

  /// As Lua counts: a line ends in `\n`, `\r`, or both in either order.
  private mutating func passLineEnd() {
    let first = bytes[position]
    position += 1
    if let second = byte(), second.isLineEnd, second != first { position += 1 }
    line += 1
  }

  private mutating func read() -> LuaToken.Kind {
    let first = bytes[position]
    if isScript, position == 0, first == UInt8(ascii: "#") { return readLine(.comment) }
    if first.isNameStart {
      skip(while: \.isNamePart)
      return .name
    }
    if first.isDigit || (first == UInt8(ascii: ".") && byte(1)?.isDigit == true) { return readNumber() }
    switch first {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return readString(until: first)
    case UInt8(ascii: "["): return readLong(.string) ?? readSymbol()
    case UInt8(ascii: "-") where byte(1) == UInt8(ascii: "-"):
      position += 2
      return readLong(.comment) ?? readLine(.comment)
    default: return readSymbol()
    }
  }

  private mutating func skip(while isWanted: (UInt8) -> Bool) {
    while let byte = byte(), isWanted(byte) { position += 1 }
  }

  private mutating func readLine(_ kind: LuaToken.Kind) -> LuaToken.Kind {
    skip { !$0.isLineEnd }
    return kind
  }

  /// As generous as Lua's own reader, which takes all that could belong to a number and then judges it.
  private mutating func readNumber() -> LuaToken.Kind {
    let isHexadecimal = bytes[position] == UInt8(ascii: "0") && byte(1).map { $0 & 0xDF } == UInt8(ascii: "X")
    let exponent = UInt8(ascii: isHexadecimal ? "P" : "E")
    if isHexadecimal { position += 2 }
    while let byte = byte() {
      if byte & 0xDF == exponent, let sign = self.byte(1),
        sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
      {
        position += 2
      } else if byte.isNamePart || byte == UInt8(ascii: ".") {
        position += 1
      } else {
        break
      }
    }
    return .number
  }

  private mutating func readString(until quote: UInt8) -> LuaToken.Kind {
    position += 1
    while let byte = byte() {
      if byte.isLineEnd { return .unfinished }
      position += 1
      if byte == quote { return .string }
      if byte == UInt8(ascii: "\\") { skipEscape() }
    }
    return .unfinished
  }

  /// What follows a backslash, as far as it could hide the end of the string.
  private mutating func skipEscape() {
    guard let escaped = byte() else { return }
    position += 1
    switch escaped {
    case UInt8(ascii: "z"): skipBlanks()
    case 0x0A, 0x0D:
      position -= 1
      passLineEnd()
    default: break
    }
  }

  /// A string or comment in long brackets, which begin here; nil when none do.
  private mutating func readLong(_ kind: LuaToken.Kind) -> LuaToken.Kind? {
    guard byte() == UInt8(ascii: "[") else { return nil }
    var level = 0
    while byte(1 + level) == UInt8(ascii: "=") { level += 1 }
    guard byte(1 + level) == UInt8(ascii: "[") else { return nil }
    position += 2 + level
    while let byte = byte() {
      if byte == UInt8(ascii: "]"), closes(level) {
        position += 2 + level
        return kind
      }
      if byte.isLineEnd { passLineEnd() } else { position += 1 }
    }
    return .unfinished
  }

  private func closes(_ level: Int) -> Bool {
    for offset in 0..<level where byte(1 + offset) != UInt8(ascii: "=") { return false }
    return byte(1 + level) == UInt8(ascii: "]")
  }

  private static let symbols = ["...", "..", "==", "~=", "<=", ">=", "//", "::", "<<", ">>"].map {
    Array($0.utf8)
  }

  private mutating func readSymbol() -> LuaToken.Kind {
    let rest = bytes[position...]
    if let symbol = Self.symbols.first(where: { rest.starts(with: $0) }) {
      position += symbol.count
      return .symbol
    }
    position += 1
    if bytes[position - 1] >= 0x80 { skip { $0 & 0xC0 == 0x80 } }
    return .symbol
  }
}
