/// Missing fields of host objects, and unknown keys of options.
struct ObjectRules {
  let script: ScriptText
  let types: TypedLocals

  var findings: [ScriptFinding] {
    script.walk.uses.compactMap(unknownMember) + script.walk.calls.flatMap(unknownKeys)
      + script.walk.repeatedKeys.map { name, token in
        script.finding(
          .warning, .uselessKey, at: token,
          "'\(name)' is written twice in one table: the last one counts; remove this one")
      }
  }

  /// Classes whose objects raise an error for a missing field.
  private static let strict: Set = [
    "Context", "View", "Source", "PrefetchContext", "Prefetcher", "Collection",
  ]

  private func unknownMember(_ use: ChainUse) -> ScriptFinding? {
    guard let local = use.root.local, var type = types[local] else { return nil }
    // A reassigned local may hold anything.
    if !script.isConstant(local) { return nil }
    for (position, field) in use.fields.enumerated() {
      if !type.subscriptText.isEmpty { return nil }
      let isLast = position == use.fields.count - 1
      if let member = APIFunctions.member(field.name, of: type) {
        if isLast || member.field == nil { return nil }
        guard let next = member.field.flatMap({ APIFunctions.type($0.type) }) else { return nil }
        type = next
        continue
      }
      return missing(field, of: type, use, isLast: isLast)
    }
    return nil
  }

  private func missing(
    _ field: (name: String, token: Int), of type: APIClass, _ use: ChainUse, isLast: Bool
  ) -> ScriptFinding? {
    let isSet = use.purpose == .written && isLast
    if isSet && type.name != "Context" { return nil }
    let isStrict = Self.strict.contains(type.name)
    if !isStrict, use.purpose == .tested || isSetOrTested(field.name, of: use) { return nil }
    let isFatal = isStrict || use.purpose != .read || !isLast
    let advice =
      isSet
      ? " (a handler sets context.nextKey and context.total only)"
      : NearestName.hint(field.name, in: APIFunctions.members(of: type))
    return script.finding(
      isFatal && !use.isGuarded ? .error : .warning, .unknownField, at: field.token,
      "a \(type.word) has no '\(field.name)'\(advice)")
  }

  /// Whether the script sets this field of the object, or tests for it.
  private func isSetOrTested(_ name: String, of use: ChainUse) -> Bool {
    guard let local = use.root.local else { return false }
    return script.uses(of: local).contains { other in
      (other.purpose == .written || other.purpose == .tested) && other.fields.contains { $0.name == name }
    }
  }

  /// Keys in a table constructor that the called function does not know.
  private func unknownKeys(_ call: CallUse) -> [ScriptFinding] {
    guard let function = types.function(call.callee, in: script) else { return [] }
    let what = call.callee.isMethod ? "\(call.callee.root.name):\(function.name)" : callName(call)
    return zip(function.signature.parameters, call.arguments).flatMap { parameter, argument in
      unknownKeys(in: argument, parameter.type, what, isGuarded: call.callee.isGuarded)
    }
  }

  private func callName(_ call: CallUse) -> String {
    script.path(of: call.callee)?.joined(separator: ".") ?? call.callee.root.name
  }

  private func unknownKeys(
    in argument: Expression, _ type: String, _ what: String, isGuarded: Bool
  ) -> [ScriptFinding] {
    guard let entries = argument.entries, let keys = APIFunctions.keys(type),
      keys.subscriptText.isEmpty
    else { return [] }
    return entries.flatMap { entry -> [ScriptFinding] in
      guard let name = entry.name else { return [] }
      if let field = APIFunctions.member(name, of: keys)?.field {
        return unknownKeys(in: entry.value, field.type, "\(what): \(name)", isGuarded: isGuarded)
      }
      return [
        script.finding(
          isGuarded ? .warning : .error, .unknownKey, at: entry.token,
          "\(what): unknown key '\(name)'\(NearestName.hint(name, in: APIFunctions.members(of: keys)))")
      ]
    }
  }
}
