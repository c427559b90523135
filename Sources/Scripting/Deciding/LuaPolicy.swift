import Lua
import Paging

/// A scripted policy. On an error or an exhausted budget it returns the built-in verdict, with the reason.
struct LuaPolicy: FetchPolicy {
  private let state: LuaState
  private let function: LuaReference
  private let parameters: LuaReference
  /// What the policy's `start` returned.
  private var own: LuaReference?
  private let call: Call
  private let use: PolicyUse
  private var hasFailed = false
  /// Why it is asked no more.
  private var end: String?
  /// What follows a reported failure wherever the session goes on.
  static let consequence = ", so the built-in rule decided"
  /// Maximum bytes of an error message, which is noted at each decision.
  private static let longestReason = 1000

  /// How it is called.
  struct Call {
    let view: PolicyViewTable
    let decision: Decision
    let instructions: Int
  }

  /// Pops the function that starts it, if any, the parameter table and the function that decides off the state's stack,
  /// and starts it.
  init(_ state: LuaState, _ call: Call, _ use: PolicyUse) {
    self.state = state
    self.call = call
    self.use = use
    let start = state.stack.isNil(at: -1) ? nil : state.stack.popReference(in: state)
    if start == nil { state.stack.pop() }
    parameters = state.stack.popReference(in: state)
    function = state.stack.popReference(in: state)
    if let start { begin(start) }
  }

  private mutating func begin(_ start: LuaReference) {
    do throws(LuaError) {
      try run(start, view: nil)
      own = state.stack.popReference(in: state)
    } catch {
      let reason = "the policy could not start: \(message(of: error, in: start))".cut(at: Self.longestReason)
      end = reason
      hasFailed = true
      use.report(reason)
    }
  }

  private func run(_ function: LuaReference, view: LuaView?) throws(LuaError) {
    call.decision.isUnderWay = true
    defer { call.decision.isUnderWay = false }
    try state.callPolicy(
      function, view: view, parameters: parameters, state: own, instructions: call.instructions)
  }

  mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    if let end { return Verdict(view.hint, reason: end + Self.consequence) }
    call.view.show(view)
    let stack = state.stack
    do throws(LuaError) {
      try run(function, view: call.view.table)
    } catch {
      return hint(of: view, because: "the policy failed: \(message(of: error, in: function))")
    }
    defer { stack.pop() }
    if let answer = stack.boolean(at: -1) { return Verdict(answer) }
    guard stack.isTable(at: -1) else {
      if stack.isNil(at: -1) { return Verdict(false) }
      let answer = stack.typeName(at: -1)
      return hint(
        of: view,
        because:
          "\(place(of: function))the policy answered a \(answer), which is neither a boolean nor a verdict")
    }
    let answer = VerdictTable(DefinitionFields(stack: stack, table: stack.absolute(-1)))
    let mistake = answer.mistake
    if stack.hasFault {
      stack.clearFault()
      return hint(of: view, because: "\(place(of: function))the policy's verdict changed while it was read")
    }
    if let mistake {
      return hint(of: view, because: "\(place(of: function))the policy's verdict: \(mistake)")
    }
    return answer.verdict
  }

  /// An error of the budget says nothing of the line: then it is the function's.
  private func message(of error: LuaError, in function: LuaReference) -> String {
    error.kind == .stopped(.instructions) ? place(of: function) + error.message : error.message
  }

  /// The function's place, as `feed.lua:12: `.
  private func place(of function: LuaReference) -> String {
    state.stack.push(function)
    defer { state.stack.pop() }
    let place = state.stack.placeOfFunction(at: -1)
    return place.isEmpty ? "" : place + ": "
  }

  private mutating func hint(of view: PolicyView, because reason: String) -> Verdict {
    let reason = reason.cut(at: Self.longestReason)
    if !hasFailed { use.report(reason) }
    if use.endsWithFailure { end = reason }
    hasFailed = true
    return Verdict(view.hint, reason: reason + Self.consequence)
  }
}

/// Whether a policy is deciding: then the script may only look and answer.
final class Decision {
  var isUnderWay = false
}
