import Lua
public import Paging

/// Script policies that decide in an exploration.
extension Workflow {
  /// The source's declared policy, or the built-in rule.
  public func policy(of source: ExploredSource) throws -> FreshPolicy {
    let definition = source.definition
    guard let table = definition.policyTable else {
      let options = definition.configuration.options
      let name =
        options.prefetchDistance.map { "prefetchDistance(\($0))" }
        ?? "leadingScreens(\(options.leadingScreens))"
      return FreshPolicy(name, try policies.policy(of: definition))
    }
    limits.renew()
    return try exploredPolicy(table, fallback: "shouldBatchFetch")
  }

  /// The policy in a value of the session: a policy, a function, or a source's own. Nil if it is none of these.
  public func exploredPolicy(_ value: PromptValue, name: String) throws -> FreshPolicy? {
    let stack = prelude.state.stack
    let top = stack.count
    defer { stack.truncate(to: top) }
    limits.renew()
    stack.push(value.reference)
    if stack.isTable(at: -1), try definitions.isSource(stack, at: stack.count) {
      return try exploredSource(value).map { try policy(of: $0) }
    }
    if stack.isTable(at: -1) {
      try prelude.call("isPolicy", with: stack.count, of: stack)
      guard stack.truth(at: -1) else { return nil }
      stack.pop()
    } else if !stack.isFunction(at: -1) {
      return nil
    }
    prelude.pushEntry("policy", on: stack)
    stack.push("policy")
    stack.pushCopy(of: top + 1)
    try prelude.state.call(arguments: 2, results: 1)
    return try exploredPolicy(stack.popReference(in: prelude.state), fallback: name)
  }

  /// The policy of a prelude table. A scripted one gets new parameters each time it is created; its other state does
  /// not go back in time.
  private func exploredPolicy(_ table: LuaReference, fallback: String) throws -> FreshPolicy {
    let stack = prelude.state.stack
    let top = stack.count
    defer { stack.truncate(to: top) }
    prelude.pushEntry("policyFields", on: stack)
    stack.push(table)
    stack.push(fallback)
    try prelude.state.call(arguments: 2, results: 1)
    let fields = DefinitionFields(stack: stack, table: stack.count)
    let name = fields.text("name") ?? fallback
    let first = try freshPolicy(table)
    if fields.boolean("isBuiltIn") == true { return FreshPolicy(name, first) }
    return FreshPolicy(name) { [self] in
      // It could be created before; only memory could be short.
      (try? freshPolicy(table)) ?? first
    }
  }

  private func freshPolicy(_ table: LuaReference) throws -> any FetchPolicy {
    try policies.tuned(table, [:]) { [observe = options.observe] in
      observe(.logged(level: "warn", message: $0, fields: []))
    }
  }
}
