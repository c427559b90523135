import Paging

/// Tables that policies return but that are not verdicts.
struct VerdictRules {
  let script: ScriptText

  private static let keys = APIDescription.type(named: "Verdict")?.fields.map(\.name) ?? []

  var findings: [ScriptFinding] {
    policies.flatMap { body in
      body.body.flatMap(\.returns).flatMap { ($0.first?.entries ?? []).compactMap(mistake) }
    }
  }

  private var policies: [FunctionBody] {
    let sources = DeclaredTable.all(of: ["lookahead", "source"], in: script)
    let policies = DeclaredTable.all(of: ["lookahead", "policy"], in: script)
    return (sources + policies).compactMap { $0.function("shouldBatchFetch", in: script) }
      + sources.compactMap { $0.function("policy", in: script) }
  }

  private func mistake(_ entry: TableEntry) -> ScriptFinding? {
    guard let name = entry.name else {
      let isPlace = entry.key == nil && !entry.value.isNil && !isOpen(entry.value)
      return isPlace ? finding(entry, "expected named keys, as { fetch = 1 }") : nil
    }
    guard Self.keys.contains(name) else {
      return finding(entry, "unknown key '\(name)'\(NearestName.hint(name, in: Self.keys))")
    }
    guard name == "direction", case .string(let text) = script.value(of: entry.value).kind,
      Direction(rawValue: text) == nil
    else { return nil }
    return finding(entry, "direction: expected \"append\", \"prepend\" or \"refresh\", got \"\(text)\"")
  }

  /// Whether it may evaluate to nothing.
  private func isOpen(_ value: Expression) -> Bool {
    switch value.kind {
    case .varargs, .call, .method, .name, .field, .element, .test, .parentheses: true
    case .string, .constant, .function, .table, .operation: false
    }
  }

  private func finding(_ entry: TableEntry, _ message: String) -> ScriptFinding {
    script.finding(.error, .wrongVerdict, at: entry.token, "the verdict of this policy: \(message)")
  }
}
