import Lua

/// Parses the tokens of a script that Lua has accepted into statements, with every name resolved.
///
/// Anything unknown ends it with `SyntaxUnknown`: rather no findings than wrong ones.
struct ScriptParser {
  private var cursor: TokenCursor
  /// Visible locals, innermost last.
  private var visible: [LocalName] = []
  /// The current function depth.
  private var depth = 0
  private var nesting = 0

  /// `tokens` are those without comments.
  init(_ tokens: [LuaToken]) { cursor = TokenCursor(tokens) }

  /// A top-level statement, and the offsets of its tokens.
  typealias Placed = (statement: Statement, tokens: Range<Int>)

  /// The statements of the whole script, each with its tokens.
  mutating func script() throws(SyntaxUnknown) -> [Placed] {
    try deeper()
    var statements: [Placed] = []
    while let token = cursor.current {
      let start = cursor.position
      let isReturn = token.keyword == "return"
      if let statement = try statement() { statements.append((statement, start..<cursor.position)) }
      if isReturn { break }
    }
    guard cursor.isAtEnd else { throw SyntaxUnknown() }
    return statements
  }

  /// Statements up to the end of their block; their locals go out of scope.
  private mutating func block() throws(SyntaxUnknown) -> [Statement] {
    let outer = visible.count
    defer { visible.removeLast(visible.count - outer) }
    return try statements()
  }

  /// Statements up to the end of their block; their locals stay in scope.
  private mutating func statements() throws(SyntaxUnknown) -> [Statement] {
    try deeper()
    defer { shallower() }
    var statements: [Statement] = []
    while let token = cursor.current, !Self.blockEnds.contains(token.keyword) {
      let isReturn = token.keyword == "return"
      if let statement = try statement() { statements.append(statement) }
      if isReturn { break }
    }
    return statements
  }

  private static let blockEnds: Set = ["end", "else", "elseif", "until"]

  /// Scripts may nest as deep as Lua allows, 200 levels; the host's stack suffices for that.
  private mutating func deeper() throws(SyntaxUnknown) {
    nesting += 1
    if nesting > 250 { throw SyntaxUnknown() }
  }

  private mutating func shallower() { nesting -= 1 }

  /// The name as used here: the innermost local with that name, or a global.
  private func use(_ name: String, token: Int) -> NameUse {
    let local = visible.last { $0.name == name }
    return NameUse(
      name: name, token: token, local: local, visible: local == nil ? visible.map(\.name) : [])
  }
}

/// Statements.
extension ScriptParser {
  /// The next statement; nil for those irrelevant to checks.
  private mutating func statement() throws(SyntaxUnknown) -> Statement? {
    guard let token = cursor.current else { throw SyntaxUnknown() }
    switch (token.kind, token.text) {
    case (.symbol, ";"), (.keyword, "break"):
      cursor.advance()
      return nil
    case (.symbol, "::"):
      cursor.advance()
      _ = try cursor.name()
      try cursor.expect("::")
      return nil
    case (.keyword, "goto"):
      cursor.advance()
      _ = try cursor.name()
      return nil
    case (.keyword, "local"): return try local()
    case (.keyword, "function"): return try functionStatement()
    case (.keyword, "return"): return try returned()
    case (.keyword, "for"): return try loop()
    case (.keyword, "if"): return try conditional()
    case (.keyword, "do"):
      cursor.advance()
      let body = try block()
      try cursor.expect("end")
      return .block(conditions: [], bodies: [body])
    case (.keyword, "while"):
      cursor.advance()
      let condition = try expression()
      try cursor.expect("do")
      let body = try block()
      try cursor.expect("end")
      return .block(conditions: [condition], bodies: [body])
    case (.keyword, "repeat"): return try repetition()
    default: return try assignmentOrCall()
    }
  }

  private mutating func local() throws(SyntaxUnknown) -> Statement {
    try cursor.expect("local")
    if cursor.accept("function") {
      let token = cursor.position
      let name = LocalName(try cursor.name(), token: token, role: .function, depth: depth)
      visible.append(name)
      let body = try functionBody(from: token - 1)
      name.value = Expression(token: token - 1, kind: .function(body))
      return .localFunction(name, body)
    }
    var names: [LocalName] = []
    repeat {
      let token = cursor.position
      let name = try cursor.name()
      var attribute: String?
      if cursor.accept("<") {
        attribute = try cursor.name()
        try cursor.expect(">")
      }
      names.append(LocalName(name, token: token, role: .local, attribute: attribute, depth: depth))
    } while cursor.accept(",")
    let values = cursor.accept("=") ? try expressions() : []
    if names.count == values.count { for (name, value) in zip(names, values) { name.value = value } }
    visible += names
    return .local(names, values)
  }

