/// Unused locals and parameters.
struct UsageRules {
  private let script: ScriptText
  /// The starts of functions with a constant name.
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

  /// Of several locals that share the values of one call, only those after the last used one can be omitted.
  private func unused(_ group: LocalGroup) -> [ScriptFinding] {
    let names = group.sharesOneValue ? group.names.suffix(from: firstFree(in: group.names)) : group.names[...]
    return names.compactMap { local in
      guard isJudged(local), !isRead(local) else { return nil }
      // The first variable of a loop is required.
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

  /// Whether it is read; a function that only calls itself is not.
  private func isRead(_ local: LocalName) -> Bool {
    let own = functions[ObjectIdentifier(local)]
    return script.uses(of: local).contains { use in
      let isRead = use.purpose != .written || !use.fields.isEmpty
      return isRead && !(own.map { use.functions.contains($0) } ?? false)
    }
  }

  /// Parameters after the last used one, of a function that only this script calls. A function passed elsewhere has the
  /// parameters its callers expect.
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
