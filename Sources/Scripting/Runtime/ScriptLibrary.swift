import Lua
import Paging

/// A library of the script API: registers its host functions and keeps what is behind their handles.
///
/// The owner of the Lua state also owns its libraries: host functions refer to them without retaining them.
protocol ScriptLibrary: AnyObject {
  /// Adds the library's functions to the prelude's table.
  func register(in host: HostTable)
}

/// The table of host functions, while it is filled.
struct HostTable {
  let state: LuaState
  let index: Int
  unowned let scheduler: Scheduler

  /// Adds a function; its errors call it `title`. Misuse is raised at the script's line.
  func add(_ name: String, _ title: String? = nil, _ body: @escaping HostFunction) {
    state.pushHostFunction(title ?? name) { [unowned scheduler] call in
      do {
        let answer = try body(call)
        if case .results = answer { try call.stack.raiseFault(call.name) }
        return answer
      } catch HostFunctionError.misuse(let message) {
        call.stack.push(call.stack.scriptPlace(in: scheduler.running) + message)
        throw HostFunctionError.value
      } catch let mistake as InvalidConfiguration {
        call.stack.push("\(call.stack.scriptPlace(in: scheduler.running))\(call.name): \(mistake.text)")
        throw HostFunctionError.value
      }
    }
    state.stack.setField(name, of: index)
  }
}

extension LuaStack {
  /// Throws what the host function that runs was given wrongly, if there is something. Before it calls the script, it has to look:
  /// that forgets it.
  func raiseFault(_ title: String) throws {
    guard hasFault else { return }
    let message = faultMessage
    clearFault()
    throw HostFunctionError.misuse("\(title): \(message)")
  }

  /// `feed.lua:12: ` for the innermost script line that called the host, excluding the prelude; else for the task's
  /// function.
  func scriptPlace(in task: ScriptTask?) -> String {
    pushScriptPlace()
    let place = shownString(at: -1) ?? ""
    pop()
    return place.isEmpty ? task.map { $0.place + ": " } ?? "" : place
  }
}
