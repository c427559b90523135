import Lua

extension ScriptParser {
  /// The next statement; nil for those that say nothing to a check.
  mutating func statement() throws(SyntaxUnknown) -> Statement? {
    guard let token = current else { throw SyntaxUnknown() }
    switch (token.kind, token.text) {
    case (.symbol, ";"), (.keyword, "break"):
      position += 1
      return nil
    case (.symbol, "::"):
      position += 1
      _ = try takeName()
      try expect("::")
      return nil
    case (.keyword, "goto"):
      position += 1
      _ = try takeName()
      return nil
    case (.keyword, "local"): return try local()
    case (.keyword, "function"): return try functionStatement()
    case (.keyword, "return"): return try returned()
    case (.keyword, "for"): return try loop()
    case (.keyword, "if"): return try conditional()
    case (.keyword, "do"):
      position += 1
      let body = try block()
      try expect("end")
      return .block(conditions: [], bodies: [body])
    case (.keyword, "while"):
      position += 1
      let condition = try expression()
      try expect("do")
      let body = try block()
      try expect("end")
      return .block(conditions: [condition], bodies: [body])
    case (.keyword, "repeat"): return try repetition()
    default: return try assignmentOrCall()
    }
  }

  private mutating func local() throws(SyntaxUnknown) -> Statement {
    try expect("local")
    if take("function") {
      let token = position
      let name = LocalName(try takeName(), token: token, role: .function, depth: depth)
      visible.append(name)
      let body = try functionBody(from: token - 1)
      name.value = Expression(token: token - 1, kind: .function(body))
      return .localFunction(name, body)
    }
    var names: [LocalName] = []
    repeat {
      let token = position
      let name = try takeName()
      var attribute: String?
      if take("<") {
        attribute = try takeName()
        try expect(">")
      }
      names.append(LocalName(name, token: token, role: .local, attribute: attribute, depth: depth))
    } while take(",")
    let values = take("=") ? try expressions() : []
    if names.count == values.count { for (name, value) in zip(names, values) { name.value = value } }
    visible += names
    return .local(names, values)
  }

  private mutating func functionStatement() throws(SyntaxUnknown) -> Statement {
    let start = position
    try expect("function")
    let token = position
    var target = Expression(token: token, kind: .name(use(try takeName(), token: token)))
    var isMethod = false
    while isAt(".") || isAt(":") {
      isMethod = isAt(":")
      position += 1
      let field = position
      target = Expression(token: token, kind: .field(target, name: try takeName(), token: field))
      if isMethod { break }
    }
    let body = try functionBody(from: start, isMethod: isMethod)
    return .assignment([target], [Expression(token: start, kind: .function(body))])
  }

  private mutating func returned() throws(SyntaxUnknown) -> Statement {
    try expect("return")
    let isEmpty = current.map { ["end", "else", "elseif", "until"].contains(keyword($0)) } ?? true
    let values = isEmpty || isAt(";") ? [] : try expressions()
    _ = take(";")
    return .return(values)
  }

  private mutating func loop() throws(SyntaxUnknown) -> Statement {
    try expect("for")
    var names: [LocalName] = []
    repeat {
      let token = position
      names.append(LocalName(try takeName(), token: token, role: .loop, depth: depth))
    } while take(",")
    let isNumeric = take("=")
    if !isNumeric { try expect("in") }
    let values = try expressions()
    try expect("do")
    let outer = visible.count
    defer { visible.removeLast(visible.count - outer) }
    visible += names
    let body = try statements()
    try expect("end")
    return .loop(names, isNumeric: isNumeric, values, body)
  }

  private mutating func conditional() throws(SyntaxUnknown) -> Statement {
    try expect("if")
    var conditions = [try expression()]
    try expect("then")
    var bodies = [try block()]
    while take("elseif") {
      conditions.append(try expression())
      try expect("then")
      bodies.append(try block())
    }
    if take("else") { bodies.append(try block()) }
    try expect("end")
    return .block(conditions: conditions, bodies: bodies)
  }

  /// The condition of `repeat` sees the locals of its body.
  private mutating func repetition() throws(SyntaxUnknown) -> Statement {
    try expect("repeat")
    let outer = visible.count
    defer { visible.removeLast(visible.count - outer) }
    let body = try statements()
    try expect("until")
    return .block(conditions: [try expression()], bodies: [body])
  }

  private mutating func assignmentOrCall() throws(SyntaxUnknown) -> Statement {
    let first = try suffixed()
    if isAt("=") || isAt(",") {
      var targets = [first]
      while take(",") { targets.append(try suffixed()) }
      try expect("=")
      return .assignment(targets, try expressions())
    }
    switch first.kind {
    case .call, .method: return .call(first)
    default: throw SyntaxUnknown()
    }
  }
}
