/// Policies that wait, and parameters that are undeclared or unread.
struct PolicyRules {
  let script: ScriptText
  let types: TypedLocals

  var findings: [ScriptFinding] { waits + policyParameters + runParameters }

  private var policies: [DeclaredTable] {
    DeclaredTable.all(of: ["lookahead", "source"], in: script)
      + DeclaredTable.all(of: ["lookahead", "policy"], in: script)
  }

  /// A policy must answer immediately.
  private var waits: [ScriptFinding] {
    policies.flatMap { policy in
      ["shouldBatchFetch", "start"].compactMap { policy.function($0, in: script) }
    }.flatMap { body -> [ScriptFinding] in
      script.walk.calls.compactMap { call in
        guard call.callee.functions.last == body.tokens.lowerBound,
          let function = types.function(call.callee, in: script), function.waits
        else { return nil }
        let name = script.path(of: call.callee)?.joined(separator: ".") ?? function.name
        return script.finding(
          .error, .waitsInPolicy, at: call.token,
          "\(name) waits, and a policy cannot: do it in the fetch handler, and let the policy read what came of it"
        )
      }
    }
  }

  /// Parameters of a policy, passed along with the view, and to what starts it.
  private var policyParameters: [ScriptFinding] {
    DeclaredTable.all(of: ["lookahead", "policy"], in: script).flatMap { policy -> [ScriptFinding] in
      guard let body = policy.function("shouldBatchFetch", in: script), body.parameters.count > 1 else {
        return []
      }
      let declared = policy.keys["parameters"]?.value.entries ?? []
      if policy.keys["parameters"] != nil, policy.keys["parameters"]?.value.entries == nil { return [] }
      let start = policy.function("start", in: script)?.parameters.first
      return compare(
        declared, with: [body.parameters[1]] + (start.map { [$0] } ?? []), what: "this policy",
        isStrict: false)
    }
  }

  /// Parameters of the run.
  private var runParameters: [ScriptFinding] {
    let declarations = DeclaredTable.all(of: ["lookahead", "parameters"], in: script)
    let all = script.walk.calls.filter { script.path(of: $0.callee) == ["lookahead", "parameters"] }
    let useless = declarations.flatMap(uselessDefaults)
    guard all.count == 1, let declaration = declarations.first, let local = declaration.local else {
      return useless
    }
    let entries = declaration.call.arguments[0].entries ?? []
    return useless + compare(entries, with: [local], what: "the script", isStrict: true)
  }

  private func uselessDefaults(_ declaration: DeclaredTable) -> [ScriptFinding] {
    (declaration.call.arguments[0].entries ?? []).compactMap { entry in
      guard let keys = entry.value.entries, let required = keys.first(where: { $0.name == "required" }),
        case .constant("true") = required.value.kind,
        keys.contains(where: { $0.name == "default" && !$0.value.isNil })
      else { return nil }
      return script.finding(
        .warning, .uselessKey, at: required.token,
        "parameter '\(entry.name ?? "?")': required has no effect beside a default; remove one of them")
    }
  }

  /// Compares declared names with those read through the locals that hold their values.
  private func compare(
    _ entries: [TableEntry], with locals: [LocalName], what: String, isStrict: Bool
  ) -> [ScriptFinding] {
    let uses = locals.flatMap { script.uses(of: $0) }
    guard locals.allSatisfy({ script.isConstant($0) }), entries.allSatisfy({ $0.name != nil }) else {
      return []
    }
    let names = entries.compactMap(\.name)
    let unknown = uses.compactMap { use -> ScriptFinding? in
      guard let field = use.fields.first, !names.contains(field.name), use.purpose != .written,
        isStrict || use.purpose != .tested
      else { return nil }
      return script.finding(
        use.isGuarded ? .warning : .error, .unknownField, at: field.token,
        "\(what) declares no parameter '\(field.name)'"
          + (names.isEmpty ? "" : NearestName.hint(field.name, in: names)))
    }
    // If it is passed on or indexed by a computed name, any of them may be read.
    if uses.contains(where: \.fields.isEmpty) { return unknown }
    // A typo in the only line that reads it is one finding, not two.
    let meant = uses.compactMap { NearestName.of($0.fields[0].name, in: names) }
    let unread = entries.filter { entry in
      !uses.contains { $0.fields[0].name == entry.name } && !meant.contains { $0 == entry.name }
    }
    return unknown
      + unread.map { entry in
        script.finding(
          .warning, .uselessKey, at: entry.token,
          "parameter '\(entry.name ?? "")' is declared and never read: read it, or remove it")
      }
  }
}
