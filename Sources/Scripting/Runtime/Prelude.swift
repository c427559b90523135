import Lua

/// What scripts see: the global `lookahead`, made of the prelude's Lua code and the libraries' host functions.
final class Prelude {
  let state: LuaState
  private var environment: LuaReference?
  private var host: LuaReference?

  /// The prelude's chunks, in load order.
  private static let chunks = [
    CompiledPrelude.errors, CompiledPrelude.declare, CompiledPrelude.tasks, CompiledPrelude.modules,
    CompiledPrelude.policies, CompiledPrelude.parameters, CompiledPrelude.source, CompiledPrelude.fetch,
    CompiledPrelude.reading, CompiledPrelude.http, CompiledPrelude.world,
    CompiledPrelude.late, CompiledPrelude.sandbox,
  ]

  /// Those that `late` loads when they are needed.
  private static let lateChunks: [(name: String, code: [UInt8])] = [
    ("prefetcher", CompiledPrelude.prefetcher), ("demand", CompiledPrelude.demand),
    ("links", CompiledPrelude.links), ("lists", CompiledPrelude.lists),
    ("elsewhere", CompiledPrelude.elsewhere), ("rounding", CompiledPrelude.rounding),
    ("machine", CompiledPrelude.machine), ("collection", CompiledPrelude.collection),
    ("tuning", CompiledPrelude.tuning), ("oauth2", CompiledPrelude.oauth2), ("xml", CompiledPrelude.xml),
    ("worlds", CompiledPrelude.worlds), ("lab", CompiledPrelude.lab),
  ]

  init(_ state: LuaState) { self.state = state }

  /// Loads the prelude into the state, with the libraries' functions behind it.
  func open(_ libraries: [any ScriptLibrary], _ scheduler: Scheduler) throws(LuaError) {
    try state.withoutCollecting { () throws(LuaError) in try openAll(libraries, scheduler) }
  }

  private func openAll(_ libraries: [any ScriptLibrary], _ scheduler: Scheduler) throws(LuaError) {
    let stack = state.stack
    stack.pushTable()
    let host = stack.count
    state.addInnerFunctions(to: host)
    let table = HostTable(state: state, index: host, scheduler: scheduler)
    for library in libraries { library.register(in: table) }
    stack.pushTable(fields: Self.lateChunks.count)
    for (name, code) in Self.lateChunks {
      code.withUnsafeBytes { stack.push(bytes: $0) }
      stack.setField(name, of: -2)
    }
    stack.setField("lateChunks", of: host)
    stack.pushTable()
    let lookahead = stack.count
    stack.pushNull()
    stack.setField("null", of: lookahead)
    for code in Self.chunks {
      try state.load(compiled: code)
      stack.pushCopy(of: host)
      stack.pushCopy(of: lookahead)
      try state.call(arguments: 2, results: 0)
    }
    stack.pop()
    stack.pushField("environmentTable", of: host)
    environment = stack.popReference(in: state)
    self.host = stack.popReference(in: state)
  }

  /// Pushes the function of a script or module, with the scripts' globals or others.
  ///
  /// A to-be-closed variable comes first, on the first line: with it `return f()` is not a tail call, which would drop
  /// the line from error messages.
  func load(_ text: String, name: String, globals: LuaReference? = nil) throws(LuaError) {
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

  /// Pushes the scripts' table of globals.
  func pushEnvironment() {
    if let environment { state.stack.push(environment) } else { state.stack.pushNil() }
  }

  /// Pushes a prelude function that the host calls.
  func pushEntry(_ name: String, on stack: LuaStack) {
    guard let host else { return stack.pushNil() }
    stack.push(host)
    stack.pushField(name, of: -1)
    stack.remove(at: -2)
  }

  /// Calls a prelude function with one value; leaves its result on top of the state's stack.
  func call(_ name: String, with index: Int, of stack: LuaStack) throws(LuaError) {
    let value = stack.absolute(index)
    pushEntry(name, on: stack)
    stack.pushCopy(of: value)
    stack.move(2, to: state.stack)
    try state.call(arguments: 1, results: 1)
  }

  /// Pushes an error as scripts see it: a failure table if it has a code, else what was raised.
  ///
  /// `where`, a prefix of the message, is taken from the fields; an error without one has its location in the message.
  func push(_ error: LuaError, on stack: LuaStack) {
    guard let code = error.code else {
      if let raised = error.raised { stack.push(raised) } else { stack.push(error.message) }
      return
    }
    stack.pushTable(fields: error.fields.count + 3)
    stack.setField("where", of: -1, to: .string(""))
    stack.setField("code", of: -1, to: .string(code))
    stack.setField("message", of: -1, to: .string(error.message))
    for (name, value) in error.fields { stack.setField(name, of: -1, to: value) }
    if let raised = error.raised { addTables(of: raised, to: stack) }
    pushEntry("failureMetatable", on: stack)
    stack.setMetatable(of: -2)
  }

  /// Gives the failure on the top what the table that was raised holds besides plain values.
  private func addTables(of raised: LuaReference, to stack: LuaStack) {
    let failure = stack.count
    stack.push(raised)
    stack.forEachPair(of: -1) { stack in
      guard stack.isTable(at: -1), let name = stack.shownString(at: -2) else { return }
      stack.pushCopy(of: -1)
      stack.setField(name, of: failure)
    }
    stack.pop()
  }

  /// A reference to the value at `index`; nil for nothing.
  func reference(at index: Int, of stack: LuaStack) -> LuaReference? {
    guard !stack.isNil(at: index) else { return nil }
    stack.pushCopy(of: index)
    return stack.popReference(in: state)
  }
}