  private mutating func functionStatement() throws(SyntaxUnknown) -> Statement {
    let start = cursor.position
    try cursor.expect("function")
    let token = cursor.position
    var target = Expression(token: token, kind: .name(use(try cursor.name(), token: token)))
    var isMethod = false
    while cursor.isAt(".") || cursor.isAt(":") {
      isMethod = cursor.isAt(":")
      cursor.advance()
      let field = cursor.position
      target = Expression(token: token, kind: .field(target, name: try cursor.name(), token: field))
      if isMethod { break }
    }
    let body = try functionBody(from: start, isMethod: isMethod)
    return .assignment([target], [Expression(token: start, kind: .function(body))])
  }

  private mutating func returned() throws(SyntaxUnknown) -> Statement {
    try cursor.expect("return")
    let isEmpty = cursor.current.map { Self.blockEnds.contains($0.keyword) } ?? true
    let values = isEmpty || cursor.isAt(";") ? [] : try expressions()
    _ = cursor.accept(";")
    return .return(values)
  }

  private mutating func loop() throws(SyntaxUnknown) -> Statement {
    try cursor.expect("for")
    var names: [LocalName] = []
    repeat {
      let token = cursor.position
      names.append(LocalName(try cursor.name(), token: token, role: .loop, depth: depth))
    } while cursor.accept(",")
    let isNumeric = cursor.accept("=")
    if !isNumeric { try cursor.expect("in") }
    let values = try expressions()
    try cursor.expect("do")
    let outer = visible.count
    defer { visible.removeLast(visible.count - outer) }
    visible += names
    let body = try statements()
    try cursor.expect("end")
    return .loop(names, isNumeric: isNumeric, values, body)
  }

  private mutating func conditional() throws(SyntaxUnknown) -> Statement {
    try cursor.expect("if")
    var conditions = [try expression()]
    try cursor.expect("then")
    var bodies = [try block()]
    while cursor.accept("elseif") {
      conditions.append(try expression())
      try cursor.expect("then")
      bodies.append(try block())
    }
    if cursor.accept("else") { bodies.append(try block()) }
    try cursor.expect("end")
    return .block(conditions: conditions, bodies: bodies)
  }

  /// The condition of `repeat` sees the locals of its body.
  private mutating func repetition() throws(SyntaxUnknown) -> Statement {
    try cursor.expect("repeat")
    let outer = visible.count
    defer { visible.removeLast(visible.count - outer) }
    let body = try statements()
    try cursor.expect("until")
    return .block(conditions: [try expression()], bodies: [body])
  }

  private mutating func assignmentOrCall() throws(SyntaxUnknown) -> Statement {
    let first = try suffixed()
    if cursor.isAt("=") || cursor.isAt(",") {
      var targets = [first]
      while cursor.accept(",") { targets.append(try suffixed()) }
      try cursor.expect("=")
      return .assignment(targets, try expressions())
    }
    switch first.kind {
    case .call, .method: return .call(first)
    default: throw SyntaxUnknown()
    }
  }
}

/// Expressions.
extension ScriptParser {
  private mutating func expressions() throws(SyntaxUnknown) -> [Expression] {
    var expressions = [try expression()]
    while cursor.accept(",") { expressions.append(try expression()) }
    return expressions
  }

  /// An expression whose operators bind tighter than `limit`.
  private mutating func expression(above limit: Int = 0) throws(SyntaxUnknown) -> Expression {
    try deeper()
    defer { shallower() }
    let start = cursor.position
    var left = try operand()
    var length = 0
    while let token = cursor.current, token.kind != .string, let binding = Binding.ofOperators[token.text],
      binding.left > limit
    {
      length += 1
      if length > Self.longest { throw SyntaxUnknown() }
      cursor.advance()
      let right = try expression(above: binding.right)
      let takesAnything = ["and", "or", "==", "~="].contains(token.text)
      left = Expression(
        token: start, kind: takesAnything ? .test([left, right]) : .operation([left, right]))
    }
    return left
  }

  private mutating func operand() throws(SyntaxUnknown) -> Expression {
    let start = cursor.position
    guard let token = cursor.current else { throw SyntaxUnknown() }
    guard token.kind != .string, ["not", "-", "#", "~"].contains(token.text) else { return try simple() }
    cursor.advance()
    let operand = try expression(above: Binding.unary)
    return Expression(token: start, kind: token.text == "not" ? .test([operand]) : .operation([operand]))
  }

  /// Maximum operators or calls in a row: the tree gets as deep.
  private static let longest = 1000

