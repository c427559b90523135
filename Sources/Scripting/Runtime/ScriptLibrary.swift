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
        return try body(call)
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
  /// `feed.lua:12: ` for the innermost script line that called the host, excluding the prelude; else for the task's
  /// function.
  func scriptPlace(in task: ScriptTask?) -> String {
    for level in 1...32 {
      pushPlace(level: level)
      let place = string(at: -1) ?? ""
      pop()
      if !place.isEmpty, !place.hasPrefix("lookahead:") { return place }
    }
    return task.map { $0.place + ": " } ?? ""
  }
}
