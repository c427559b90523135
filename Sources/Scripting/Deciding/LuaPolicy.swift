import Lua
import Paging

/// A policy that a script wrote. An error or an exhausted budget gives the built-in verdict, with the reason.
struct LuaPolicy: FetchPolicy {
  private let state: LuaState
  private let function: LuaReference
  private let parameters: LuaReference
  private let view: PolicyViewTable
  private let instructions: Int

  /// Takes the parameters' table and, below it, the function off the top of the state's stack.
  init(_ state: LuaState, view: PolicyViewTable, instructions: Int) {
    self.state = state
    self.view = view
    self.instructions = instructions
    parameters = state.stack.popReference(in: state)
    function = state.stack.popReference(in: state)
  }

  mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    self.view.show(view)
    let stack = state.stack
    do throws(LuaError) {
      try state.callPolicy(function, view: self.view.table, parameters: parameters, instructions: instructions)
    } catch {
      return Verdict(view.hint, reason: "the policy failed, so the built-in rule decided: \(error.message)")
    }
    defer { stack.pop() }
    if let answer = stack.boolean(at: -1) { return Verdict(answer) }
    guard stack.isTable(at: -1) else {
      if stack.isNil(at: -1) { return Verdict(false) }
      let reason = "the policy answered \(stack.typeName(at: -1)), which is neither a boolean nor a verdict"
      return Verdict(view.hint, reason: reason + ", so the built-in rule decided")
    }
    return verdict(DefinitionFields(stack: stack, table: stack.absolute(-1)))
  }

  private func verdict(_ fields: DefinitionFields) -> Verdict {
    let pages = fields.count("fetch") ?? (fields.boolean("fetch") == true ? 1 : 0)
    return Verdict(
      fetch: max(0, pages), direction: fields.text("direction").flatMap(Direction.init),
      wait: fields.duration("wait"), cancel: fields.boolean("cancel") ?? false,
      reason: fields.text("reason") ?? "")
  }
}
