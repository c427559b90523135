import Lua
import Paging

/// Tasks and time.
final class TaskLibrary: ScriptLibrary {
  private let prelude: Prelude
  private let turn: Turn
  private let scheduler: Scheduler
  private let calls: HostCalls
  private let startedAt: Double?

  init(_ prelude: Prelude, _ turn: Turn, _ scheduler: Scheduler, _ calls: HostCalls, startedAt: Double?) {
    self.prelude = prelude
    self.turn = turn
    self.scheduler = scheduler
    self.calls = calls
    self.startedAt = startedAt
  }

  func register(in host: HostTable) {
    host.add("spawn", "lookahead.spawn") { [unowned self] call in spawn(call) }
    host.add("join", "task:wait") { [unowned self] call in try join(call) }
    host.add("joinAll", "lookahead.all") { [unowned self] call in try joinAll(call) }
    host.add("cancelTask", "task:cancel") { [unowned self] call in
      if let task = spawned(call.stack, at: 1) { scheduler.cancel(task) }
      return .nothing
    }
    host.add("sleep", "lookahead.sleep") { [unowned self] call in
      try calls.wait(call, for: .sleep(Duration(limitedSeconds: call.stack.number(at: 1) ?? 0)))
    }
    host.add("now", "lookahead.now") { [unowned self] call in
      call.stack.push(turn.now.seconds)
      return .results(1)
    }
    host.add("startedAt", "os.time") { [unowned self] call in
      call.stack.push(Int64(max(-1e12, min(1e12, startedAt ?? 0)).rounded(.down)))
      return .results(1)
    }
  }

  /// spawn(the script's function, f, ...) → task; the two functions are the same unless the prelude wraps it.
  private func spawn(_ call: HostFunctionCall) -> HostFunctionAnswer {
    let stack = call.stack
    let arguments = stack.count - 2
    stack.pushCopy(of: 2)
    stack.move(1, to: prelude.state.stack)
    let task = scheduler.makeTask(
      settings: scheduler.running?.settings ?? RequestSettings(), place: stack.placeOfFunction(at: 1))
    stack.move(arguments, to: task.coroutine.stack)
    scheduler.start(task, arguments: arguments)
    stack.push(owner: task)
    return .results(1)
  }

  private func spawned(_ stack: LuaStack, at index: Int) -> ScriptTask? {
    stack.owner(at: index) as? ScriptTask
  }

  /// join(task) → its results, or its error
  private func join(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    guard let task = spawned(call.stack, at: 1) else {
      throw HostFunctionError.misuse("task:wait: expected a task")
    }
    task.isJoined = true
    switch task.state {
    case .finished(let results): return .results(try copyResults(of: task, results, to: call.stack))
    case .failed(let error):
      prelude.push(error, on: call.stack)
      throw HostFunctionError.value
    case .ready, .waiting: break
    }
    let waiting = try scheduler.waitingTask(call)
    waiting.joined = [task]
    task.joiners.append(
      ScriptTask.Joiner(task: waiting) { [unowned self] in
        scheduler.resume(waiting) { [unowned self] stack throws(LuaError) in
          if case .failed(let error) = task.state { throw error }
          guard case .finished(let results) = task.state else { return 0 }
          return try copyResults(of: task, results, to: stack)
        }
      })
    return .waits
  }

  private func copyResults(
    of task: ScriptTask, _ results: Int, to stack: LuaStack
  ) throws(LuaError) -> Int {
    let source = task.coroutine.stack
    let first = source.count - results + 1
    guard stack.reserve(results), source.reserve(results) else {
      throw LuaError(.runtime, "task:wait: the function returned \(results) values, which are too many")
    }
    for position in first..<first + results { source.pushCopy(of: position) }
    source.move(results, to: stack)
    return results
  }

  /// joinAll(tasks) → the first to fail, or nothing when all are done
  private func joinAll(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    let stack = call.stack
    let gathered = (1...max(1, stack.length(of: 1))).compactMap { position -> ScriptTask? in
      stack.pushElement(position, of: 1)
      defer { stack.pop() }
      return spawned(stack, at: -1)
    }
    for task in gathered { task.isJoined = true }
    let failed = gathered.first { $0.state.hasFailed }
    let open = gathered.filter { !$0.state.isOver }
    guard failed == nil, !open.isEmpty else {
      push(failed, on: stack)
      return .results(1)
    }
    let waiting = try scheduler.waitingTask(call)
    waiting.joined = open
    // Counted down: checking all tasks at the end of each would be quadratic.
    var left = open.count
    var isAnswered = false
    for task in open {
      task.joiners.append(
        ScriptTask.Joiner(task: waiting) { [unowned self] in
          let failed = task.state.hasFailed ? task : nil
          left -= 1
          guard !isAnswered, failed != nil || left == 0 else { return }
          isAnswered = true
          scheduler.resume(waiting) { [unowned self] stack in
            push(failed, on: stack)
            return 1
          }
        })
    }
    return .waits
  }

  private func push(_ task: ScriptTask?, on stack: LuaStack) {
    if let task { stack.push(owner: task) } else { stack.pushNil() }
  }
}
