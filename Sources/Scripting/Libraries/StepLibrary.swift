import Items
import Lua
import Paging

/// Steps of a workflow, behind `lookahead.step`: done once in a run, and skipped by one that goes on.
final class StepLibrary: ScriptLibrary {
  private let scheduler: Scheduler
  private let calls: HostCalls
  private let outbox: Outbox
  private let feeds: FeedHost
  private let run: RunState
  private let account: LuaAccount
  private let remembers: Bool
  private let parameters: () throws -> String
  /// The steps under way, by key.
  private var open: [String: Step] = [:]
  /// The steps that have ended last under their keys, as long as the output may not know it.
  private var ended: [String: Int] = [:]
  /// What those have returned that have ended, where the output remembers none.
  private var results: [String: Bytes] = [:]

  /// `parameters` are those of the run: a step of other ones is another step.
  init(
    _ scheduler: Scheduler, _ calls: HostCalls, _ outbox: Outbox, _ feeds: FeedHost, _ run: RunState,
    _ account: LuaAccount,
    remembers: Bool, parameters: @escaping () throws -> String
  ) {
    self.scheduler = scheduler
    self.calls = calls
    self.outbox = outbox
    self.feeds = feeds
    self.account = account
    self.remembers = remembers
    self.run = run
    self.parameters = parameters
  }

  func register(in host: HostTable) {
    host.add("beginStep", "lookahead.step") { [unowned self] call in try begin(call) }
    host.add("endStep", "lookahead.step") { [unowned self] call in try end(call) }
  }

  /// beginStep(key) → whether it was done before, and what it returned; nothing: it was under way, ask again
  private func begin(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    let key = call.stack.string(at: 1) ?? call.stack.describe(at: 1)
    try call.stack.raiseFault("lookahead.step: its key")
    guard call.canWait, let task = scheduler.running else { throw call.cannotWait }
    if let step = task.step {
      throw HostFunctionError.misuse(
        "lookahead.step: '\(key)' is in the step '\(step.key)': steps do not have steps of their own")
    }
    if run.isOneOfMany {
      throw HostFunctionError.misuse(
        "lookahead.step: '\(key)' is asked for while partitions are read on several threads or by workers, of which each would do it: "
          + "do it before the script returns, or read with run, without --jobs")
    }
    if let result = remembers ? ended[key].flatMap(outbox.result(ofStep:)) : results[key] {
      return .results(try push(result, of: key, on: call.stack))
    }
    if let step = open[key] {
      step.waiting.append(try scheduler.waitingTask(call))
      return .waits
    }
    let step = Step(key, of: task) { [unowned self] step in leave(step) }
    let answer = try remembers ? ask(call, for: step, of: task) : .results(begin(step, task, call.stack))
    open[key] = step
    return answer
  }

  /// Asks the output whether an earlier run has ended the step.
  private func ask(
    _ call: HostFunctionCall, for step: Step, of task: ScriptTask
  ) throws -> HostFunctionAnswer {
    // Behind the limit none would come to its end.
    guard !outbox.isCut else {
      outbox.block(try scheduler.waitingTask(call))
      return .waits
    }
    ended[step.key] = nil
    let request = HostCall.beginStep(key: step.key, parameters: try parameters())
    return try calls.wait(call, for: request) { [unowned self] reply, stack throws(LuaError) in
      guard case .step(let begun) = reply else { return begin(step, task, stack) }
      step.id = begun.id
      guard let result = begun.result else { return begin(step, task, stack) }
      close(step)
      // Whatever it reads, was read.
      feeds.hasReadings = true
      return try push(result, of: step.key, on: stack)
    } otherwise: { [unowned self] in
      close(step)
    }
  }

  /// The task does the step; pushes false.
  private func begin(_ step: Step, _ task: ScriptTask, _ stack: LuaStack) -> Int {
    task.step = step
    stack.push(false)
    return 1
  }

  /// Pushes true and what a step that is done has returned.
  private func push(_ result: Bytes, of key: String, on stack: LuaStack) throws(LuaError) -> Int {
    stack.push(true)
    guard result != Self.nothing else {
      stack.pushNil()
      return 2
    }
    do throws(JSONError) {
      try result.withUnsafeBytes { bytes throws(JSONError) in try stack.pushJSON(bytes) }
    } catch {
      throw LuaError(.runtime, "lookahead.step: the result of '\(key)' is damaged: \(error.message)")
    }
    return 2
  }

  /// endStep(whether it has succeeded, its result) → the result, as it comes from where it is kept
  private func end(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    guard let task = scheduler.running, let step = task.step else { return .nothing }
    guard call.stack.truth(at: 1) else {
      leave(step, by: task)
      return .nothing
    }
    let result: Bytes
    do throws(JSONError) {
      result = try Self.result(at: 2, of: call.stack)
    } catch {
      leave(step, by: task)
      throw HostFunctionError.misuse(
        "lookahead.step: the result of '\(step.key)' has to be JSON, or nothing: \(error.message)")
    }
    guard step.openPages > 0 else { return .results(try end(step, by: task, with: result, call.stack)) }
    let waiting = try scheduler.waitingTask(call)
    step.onPagesEnded = { [unowned self, weak waiting] in
      guard let waiting else { return }
      scheduler.resume(waiting) { [unowned self] stack throws(LuaError) in
        try end(step, by: waiting, with: result, stack)
      }
    }
    return .waits
  }

  /// The step is done, with all that it has begun; pushes its result.
  private func end(
    _ step: Step, by task: ScriptTask, with result: Bytes, _ stack: LuaStack
  ) throws(LuaError) -> Int {
    task.step = nil
    keep(result, of: step)
    close(step)
    return try push(result, of: step.key, on: stack) - 1
  }

  /// What a step has returned without a value: old states say the same.
  private static let nothing = Bytes("null")
  /// The value null, which a space tells from nothing.
  private static let null = Bytes(" null")

  /// What a step has returned, as JSON.
  private static func result(at index: Int, of stack: LuaStack) throws(JSONError) -> Bytes {
    if stack.isNil(at: index) { return nothing }
    return stack.isNull(at: index) ? null : Bytes(try stack.exactJSON(at: index))
  }

  private func keep(_ result: Bytes, of step: Step) {
    guard let id = step.id else {
      results[step.key] = result
      return account.hold(step.key.utf8.count + result.count + MemoryLayout<(String, Bytes)>.stride)
    }
    if ended.count >= 1000 { ended = ended.filter { outbox.result(ofStep: $0.value) != nil } }
    ended[step.key] = id
    outbox.end(step: id, result)
  }

  /// The step has failed, or its task was cancelled: what it emitted belongs to nothing.
  private func leave(_ step: Step, by task: ScriptTask? = nil) {
    task?.step = nil
    if let id = step.id { outbox.drop(step: id) }
    close(step)
  }

  /// Whoever has waited for it asks again.
  private func close(_ step: Step) {
    step.isOver = true
    open[step.key] = nil
    for task in step.waiting { scheduler.resume(task) { _ in 0 } }
    step.waiting = []
  }
}
