import Items
import Lua
import Paging

/// Steps of a workflow, behind `lookahead.step`: done once, and skipped by a run that goes on.
final class StepLibrary: ScriptLibrary {
  private let scheduler: Scheduler
  private let calls: HostCalls
  private let outbox: Outbox
  private let feeds: FeedHost
  private let remembers: Bool
  private let parameters: () throws -> String
  /// The steps that have ended last under their keys.
  private var ended: [String: Int] = [:]

  /// `parameters` are those of the run: a step of other ones is another step.
  init(
    _ scheduler: Scheduler, _ calls: HostCalls, _ outbox: Outbox, _ feeds: FeedHost, remembers: Bool,
    parameters: @escaping () throws -> String
  ) {
    self.scheduler = scheduler
    self.calls = calls
    self.outbox = outbox
    self.feeds = feeds
    self.remembers = remembers
    self.parameters = parameters
  }

  func register(in host: HostTable) {
    host.add("beginStep", "lookahead.step") { [unowned self] call in try begin(call) }
    host.add("endStep", "lookahead.step") { [unowned self] call in try end(call) }
  }

  /// beginStep(key) → whether an earlier run has ended it, and what it returned
  private func begin(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    let key = call.stack.string(at: 1) ?? call.stack.describe(at: 1)
    try call.stack.raiseFault("lookahead.step: its key")
    if let step = scheduler.running?.step {
      throw HostFunctionError.misuse(
        "lookahead.step: '\(key)' is in the step '\(step.key)': steps do not have steps of their own")
    }
    guard remembers, let task = scheduler.running else { return .nothing }
    if let result = ended[key].flatMap(outbox.result(ofStep:)) {
      return .results(try push(result, of: key, on: call.stack))
    }
    ended[key] = nil
    let request = HostCall.beginStep(key: key, parameters: try parameters())
    return try calls.wait(call, for: request) { [unowned self] reply, stack throws(LuaError) in
      guard case .step(let begun) = reply else { return 0 }
      guard let result = begun.result else {
        task.step = Step(id: begun.id, key: key)
        return 0
      }
      // Whatever it reads, was read.
      feeds.hasReadings = true
      return try push(result, of: key, on: stack)
    }
  }

  /// Pushes true and what a step that is done has returned.
  private func push(_ result: Bytes, of key: String, on stack: LuaStack) throws(LuaError) -> Int {
    stack.push(true)
    do throws(JSONError) {
      try result.withUnsafeBytes { bytes throws(JSONError) in try stack.pushJSON(bytes) }
    } catch {
      throw LuaError(.runtime, "lookahead.step: the result of '\(key)' is damaged: \(error.message)")
    }
    return 2
  }

  /// endStep(whether it has succeeded, its result)
  private func end(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    guard let task = scheduler.running, let step = task.step else { return .nothing }
    task.step = nil
    step.isOver = true
    guard call.stack.truth(at: 1) else {
      outbox.drop(step: step.id)
      return .nothing
    }
    do throws(JSONError) {
      if ended.count >= 1000 { ended = ended.filter { outbox.result(ofStep: $0.value) != nil } }
      ended[step.key] = step.id
      outbox.end(step: step.id, Bytes(call.stack.isNil(at: 2) ? "null" : try call.stack.json(at: 2)))
    } catch {
      throw HostFunctionError.misuse(
        "lookahead.step: the result of '\(step.key)' has to be JSON, or nothing: \(error.message)")
    }
    return .nothing
  }
}