  /// An operand.
  private mutating func simple() throws(SyntaxUnknown) -> Expression {
    let start = cursor.position
    guard let token = cursor.current else { throw SyntaxUnknown() }
    switch (token.kind, token.text) {
    case (.number, _), (.keyword, "nil"), (.keyword, "true"), (.keyword, "false"):
      cursor.advance()
      return Expression(token: start, kind: .constant(token.text))
    case (.string, _):
      cursor.advance()
      return Expression(token: start, kind: .string(token.literal))
    case (.symbol, "..."):
      cursor.advance()
      return Expression(token: start, kind: .varargs)
    case (.symbol, "{"): return try table()
    case (.keyword, "function"):
      cursor.advance()
      return Expression(token: start, kind: .function(try functionBody(from: start)))
    default: return try suffixed()
    }
  }

  /// A name or parentheses, with all following fields, elements and calls.
  private mutating func suffixed() throws(SyntaxUnknown) -> Expression {
    let start = cursor.position
    var expression: Expression
    if cursor.accept("(") {
      expression = Expression(token: start, kind: .parentheses(try self.expression()))
      try cursor.expect(")")
    } else {
      expression = Expression(token: start, kind: .name(use(try cursor.name(), token: start)))
    }
    var length = 0
    while let kind = try suffix(of: expression) {
      expression = Expression(token: start, kind: kind)
      length += 1
      if length > Self.longest { throw SyntaxUnknown() }
    }
    return expression
  }

  private mutating func suffix(of base: Expression) throws(SyntaxUnknown) -> Expression.Kind? {
    guard let token = cursor.current else { return nil }
    if token.kind == .string { return .call(base, try arguments()) }
    guard token.kind == .symbol else { return nil }
    switch token.text {
    case ".":
      cursor.advance()
      let place = cursor.position
      return .field(base, name: try cursor.name(), token: place)
    case "[":
      cursor.advance()
      let key = try expression()
      try cursor.expect("]")
      if case .string(let name) = key.kind { return .field(base, name: name, token: key.token) }
      return .element(base, key)
    case ":":
      cursor.advance()
      let place = cursor.position
      let name = try cursor.name()
      return .method(base, name: name, token: place, try arguments())
    case "(", "{": return .call(base, try arguments())
    default: return nil
    }
  }

  private mutating func arguments() throws(SyntaxUnknown) -> [Expression] {
    guard cursor.accept("(") else { return [try simple()] }
    if cursor.accept(")") { return [] }
    let arguments = try expressions()
    try cursor.expect(")")
    return arguments
  }

  private mutating func table() throws(SyntaxUnknown) -> Expression {
    let start = cursor.position
    try cursor.expect("{")
    var entries: [TableEntry] = []
    while !cursor.isAt("}") {
      entries.append(try entry())
      if !cursor.accept(",") && !cursor.accept(";") { break }
    }
    try cursor.expect("}")
    return Expression(token: start, kind: .table(entries))
  }

  private mutating func entry() throws(SyntaxUnknown) -> TableEntry {
    let start = cursor.position
    if cursor.accept("[") {
      let key = try expression()
      try cursor.expect("]")
      try cursor.expect("=")
      let value = try expression()
      if case .string(let name) = key.kind {
        return TableEntry(token: start, name: name, key: nil, value: value)
      }
      return TableEntry(token: start, name: nil, key: key, value: value)
    }
    if cursor.current?.kind == .name, cursor.next?.text == "=", cursor.next?.kind == .symbol {
      let name = try cursor.name()
      try cursor.expect("=")
      return TableEntry(token: start, name: name, key: nil, value: try expression())
    }
    return TableEntry(token: start, name: nil, key: nil, value: try expression())
  }

  /// Parameters and body; `start` is where the function begins.
  private mutating func functionBody(from start: Int, isMethod: Bool = false) throws(SyntaxUnknown)
    -> FunctionBody
  {
    let outer = visible.count
    depth += 1
    defer {
      depth -= 1
      visible.removeLast(visible.count - outer)
    }
    let itself = isMethod ? LocalName("self", token: cursor.position, role: .implicit, depth: depth) : nil
    if let itself { visible.append(itself) }
    try cursor.expect("(")
    var (parameters, takesMore): ([LocalName], Bool) = ([], false)
    while !cursor.isAt(")") {
      takesMore = cursor.accept("...")
      if takesMore { break }
      let token = cursor.position
      parameters.append(LocalName(try cursor.name(), token: token, role: .parameter, depth: depth))
      if !cursor.accept(",") { break }
    }
    try cursor.expect(")")
    visible += parameters
    let body = try statements()
    try cursor.expect("end")
    return FunctionBody(
      parameters: parameters, takesMore: takesMore, itself: itself, body: body,
      tokens: start..<cursor.position)
  }
}
