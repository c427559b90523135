import Lua

/// A script prepared for checks: its tokens, its statements, and its resolved names.
struct ScriptText {
  let name: String
  let tokens: [LuaToken]
  let statements: [Statement]
  let walk: ScriptWalk
  /// Uses of each local.
  private let localUses: [ObjectIdentifier: [ChainUse]]
  /// Locals assigned after their declaration.
  private let changing: Set<ObjectIdentifier>
  /// Whether globals may differ from what they seem: the script uses `_ENV`.
  let hasOwnGlobals: Bool
  private let text: String

  /// Nil if the parser does not know the text; then nothing can be said about it.
  init?(_ text: String, name: String) {
    let code = LuaTokens(text).code
    guard code.count < 2_000_000 else { return nil }
    var parser = ScriptParser(code)
    guard let statements = try? parser.script().map(\.statement) else { return nil }
    self.text = text
    self.name = name
    self.statements = statements
    tokens = code
    walk = ScriptWalk(statements)
    var localUses: [ObjectIdentifier: [ChainUse]] = [:]
    var changing: Set<ObjectIdentifier> = []
    for use in walk.uses {
      guard let local = use.root.local else { continue }
      localUses[ObjectIdentifier(local), default: []].append(use)
      if use.purpose == .written, use.fields.isEmpty { changing.insert(ObjectIdentifier(local)) }
    }
    self.localUses = localUses
    self.changing = changing
    hasOwnGlobals = code.contains { $0.kind == .name && $0.text == "_ENV" }
  }

  func uses(of local: LocalName) -> [ChainUse] { localUses[ObjectIdentifier(local)] ?? [] }

  /// Whether the local keeps its initial value.
  func isConstant(_ local: LocalName) -> Bool { !changing.contains(ObjectIdentifier(local)) }

  /// The value of an expression: for a constant local, its initial value.
  func value(of expression: Expression) -> Expression {
    var expression = expression.bare
    for _ in 0..<8 {
      guard case .name(let use) = expression.kind, let local = use.local, isConstant(local),
        let value = local.value
      else { break }
      expression = value.bare
    }
    return expression
  }

  /// The global path of a chain, such as `["lookahead", "http", "get"]`; nil if it has none.
  func path(_ chain: (root: NameUse, fields: [(name: String, token: Int)])) -> [String]? {
    guard !hasOwnGlobals else { return nil }
    let fields = chain.fields.map(\.name)
    guard let local = chain.root.local else {
      return chain.root.name == "_G" && !fields.isEmpty ? fields : [chain.root.name] + fields
    }
    guard isConstant(local), let value = local.value?.bare else { return nil }
    if let inner = value.chain { return path(inner).map { $0 + fields } }
    guard case .call(let callee, let arguments) = value.kind, let name = callee.chain,
      path(name) == ["require"], arguments.count == 1, case .string("lookahead") = arguments[0].kind
    else { return nil }
    return ["lookahead"] + fields
  }

  func path(of use: ChainUse) -> [String]? { path((use.root, use.fields)) }

  func line(_ token: Int) -> Int { tokens[token].line }

  /// Characters from the start of the line, from 1.
  func column(_ token: Int) -> Int {
    let bytes = text.utf8
    let end = bytes.index(bytes.startIndex, offsetBy: tokens[token].range.lowerBound)
    let start =
      bytes[..<end].lastIndex(of: UInt8(ascii: "\n")).map { bytes.index(after: $0) } ?? bytes.startIndex
    return text[start..<end].unicodeScalars.count + 1
  }

  func finding(
    _ severity: ScriptFinding.Severity, _ rule: ScriptFinding.Rule, at token: Int, _ message: String
  ) -> ScriptFinding {
    ScriptFinding(
      severity, rule, file: name, line: line(token), column: column(token), message: message)
  }
}
