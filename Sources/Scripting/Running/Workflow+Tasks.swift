import Lua
import Paging

/// Tasks: started, resumed when what they wait for is there, and ended.
extension Workflow {
  /// A task for the function on the top of the state's stack, which is at `place` in the script.
  func makeTask(settings: RequestSettings, place: String) -> ScriptTask {
    let task = ScriptTask(id: nextNumber(), coroutine: LuaCoroutine(state), settings: settings, place: place)
    task.line = running?.line
    task.depth = running?.depth ?? 0
    tasks[task.id] = task
    return task
  }

  /// Runs it for the first time, later in this turn.
  func begin(_ task: ScriptTask, arguments: Int) {
    later { [unowned self] in
      guard !task.state.isOver else { return }
      run(task) { task.coroutine.start(arguments: arguments) }
    }
  }

  /// Goes on with the results that `answer` leaves on its stack; an error that it throws is raised where the task waits.
  func resume(_ task: ScriptTask, _ answer: @escaping (LuaStack) throws(LuaError) -> Int) {
    later { [unowned self] in
      guard !task.state.isOver else { return }
      run(task) { task.coroutine.resume(answer) { self.library.push($0, on: $1) } }
    }
  }

  /// Ends a task from outside; whoever waits for it gets an error with the code `cancelled`.
  ///
  /// The one that runs goes on to its next wait first.
  func cancel(_ task: ScriptTask) {
    guard !task.state.isOver else { return }
    guard task !== running else {
      task.isJoined = true
      return later { [unowned self] in cancel(task) }
    }
    if let call = task.call { abandon(call) }
    task.giveUp?()
    task.giveUp = nil
    task.coroutine.cancel()
    task.isJoined = true
    end(task, .failed(LuaError(.runtime, "the task was cancelled", code: "cancelled")))
  }

  private func run(_ task: ScriptTask, _ step: () -> LuaCoroutine.Progress) {
    let outer = running
    running = task
    task.goesOn()
    let progress = step()
    running = outer
    switch progress {
    case .waits: task.waits()
    case .finished(let results): end(task, .finished(results))
    case .failed(let error):
      recover(from: error)
      end(task, .failed(error))
    }
  }

  /// The script may still wait for the task, as long as it runs; then the error fails the run.
  private func leaveUnclaimed(_ error: LuaError, of task: ScriptTask) {
    if isMainOver || prompt != nil && !isEvaluating { return fail(error) }
    unclaimed.removeAll(where: \.task.isJoined)
    unclaimed.append((task, error))
  }

  private func end(_ task: ScriptTask, _ state: ScriptTask.State) {
    tasks[task.id] = nil
    switch state {
    case .finished(let results): task.finish(results: results)
    case .failed(let error): task.fail(error)
    case .ready, .waiting: break
    }
    let joiners = task.joiners
    task.joiners = []
    if case .failed(let error) = task.state, case .stopped = error.kind {
      task.tellEnd()
      // Before those who wait for it: they must not catch a stop.
      stopped(error, task)
      for joiner in joiners { joiner.resume() }
      return
    }
    for joiner in joiners { joiner.resume() }
    task.tellEnd()
    if case .failed(let error) = task.state {
      if joiners.isEmpty && !task.isJoined && error.code != LuaError.checkEnds {
        leaveUnclaimed(error, of: task)
      }
    }
  }
}
