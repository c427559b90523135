public import Items
public import Lua
public import Paging

/// What a person at a prompt explores of a script: its sources, its policies, and the pages that its handlers fetch.
///
///     let source = try workflow.exploring.source(value)
///     workflow.exploring.ask(requests, of: source, answered: { request, answer in … }, ended: { error in … })
public final class ExplorationHost {
  private let prelude: Prelude
  private let turn: Turn
  private let run: RunState
  private let fetches: FetchHost
  private let definitions: SourceDefinitions
  private let policies: ScriptPolicies
  private let limits: LineLimits
  private let observe: (Observation) -> Void

  init(
    _ prelude: Prelude, _ turn: Turn, _ run: RunState, _ fetches: FetchHost,
    _ definitions: SourceDefinitions, _ policies: ScriptPolicies, _ limits: LineLimits,
    observe: @escaping (Observation) -> Void
  ) {
    self.prelude = prelude
    self.turn = turn
    self.run = run
    self.fetches = fetches
    self.definitions = definitions
    self.policies = policies
    self.limits = limits
    self.observe = observe
  }
}

/// Sources, and the pages that they are asked for.
extension ExplorationHost {
  /// The source in a value of the session, ready to be explored. Nil if it is something else; throws if the source
  /// can't be read. If it replaces another, its items are distinguished from those.
  public func source(_ value: PromptValue, insteadOf old: ExploredSource? = nil) throws -> ExploredSource? {
    let stack = prelude.state.stack
    let top = stack.count
    defer { stack.truncate(to: top) }
    limits.renew()
    stack.push(value.reference)
    guard stack.isTable(at: -1), try definitions.isSource(stack, at: stack.count) else { return nil }
    let definition = try definitions.sealed(stack, at: stack.count)
    stack.push(definition.table)
    let fields = DefinitionFields(stack: stack, table: stack.count)
    do throws(InvalidConfiguration) {
      let source = try ExploredSource(
        definition, maxItems: try fields.count("maxItems"),
        reader: ExplorationReader(definition, turn, fetches))
      if let old { source.reader.countOn(after: old.reader) }
      return source
    } catch {
      throw LuaError(.runtime, "source '\(definition.name)': \(error.text)")
    }
  }

  /// Has the source's own handlers fetch the pages of an exploration, all at once, starting with the workflow's next
  /// event.
  ///
  /// `answered` is called for each with the result and its duration; `ended` once, with the error if the handlers were
  /// stopped: by the user, or for lack of time or memory.
  public func ask(
    _ requests: [FetchRequest], of source: ExploredSource,
    answered: @escaping (FetchRequest, JournaledAnswer) -> Void, ended: @escaping (LuaError?) -> Void
  ) {
    turn.enqueue { [run, limits] in
      guard !run.isStopping, source.reader.asking == nil, !requests.isEmpty else { return ended(nil) }
      limits.renew()
      source.reader.begin(requests, ExplorationReader.Asking(answered: answered, ended: ended))
    }
  }

  /// Ends the unanswered requests of the source, as interrupted.
  public func stopAsking(_ source: ExploredSource) {
    turn.enqueue { source.reader.finish(.interruptedLine) }
  }

  /// A list of items, as a script would see it.
  public func value(of items: [Item]) throws(LuaError) -> PromptValue {
    let state = prelude.state
    limits.renew()
    try state.stack.push(items, on: state.account)
    return PromptValue(from: state.stack, in: state)
  }
}

/// Policies.
extension ExplorationHost {
  /// Lets the script's policies decide again, after a stop.
  public func prepareToDecide() { limits.renew() }

  /// Whether the user has stopped the script since; verdicts of its policies made then don't count.
  public var hasBeenStopped: Bool { prelude.state.isStopped }

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
    return try policy(table, fallback: "shouldBatchFetch")
  }

  /// The policy in a value of the session: a policy, a function, or a source's own. Nil if it is none of these.
  public func policy(_ value: PromptValue, name: String) throws -> FreshPolicy? {
    let stack = prelude.state.stack
    let top = stack.count
    defer { stack.truncate(to: top) }
    limits.renew()
    stack.push(value.reference)
    if stack.isTable(at: -1), try definitions.isSource(stack, at: stack.count) {
      return try source(value).map { try policy(of: $0) }
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
    return try policy(stack.popReference(in: prelude.state), fallback: name)
  }

  /// The policy of a prelude table. A scripted one gets new copies of all that it reaches each time it is created.
  private func policy(_ table: LuaReference, fallback: String) throws -> FreshPolicy {
    let stack = prelude.state.stack
    let top = stack.count
    defer { stack.truncate(to: top) }
    prelude.pushEntry("policyFields", on: stack)
    stack.push(table)
    stack.push(fallback)
    try prelude.state.call(arguments: 2, results: 1)
    let fields = DefinitionFields(stack: stack, table: stack.count)
    let name = fields.text("name") ?? fallback
    let maker = policies.maker(of: table, isStrict: false)
    let first = try freshPolicy(maker)
    if fields.boolean("isBuiltIn") == true { return FreshPolicy(name, first) }
    return FreshPolicy(name) { [self] in
      // It could be created before; only memory could be short.
      (try? freshPolicy(maker)) ?? first
    }
  }

  private func freshPolicy(_ maker: PolicyMaker) throws -> any FetchPolicy {
    try maker.make([:], seed: 0) { [observe] in
      observe(.logged(level: "warn", message: $0 + LuaPolicy.consequence, fields: []))
    }
  }
}
