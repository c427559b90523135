import Lua
import Paging

/// Makes policies from one declaration. Each has its own copy of all that it reaches: upvalues, tables, `math.random`.
final class PolicyMaker {
  private let prelude: Prelude
  private let policies: ScriptPolicies
  private let table: LuaReference
  private let isStrict: Bool
  /// Isolates whose policies are gone: their functions can be used again.
  private var idle: [LuaReference] = []

  init(_ prelude: Prelude, _ policies: ScriptPolicies, _ table: LuaReference, isStrict: Bool) {
    self.prelude = prelude
    self.policies = policies
    self.table = table
    self.isStrict = isStrict
  }

  /// A policy with other parameter values and random numbers from `seed`. If it is strict and can't be copied, the built-in
  /// rule decides, and `report` is called with the reason, as with its later failures.
  func make(
    _ values: [String: Double], seed: UInt64, report: @escaping (String) -> Void
  ) throws -> any FetchPolicy {
    let stack = prelude.state.stack
    let top = stack.count
    defer { stack.truncate(to: top) }
    let copies = Copies(try isolate(), of: self)
    prelude.pushEntry("ownPolicy", on: stack)
    stack.push(table)
    stack.pushTable(fields: values.count)
    for (name, value) in values { stack.setField(name, of: -1, to: .number(value)) }
    stack.push(copies.isolate)
    stack.push(Int64(bitPattern: seed))
    do throws(LuaError) {
      try prelude.state.call(arguments: 4, results: 2)
    } catch {
      if case .stopped = error.kind { throw error }
      report(error.message)
      return UnmadePolicy(reason: error.message)
    }
    if let reason = stack.shownString(at: -1) { policies.warnOfSharing(reason) }
    stack.pop()
    return try policies.policy(
      DefinitionFields(stack: stack, table: stack.absolute(-1)),
      for: PolicyUse(copies: copies, endsWithFailure: isStrict, report: report))
  }

  private func isolate() throws(LuaError) -> LuaReference {
    if let isolate = idle.popLast() { return isolate }
    prelude.pushEntry("newIsolate", on: prelude.state.stack)
    prelude.state.stack.push(isStrict)
    try prelude.state.call(arguments: 1, results: 1)
    return prelude.state.stack.popReference(in: prelude.state)
  }

  /// The copies of one policy, as long as it lives.
  private final class Copies {
    let isolate: LuaReference
    private let maker: PolicyMaker

    init(_ isolate: LuaReference, of maker: PolicyMaker) {
      self.isolate = isolate
      self.maker = maker
    }

    deinit { maker.idle.append(isolate) }
  }
}

/// What one use of a declared policy has of its own.
struct PolicyUse {
  /// Kept as long as the policy is.
  let copies: AnyObject
  /// Whether a policy that has failed is asked no more.
  let endsWithFailure: Bool
  /// Called with the first failure.
  let report: (String) -> Void
}

/// A policy that could not be made: the built-in rule decides.
private struct UnmadePolicy: FetchPolicy {
  let reason: String

  func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    Verdict(view.hint, reason: reason + LuaPolicy.consequence)
  }
}
