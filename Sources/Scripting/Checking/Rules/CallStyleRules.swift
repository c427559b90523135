import Lua

/// Dots where colons belong, and colons where dots do.
struct CallStyleRules {
  let script: ScriptText
  let types: TypedLocals

  var findings: [ScriptFinding] {
    script.walk.calls.compactMap { $0.callee.isMethod ? methodOfLibrary($0) : dottedMethod($0) }
      + DeclaredTable.all(of: ["lookahead", "source"], in: script).flatMap(handlers(of:))
  }

  /// A method called like a function, without its object: `context.complete(true)`.
  private func dottedMethod(_ call: CallUse) -> ScriptFinding? {
    let callee = call.callee
    guard callee.fields.count == 1, let local = callee.root.local, let type = types[local],
      script.isConstant(local), let method = APIFunctions.member(callee.fields[0].name, of: type)?.method,
      !isSet(method.name, of: local), lacksObject(call.arguments, method, of: type)
    else { return nil }
    let (object, name) = (callee.root.name, method.name)
    return script.finding(
      callee.isGuarded ? .warning : .error, .wrongCall, at: callee.fields[0].token,
      "'\(name)' is a method of a \(type.word): write \(object):\(name)(…), not \(object).\(name)(…)")
  }

  private func isSet(_ name: String, of local: LocalName) -> Bool {
    script.uses(of: local).contains { $0.purpose == .written && $0.fields.map(\.name) == [name] }
  }

  /// Whether the first argument can't be the method's object.
  private func lacksObject(_ arguments: [Expression], _ method: APIFunction, of type: APIClass) -> Bool {
    guard let first = arguments.first, let last = arguments.last else { return true }
    let value = script.value(of: first)
    if case .name(let use) = value.kind, let local = use.local, types[local]?.name == type.name {
      return false
    }
    if isPlain(value) { return true }
    // With the object there would be one argument too few.
    let needed = method.signature.parameters.filter { !$0.isOptional && $0.name != "..." && $0.type != "any" }
    return !givesSeveral(last) && arguments.count <= needed.count
  }

  /// A value that can't be an object of the host.
  private func isPlain(_ value: Expression) -> Bool {
    switch value.kind {
    case .string, .constant, .function, .table, .operation: true
    case .test(let operands):
      // `and` and `or` evaluate to an operand; the others to a boolean.
      operands.count == 1 || ["==", "~="].contains(script.tokens[operands[1].token - 1].text)
    case .name, .varargs, .field, .element, .call, .method, .parentheses: false
    }
  }

  private func givesSeveral(_ value: Expression) -> Bool {
    switch value.kind {
    case .varargs, .call, .method: true
    default: false
    }
  }

  /// A library function called like a method: `lookahead.json:decode(text)`.
  private func methodOfLibrary(_ call: CallUse) -> ScriptFinding? {
    let callee = call.callee
    guard let path = script.path(of: callee), path.first == "lookahead", let function = APIFunctions[path],
      let field = callee.fields.last
    else { return nil }
    let table = ([callee.root.name] + callee.fields.dropLast().map(\.name)).joined(separator: ".")
    // A function that takes anything takes its table, too.
    let first = function.signature.parameters.first
    let takesTable = first.map { $0.name == "..." || $0.type.contains("any") } ?? true
    return script.finding(
      callee.isGuarded || takesTable ? .warning : .error, .wrongCall, at: field.token,
      "'\(field.name)' is no method: write \(table).\(field.name)(…), not \(table):\(field.name)(…)")
  }

  /// Handlers that may be declared like methods, and how many arguments each receives.
  private static let handlers = [
    ("fetch", 1), ("id", 1), ("prefetchItem", 2), ("shouldBatchFetch", 2), ("transform", 1),
  ]

  /// A handler declared with a colon: its self is what the first parameter was meant to be.
  private func handlers(of source: DeclaredTable) -> [ScriptFinding] {
    Self.handlers.compactMap { name, count in
      guard let place = source.keys[name], let local = source.local,
        let body = source.function(name, in: script), let itself = body.itself,
        body.parameters.contains(where: { !script.uses(of: $0).isEmpty }),
        body.given.count > count || script.uses(of: itself).isEmpty
      else { return nil }
      let parameters = body.parameters.map(\.name).joined(separator: ", ")
      let head = "\(local.name).\(name)(\(parameters))"
      return script.finding(
        .error, .wrongCall, at: place.token,
        "'\(name)' is no method, and its first value would be 'self': write function \(head), not function "
          + "\(local.name):\(name)(\(parameters))")
    }
  }
}
