import Lua
import Paging

/// A scripted policy. On an error or an exhausted budget it returns the built-in verdict, with the reason.
struct LuaPolicy: FetchPolicy {
  private let state: LuaState
  private let function: LuaReference
  private let parameters: LuaReference
  private let view: PolicyViewTable
  private let instructions: Int
  private let decision: Decision
  private let report: (String) -> Void
  private var hasFailed = false
  /// What follows a reported failure wherever the session goes on.
  static let consequence = ", so the built-in rule decided"
  /// Maximum bytes of an error message, which is noted at each decision.
  private static let longestReason = 1000

  /// Pops the parameter table and, below it, the function off the state's stack. The first failure is passed to
  /// `report`.
  init(
    _ state: LuaState, view: PolicyViewTable, decision: Decision, instructions: Int,
    report: @escaping (String) -> Void
  ) {
    self.state = state
    self.decision = decision
    self.view = view
    self.instructions = instructions
    self.report = report
    parameters = state.stack.popReference(in: state)
    function = state.stack.popReference(in: state)
  }

  mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    self.view.show(view)
    let stack = state.stack
    do throws(LuaError) {
      decision.isUnderWay = true
      defer { decision.isUnderWay = false }
      try state.callPolicy(
        function, view: self.view.table, parameters: parameters, instructions: instructions)
    } catch {
      return hint(of: view, because: "the policy failed: \(error.message)")
    }
    defer { stack.pop() }
    if let answer = stack.boolean(at: -1) { return Verdict(answer) }
    guard stack.isTable(at: -1) else {
      if stack.isNil(at: -1) { return Verdict(false) }
      let answer = stack.typeName(at: -1)
      return hint(
        of: view, because: "the policy answered a \(answer), which is neither a boolean nor a verdict")
    }
    let answer = VerdictTable(DefinitionFields(stack: stack, table: stack.absolute(-1)))
    let mistake = answer.mistake
    if stack.hasFault {
      stack.clearFault()
      return hint(of: view, because: "the policy's verdict changed while it was read")
    }
    if let mistake { return hint(of: view, because: "the policy's verdict: \(mistake)") }
    return answer.verdict
  }

  private mutating func hint(of view: PolicyView, because reason: String) -> Verdict {
    let reason = reason.cut(at: Self.longestReason)
    if !hasFailed { report(reason) }
    hasFailed = true
    return Verdict(view.hint, reason: reason + Self.consequence)
  }
}

/// Whether a policy is deciding: then the script may only look and answer.
final class Decision {
  var isUnderWay = false
}
