import Lua
import Paging

/// What scripts find: the global `lookahead`, made of the prelude's Lua code and host functions.
final class Library {
  private var environment: LuaReference?
  private var host: LuaReference?

  /// The prelude in the order in which it is loaded.
  private static let prelude: [(name: String, text: [UInt8])] = [
    ("errors", PackageResources.errors_lua), ("declare", PackageResources.declare_lua),
    ("tasks", PackageResources.tasks_lua), ("modules", PackageResources.modules_lua),
    ("policies", PackageResources.policies_lua), ("parameters", PackageResources.parameters_lua),
    ("source", PackageResources.source_lua), ("fetch", PackageResources.fetch_lua),
    ("prefetcher", PackageResources.prefetcher_lua), ("reading", PackageResources.reading_lua),
    ("demand", PackageResources.demand_lua),
    ("http", PackageResources.http_lua), ("world", PackageResources.world_lua),
    ("machine", PackageResources.machine_lua), ("collection", PackageResources.collection_lua),
    ("tuning", PackageResources.tuning_lua), ("worlds", PackageResources.worlds_lua),
    ("lab", PackageResources.lab_lua), ("sandbox", PackageResources.sandbox_lua),
  ]

  /// Loads the prelude into the state, with the workflow behind its host functions.
  func open(_ state: LuaState, for workflow: Workflow) throws(LuaError) {
    let stack = state.stack
    stack.pushTable()
    let host = stack.count
    state.addInnerFunctions(to: host)
    workflow.define(in: HostTable(state: state, index: host, workflow: workflow))
    stack.pushTable()
    let lookahead = stack.count
    stack.pushNull()
    stack.setField("null", of: lookahead)
    for (name, text) in Self.prelude {
      try state.load(String(decoding: text, as: UTF8.self), name: "lookahead:\(name).lua")
      stack.pushCopy(of: host)
      stack.pushCopy(of: lookahead)
      try state.call(arguments: 2, results: 0)
    }
    stack.pop()
    stack.pushField("environmentTable", of: host)
    environment = stack.popReference(in: state)
    self.host = stack.popReference(in: state)
  }

  /// Pushes the function of a script or module, with the globals that scripts see, or with others.
  ///
  /// A variable to be closed comes first, on the first line: with it a `return f()` is no tail call, which would leave the
  /// line out of error messages.
  func load(
    _ text: String, name: String, in state: LuaState, globals: LuaReference? = nil
  ) throws(LuaError) {
    let mark = "local __lookahead <close> = nil "
    var text = text
    let firstEnd =
      text.hasPrefix("#") ? text.firstIndex(of: "\n").map { text.index(after: $0) } : text.startIndex
    if let firstEnd { text.insert(contentsOf: mark, at: firstEnd) }
    if let globals = globals ?? environment { state.stack.push(globals) }
    do throws(LuaError) {
      try state.load(text, name: name, environment: state.stack.count)
    } catch {
      state.stack.pop()
      throw error
    }
    state.stack.remove(at: -2)
  }

  /// Pushes the table of globals that scripts see.
  func pushEnvironment(on stack: LuaStack) {
    if let environment { stack.push(environment) } else { stack.pushNil() }
  }

  /// Pushes a function of the prelude that the host calls.
  func pushEntry(_ name: String, on stack: LuaStack) {
    guard let host else { return stack.pushNil() }
    stack.push(host)
    stack.pushField(name, of: -1)
    stack.remove(at: -2)
  }

  /// Pushes an error as scripts see it: a failure table where it has a code, else its text.
  ///
  /// `where`, a text before the message, is that of the fields; what has none says in its message where it happened.
  func push(_ error: LuaError, on stack: LuaStack) {
    guard let code = error.code else { return stack.push(error.message) }
    stack.pushTable(fields: error.fields.count + 3)
    stack.setField("where", of: -1, to: .string(""))
    stack.setField("code", of: -1, to: .string(code))
    stack.setField("message", of: -1, to: .string(error.message))
    for (name, value) in error.fields { stack.setField(name, of: -1, to: value) }
    pushEntry("failureMetatable", on: stack)
    stack.setMetatable(of: -2)
  }
}

/// The table of host functions, while it is filled.
struct HostTable {
  let state: LuaState
  let index: Int
  unowned let workflow: Workflow

  /// Adds a function; `title` is what its errors call it. Misuse is raised at the line of the script.
  func add(_ name: String, _ title: String? = nil, _ body: @escaping HostFunction) {
    state.pushHostFunction(title ?? name) { [unowned workflow] call in
      do {
        return try body(call)
      } catch HostFunctionError.misuse(let message) {
        call.stack.push(call.stack.scriptPlace(in: workflow.running) + message)
        throw HostFunctionError.value
      } catch let mistake as InvalidConfiguration {
        call.stack.push("\(call.stack.scriptPlace(in: workflow.running))\(call.name): \(mistake.text)")
        throw HostFunctionError.value
      }
    }
    state.stack.setField(name, of: index)
  }
}

extension LuaStack {
  /// `feed.lua:12: ` for the innermost line of the script that called the host, not counting the prelude; else for the
  /// function of the task.
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

extension Workflow {
  /// All host functions, by topic.
  func define(in host: HostTable) {
    defineTasks(in: host)
    defineFeeds(in: host)
    defineDeclaring(in: host)
    defineJSON(in: host)
    defineHTTP(in: host)
    defineFiles(in: host)
    defineDatabases(in: host)
    defineCSV(in: host)
    defineTexts(in: host)
    defineLog(in: host)
    defineMachine(in: host)
    defineBound(in: host)
    defineLab(in: host)
    defineCollections(in: host)
    defineDemand(in: host)
    definePrefetching(in: host)
  }
}
