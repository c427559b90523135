import Lua

/// Modules that are being loaded, behind `require`: a task that needs one which another task loads waits for it.
final class ModuleLibrary: ScriptLibrary {
  private let scheduler: Scheduler

  init(_ scheduler: Scheduler) { self.scheduler = scheduler }

  func register(in host: HostTable) {
    // beginLoad() → the load of a module by the running task
    host.add("beginLoad", "require") { [unowned self] call in
      call.stack.push(owner: ModuleLoad(by: scheduler.running))
      return .results(1)
    }
    host.add("endLoad", "require") { call in
      (call.stack.owner(at: 1) as? ModuleLoad)?.end()
      return .nothing
    }
    host.add("awaitLoad", "require") { [unowned self] call in try awaitLoad(call) }
  }

  /// awaitLoad(load) → true once it is over, or false where it goes on only once the caller does
  private func awaitLoad(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    let load = call.stack.owner(at: 1) as? ModuleLoad
    guard let load, !load.isOver else {
      call.stack.push(true)
      return .results(1)
    }
    guard let task = load.task, let running = scheduler.running, !task.waits(for: running) else {
      call.stack.push(false)
      return .results(1)
    }
    let waiting = try scheduler.waitingTask(call)
    waiting.joined = [task]
    task.joiners.append(
      ScriptTask.Joiner(task: waiting, module: load) { [unowned self] in
        scheduler.resume(waiting) { stack in
          stack.push(true)
          return 1
        }
      })
    return .waits
  }
}
