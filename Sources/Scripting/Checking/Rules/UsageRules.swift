/// Locals and parameters that nothing reads.
struct UsageRules {
  private let script: ScriptText
  /// Where the functions begin that have a name for good.
  private let functions: [ObjectIdentifier: Int]

  init(script: ScriptText) {
    self.script = script
    functions = Dictionary(
      script.walk.functions.map { (ObjectIdentifier($0.name), $0.body.tokens.lowerBound) },
      uniquingKeysWith: { first, _ in first })
  }

  var findings: [ScriptFinding] {
    script.walk.groups.flatMap(unused) + script.walk.functions.flatMap(unusedParameters)
  }

  /// Of several locals that share the values of one call, only those behind the last used one can be left out.
  private func unused(_ group: LocalGroup) -> [ScriptFinding] {
    let names = group.sharesOneValue ? group.names.suffix(from: firstFree(in: group.names)) : group.names[...]
    return names.compactMap { local in
      guard isJudged(local), !isRead(local) else { return nil }
      // The first name of a loop has to be there.
      if local.role == .loop, local === group.names.first { return nil }
      return finding(local)
    }
  }

  private func firstFree(in names: [LocalName]) -> Int {
    names.lastIndex { isRead($0) || !isJudged($0) }.map { $0 + 1 } ?? 0
  }

  private func isJudged(_ local: LocalName) -> Bool {
    !local.name.hasPrefix("_") && local.attribute != "close" && !script.hasOwnGlobals
  }

  private func finding(_ local: LocalName) -> ScriptFinding {
    let isWritten = script.uses(of: local).contains { $0.purpose == .written }
    let what = local.role == .function ? "function" : local.role == .loop ? "loop variable" : "local"
    return isWritten
      ? script.finding(
        .warning, .unusedValue, at: local.token,
        "\(what) '\(local.name)' is set and never read: read it, or remove it")
      : script.finding(
        .warning, .unusedLocal, at: local.token,
        "\(what) '\(local.name)' is never used: remove it, or call it _\(local.name) if it has to be there")
  }

  /// Whether something reads it; a function that only calls itself is not used.
  private func isRead(_ local: LocalName) -> Bool {
    let own = functions[ObjectIdentifier(local)]
    return script.uses(of: local).contains { use in
      let isRead = use.purpose != .written || !use.fields.isEmpty
      return isRead && !(own.map { use.functions.contains($0) } ?? false)
    }
  }

  /// Parameters behind the last used one, of a function that this script alone calls. What is handed on has the parameters
  /// that others give it.
  private func unusedParameters(_ function: (name: LocalName, body: FunctionBody)) -> [ScriptFinding] {
    let uses = script.uses(of: function.name)
    guard uses.allSatisfy({ $0.purpose == .called && $0.fields.isEmpty && !$0.isMethod }), !uses.isEmpty,
      !script.hasOwnGlobals
    else { return [] }
    let parameters = function.body.parameters
    return parameters.suffix(from: firstFree(in: parameters)).map { parameter in
      script.finding(
        .warning, .unusedParameter, at: parameter.token,
        "parameter '\(parameter.name)' of '\(function.name.name)' is never read: remove it, or call it "
          + "_\(parameter.name) if it has to be there")
    }
  }
}
