import Lua

extension ScriptParser {
  mutating func expressions() throws(SyntaxUnknown) -> [Expression] {
    var expressions = [try expression()]
    while take(",") { expressions.append(try expression()) }
    return expressions
  }

  /// An expression whose operators bind closer than `limit`.
  mutating func expression(above limit: Int = 0) throws(SyntaxUnknown) -> Expression {
    try deeper()
    defer { shallower() }
    let start = position
    var left = try operand()
    var length = 0
    while let token = current, token.kind != .string, let binding = Self.operators[token.text],
      binding.left > limit
    {
      length += 1
      if length > Self.longest { throw SyntaxUnknown() }
      position += 1
      let right = try expression(above: binding.right)
      let takesAnything = ["and", "or", "==", "~="].contains(token.text)
      left = Expression(
        token: start, kind: takesAnything ? .test([left, right]) : .operation([left, right]))
    }
    return left
  }

  private mutating func operand() throws(SyntaxUnknown) -> Expression {
    let start = position
    guard let token = current else { throw SyntaxUnknown() }
    guard token.kind != .string, ["not", "-", "#", "~"].contains(token.text) else { return try simple() }
    position += 1
    let operand = try expression(above: Self.unaryBinding)
    return Expression(token: start, kind: token.text == "not" ? .test([operand]) : .operation([operand]))
  }

  /// Operators or calls in a row, which become as deep a tree.
  private static let longest = 1000

  private static let unaryBinding = 12

  /// How close operators bind to the left and to the right, as the manual of Lua 5.4 ranks them (3.4.8).
  private static let operators: [String: (left: Int, right: Int)] = {
    let ranks: [(left: Int, right: Int, operators: [String])] = [
      (1, 1, ["or"]), (2, 2, ["and"]), (3, 3, ["<", ">", "<=", ">=", "~=", "=="]), (4, 4, ["|"]),
      (5, 5, ["~"]), (6, 6, ["&"]), (7, 7, ["<<", ">>"]), (9, 8, [".."]), (10, 10, ["+", "-"]),
      (11, 11, ["*", "/", "//", "%"]), (14, 13, ["^"]),
    ]
    let pairs = ranks.flatMap { rank in rank.operators.map { ($0, (left: rank.left, right: rank.right)) } }
    return Dictionary(uniqueKeysWithValues: pairs)
  }()

  /// A value without operators.
  private mutating func simple() throws(SyntaxUnknown) -> Expression {
    let start = position
    guard let token = current else { throw SyntaxUnknown() }
    switch (token.kind, token.text) {
    case (.number, _), (.keyword, "nil"), (.keyword, "true"), (.keyword, "false"):
      position += 1
      return Expression(token: start, kind: .constant(token.text))
    case (.string, _):
      position += 1
      return Expression(token: start, kind: .string(token.literal))
    case (.symbol, "..."):
      position += 1
      return Expression(token: start, kind: .varargs)
    case (.symbol, "{"): return try table()
    case (.keyword, "function"):
      position += 1
      return Expression(token: start, kind: .function(try functionBody(from: start)))
    default: return try suffixed()
    }
  }

  /// A name or parentheses, with all fields, elements and calls behind it.
  mutating func suffixed() throws(SyntaxUnknown) -> Expression {
    let start = position
    var expression: Expression
    if take("(") {
      expression = Expression(token: start, kind: .parentheses(try self.expression()))
      try expect(")")
    } else {
      expression = Expression(token: start, kind: .name(use(try takeName(), token: start)))
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
    guard let token = current else { return nil }
    if token.kind == .string { return .call(base, try arguments()) }
    guard token.kind == .symbol else { return nil }
    switch token.text {
    case ".":
      position += 1
      let place = position
      return .field(base, name: try takeName(), token: place)
    case "[":
      position += 1
      let key = try expression()
      try expect("]")
      if case .string(let name) = key.kind { return .field(base, name: name, token: key.token) }
      return .element(base, key)
    case ":":
      position += 1
      let place = position
      let name = try takeName()
      return .method(base, name: name, token: place, try arguments())
    case "(", "{": return .call(base, try arguments())
    default: return nil
    }
  }

  private mutating func arguments() throws(SyntaxUnknown) -> [Expression] {
    guard take("(") else { return [try simple()] }
    if take(")") { return [] }
    let arguments = try expressions()
    try expect(")")
    return arguments
  }

  private mutating func table() throws(SyntaxUnknown) -> Expression {
    let start = position
    try expect("{")
    var entries: [TableEntry] = []
    while !isAt("}") {
      entries.append(try entry())
      if !take(",") && !take(";") { break }
    }
    try expect("}")
    return Expression(token: start, kind: .table(entries))
  }

  private mutating func entry() throws(SyntaxUnknown) -> TableEntry {
    let start = position
    if take("[") {
      let key = try expression()
      try expect("]")
      try expect("=")
      let value = try expression()
      if case .string(let name) = key.kind {
        return TableEntry(token: start, name: name, key: nil, value: value)
      }
      return TableEntry(token: start, name: nil, key: key, value: value)
    }
    if current?.kind == .name, position + 1 < tokens.count, tokens[position + 1].text == "=",
      tokens[position + 1].kind == .symbol
    {
      let name = try takeName()
      try expect("=")
      return TableEntry(token: start, name: name, key: nil, value: try expression())
    }
    return TableEntry(token: start, name: nil, key: nil, value: try expression())
  }

  /// Parameters and body; `start` is where the function begins.
  mutating func functionBody(from start: Int, isMethod: Bool = false) throws(SyntaxUnknown) -> FunctionBody {
    let outer = visible.count
    depth += 1
    defer {
      depth -= 1
      visible.removeLast(visible.count - outer)
    }
    let itself = isMethod ? LocalName("self", token: position, role: .implicit, depth: depth) : nil
    if let itself { visible.append(itself) }
    try expect("(")
    var parameters: [LocalName] = []
    while !isAt(")") {
      if take("...") { break }
      let token = position
      parameters.append(LocalName(try takeName(), token: token, role: .parameter, depth: depth))
      if !take(",") { break }
    }
    try expect(")")
    visible += parameters
    let body = try statements()
    try expect("end")
    return FunctionBody(
      parameters: parameters, itself: itself, body: body, tokens: start..<position)
  }
}
