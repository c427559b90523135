import Lua

/// Reads the tokens of a script that Lua has accepted into statements, with every name resolved.
///
/// Whatever does not fit ends it with `SyntaxUnknown`: then nothing is said of the script, rather than something wrong.
struct ScriptParser {
  /// The tokens without comments.
  let tokens: [LuaToken]
  var position = 0
  /// Locals that can be seen, the innermost last.
  var visible: [LocalName] = []
  /// How deep in functions the parser is.
  var depth = 0
  private var nesting = 0

  init(_ tokens: [LuaToken]) { self.tokens = tokens }

  /// The statements of the whole script.
  mutating func script() throws(SyntaxUnknown) -> [Statement] {
    let statements = try block()
    guard position == tokens.count else { throw SyntaxUnknown() }
    return statements
  }

  /// Statements up to what ends their block; their locals are forgotten afterwards.
  mutating func block() throws(SyntaxUnknown) -> [Statement] {
    let outer = visible.count
    defer { visible.removeLast(visible.count - outer) }
    return try statements()
  }

  /// Statements up to what ends their block; their locals stay.
  mutating func statements() throws(SyntaxUnknown) -> [Statement] {
    try deeper()
    defer { nesting -= 1 }
    var statements: [Statement] = []
    while let token = current, !["end", "else", "elseif", "until"].contains(keyword(token)) {
      let isReturn = keyword(token) == "return"
      if let statement = try statement() { statements.append(statement) }
      if isReturn { break }
    }
    return statements
  }

  /// Scripts nest as deep as Lua allows, which is 200; the host's stack bears it.
  mutating func deeper() throws(SyntaxUnknown) {
    nesting += 1
    if nesting > 250 { throw SyntaxUnknown() }
  }

  mutating func shallower() { nesting -= 1 }
}

/// The parser met what it does not know.
struct SyntaxUnknown: Error {}

/// Tokens, one after the other.
extension ScriptParser {
  var current: LuaToken? { position < tokens.count ? tokens[position] : nil }

  func keyword(_ token: LuaToken) -> String { token.kind == .keyword ? token.text : "" }

  /// Whether the next token is this symbol or keyword.
  func isAt(_ text: String) -> Bool {
    guard let current, current.kind == .symbol || current.kind == .keyword else { return false }
    return current.text == text
  }

  /// Whether the next token is this symbol or keyword; then it is taken.
  mutating func take(_ text: String) -> Bool {
    guard isAt(text) else { return false }
    position += 1
    return true
  }

  mutating func expect(_ text: String) throws(SyntaxUnknown) {
    guard take(text) else { throw SyntaxUnknown() }
  }

  mutating func takeName() throws(SyntaxUnknown) -> String {
    guard let current, current.kind == .name else { throw SyntaxUnknown() }
    position += 1
    return current.text
  }

  /// The name as it is used here: the innermost local of that name, or a global.
  func use(_ name: String, token: Int) -> NameUse {
    let local = visible.last { $0.name == name }
    return NameUse(
      name: name, token: token, local: local, visible: local == nil ? visible.map(\.name) : [])
  }
}
