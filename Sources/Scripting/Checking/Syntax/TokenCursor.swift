import Lua

/// A position in the tokens of a text, without comments, that advances as they are read.
struct TokenCursor {
  let tokens: [LuaToken]
  private(set) var position = 0

  init(_ tokens: [LuaToken]) { self.tokens = tokens }

  var current: LuaToken? { position < tokens.count ? tokens[position] : nil }

  /// The token after the current one.
  var next: LuaToken? { position + 1 < tokens.count ? tokens[position + 1] : nil }

  var isAtEnd: Bool { position == tokens.count }

  mutating func advance() { position += 1 }

  /// Whether the next token is this symbol or keyword.
  func isAt(_ text: String) -> Bool {
    guard let current, current.kind == .symbol || current.kind == .keyword else { return false }
    return current.text == text
  }

  /// Consumes this symbol or keyword, if it is next.
  mutating func accept(_ text: String) -> Bool {
    guard isAt(text) else { return false }
    advance()
    return true
  }

  mutating func expect(_ text: String) throws(SyntaxUnknown) {
    guard accept(text) else { throw SyntaxUnknown() }
  }

  mutating func name() throws(SyntaxUnknown) -> String {
    guard let current, current.kind == .name else { throw SyntaxUnknown() }
    advance()
    return current.text
  }
}

/// The parser met unknown syntax.
struct SyntaxUnknown: Error {}

extension LuaToken {
  /// The keyword; empty for other tokens.
  var keyword: String { kind == .keyword ? text : "" }

  /// The contents of a string, without quotes or long brackets; escapes are kept as written.
  var literal: String {
    if let quote = text.first, quote == "\"" || quote == "'" { return String(text.dropFirst().dropLast()) }
    let level = text.dropFirst().prefix { $0 == "=" }.count + 2
    return String(text.dropFirst(level).dropLast(level))
  }
}
