import Lua
public import Paging

/// Creates policies from a script's declarations.
final class ScriptPolicies {
  /// Overrides a source's own policy, by the source's name; nil keeps it.
  typealias Override = (_ source: String) throws -> (any FetchPolicy)?

  /// Whether a policy is deciding.
  let decision = Decision()
  private let prelude: Prelude
  private let instructions: Int
  private let override: Override?
  private var seeds: RandomStream
  private var warnings: Set<String> = []
  private let observe: (Observation) -> Void
  private lazy var view = PolicyViewTable(prelude.state)

  /// `instructions` is the budget of one decision, and `seed` that of the policies' random numbers.
  init(
    _ prelude: Prelude, instructions: Int, seed: UInt64, override: Override?,
    observe: @escaping (Observation) -> Void
  ) {
    self.prelude = prelude
    self.instructions = instructions
    seeds = RandomStream(seed: seed, "policy")
    self.override = override
    self.observe = observe
  }

  /// The policy of a source: its own, or the built-in rule.
  func policy(of definition: SourceDefinition) throws -> any FetchPolicy {
    if let policy = try override?(definition.name) { return policy }
    guard let table = definition.policyTable else {
      if let distance = definition.configuration.options.prefetchDistance {
        return PrefetchDistance(distance)
      }
      return LeadingScreens()
    }
    let report: (String) -> Void = { [observe, name = definition.name] in
      observe(.logged(level: "warn", message: "source '\(name)': \($0)\(LuaPolicy.consequence)", fields: []))
    }
    return try maker(of: table, isStrict: false).make([:], seed: seeds.next(), report: report)
  }

  /// Makes policies as declared by a prelude table. If strict, what a policy reaches and can't have a copy of makes it
  /// fail; otherwise it is shared.
  func maker(of table: LuaReference, isStrict: Bool) -> PolicyMaker {
    PolicyMaker(prelude, self, table, isStrict: isStrict)
  }

  /// Warns, once, of a policy whose feeds share what it reaches.
  func warnOfSharing(_ reason: String) {
    guard warnings.insert(reason).inserted else { return }
    observe(
      .logged(
        level: "warn", message: "a policy is shared by its feeds, with all that it remembers: \(reason)",
        fields: []))
  }

  /// The policy described by a prelude table of its own.
  func policy(_ fields: DefinitionFields, for use: PolicyUse) throws -> any FetchPolicy {
    let name = fields.text("name") ?? ""
    switch fields.text("kind") {
    case "script": return scripted(fields, use)
    case "named": return try BuiltInPolicies.policy(name)
    case "builtIn": return try BuiltInPolicies.policy(name, fields.number("value").map { [$0] } ?? [])
    default: return try combined(name, fields, use)
    }
  }

  private func scripted(_ fields: DefinitionFields, _ use: PolicyUse) -> any FetchPolicy {
    fields.stack.pushField("shouldBatchFetch", of: fields.table)
    fields.stack.pushField("parameters", of: fields.table)
    if fields.stack.isNil(at: -1) {
      fields.stack.pop()
      fields.stack.pushTable()
    }
    fields.stack.pushField("start", of: fields.table)
    return LuaPolicy(
      prelude.state,
      LuaPolicy.Call(view: view, decision: decision, instructions: instructions), use)
  }

  private func combined(
    _ name: String, _ fields: DefinitionFields, _ use: PolicyUse
  ) throws -> any FetchPolicy {
    let parts = try parts(fields, use)
    guard parts.count > (name == "notWhile" ? 1 : 0) else {
      throw LuaError(.runtime, "the policy '\(name)' has \(parts.count) parts, which are too few")
    }
    let value = fields.number("value") ?? 0
    switch name {
    case "anyOf": return AnyOf(parts)
    case "allOf": return AllOf(parts)
    case "notWhile": return NotWhile(parts[0], blocker: parts[1])
    case "hysteresis": return Hysteresis(parts[0], until: value)
    default: return AtMost(parts[0], rate: value)
    }
  }

  private func parts(_ fields: DefinitionFields, _ use: PolicyUse) throws -> [any FetchPolicy] {
    guard let list = fields.table("parts") else { return [] }
    defer { list.close() }
    return try (1...max(1, list.stack.length(of: list.table))).map { position in
      list.stack.pushElement(position, of: list.table)
      defer { list.stack.pop() }
      guard list.stack.isTable(at: -1) else {
        throw LuaError(
          .runtime, "part \(position) of a policy is a \(list.stack.typeName(at: -1)), and no policy")
      }
      return try policy(DefinitionFields(stack: list.stack, table: list.stack.absolute(-1)), for: use)
    }
  }
}

extension PolicyTextError {
  /// The error in words, for users.
  public var sentence: String {
    switch problem {
    case .unknownName(let known): "unknown policy \"\(text)\"\(NearestName.hint(text, in: known))"
    case .syntax(let expected, let offset):
      "the policy \"\(text)\" cannot be read: expected \(expected) after \(offset) characters"
    case .arguments(let expected): "the policy \(text): expected \(expected)"
    }
  }
}
