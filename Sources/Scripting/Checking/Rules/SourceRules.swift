/// Declarations that a source's handler does not honour, as far as visible without running it.
struct SourceRules {
  let script: ScriptText

  var findings: [ScriptFinding] {
    DeclaredTable.all(of: ["lookahead", "source"], in: script).flatMap { source in
      keys(of: source) + missingHandler(of: source) + handler(of: source)
    }
  }

  private func name(of source: DeclaredTable) -> String {
    if source.keys["name"] == nil, source.local == nil { return "the source" }
    return source.text("name", source.local?.name ?? "?", in: script).map { "source '\($0)'" } ?? "the source"
  }

  /// Keys without effect in combination with others.
  private func keys(of source: DeclaredTable) -> [ScriptFinding] {
    var findings: [ScriptFinding] = []
    func useless(_ key: String, because reason: String) {
      guard let place = source.keys[key] else { return }
      findings.append(
        script.finding(
          .warning, .uselessKey, at: place.token, "\(name(of: source)): \(key) has no effect: \(reason)"))
    }
    let hasPolicy = source.keys["policy"] != nil || source.keys["shouldBatchFetch"] != nil
    if source.keys["prefetchDistance"] != nil, !hasPolicy, !source.isOpen {
      useless(
        "leadingScreens", because: "prefetchDistance says the same in items, and wins; remove one of them")
    }
    if let retries = source.keys["retries"], case .constant("0") = script.value(of: retries.value).kind {
      useless("backoff", because: "retries is 0, so nothing is retried; remove one of them")
    }
    if let id = source.keys["id"], case .constant("false") = script.value(of: id.value).kind {
      useless(
        "merge", because: "id is false, so no item is ever held already; remove it, or say what the id is")
    }
    if source.keys["shouldBatchFetch"] != nil, source.keys["policy"] != nil {
      useless("policy", because: "shouldBatchFetch decides; remove one of them")
    }
    return findings
  }

  private func missingHandler(of source: DeclaredTable) -> [ScriptFinding] {
    guard source.keys["fetch"] == nil else { return [] }
    guard let local = source.local else { return returnedWithoutHandler(source) }
    if source.isOpen { return [] }
    let reading: Set = ["items", "pages", "itemSet"]
    let reader = script.uses(of: local).first { $0.isMethod && reading.contains($0.fields[0].name) }
    let isReturned = script.uses(of: local).contains { $0.fields.isEmpty && script.isReturned($0) }
    guard reader != nil || isReturned else { return [] }
    let advice = "declare function \(local.name).fetch(context)"
    return [
      script.finding(
        reader == nil ? .warning : .error, .declaration, at: source.call.token,
        "\(name(of: source)) has no fetch handler: \(advice)"
          + (reader == nil ? " (only the lab can do without)" : ""))
    ]
  }

  /// What is returned as it is declared gets no further keys.
  private func returnedWithoutHandler(_ source: DeclaredTable) -> [ScriptFinding] {
    guard source.isReturned else { return [] }
    return [
      script.finding(
        .warning, .declaration, at: source.call.token,
        "\(name(of: source)) has no fetch handler: give it fetch = function(context) … end (only the lab can do without)"
      )
    ]
  }

  private func handler(of source: DeclaredTable) -> [ScriptFinding] {
    guard let body = source.function("fetch", in: script) else { return [] }
    // With a parameter beside its self it counts as a method: reported elsewhere.
    if body.itself != nil, !body.parameters.isEmpty { return [] }
    let handler = HandlerReading(body, in: script)
    let rules = HandlerRules(
      script: script, handler: handler, source: name(of: source),
      keys: source.text("keys", "cursor", in: script),
      hasBookmark: source.keys["bookmark"].map { !$0.value.isNil } ?? false)
    return rules.findings
  }
}
