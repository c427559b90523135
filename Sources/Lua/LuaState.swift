import CLua
import CLuaJSON

/// One Lua state with the safe library. It belongs to one thread; only plain values and references leave it.
///
/// ```swift
/// let state = LuaState(randomSeed: 7)
/// try state.load("return 6 * 7", name: "sum.lua")
/// try state.call(arguments: 0, results: 1)
/// state.stack.integer(at: -1)  // 42
/// ```
public final class LuaState {
  let pointer: OpaquePointer
  let released = ReleasedReferences()
  /// What scripts use of the machine, also outside of this state.
  public let account: LuaAccount
  private var hostFunctions: [HostFunctionBox] = []
  /// Coroutines that are over, to run other functions: their stacks are there, and near.
  private var idleCoroutines: [DroppedCoroutine] = []
  /// Coroutines that the host has.
  private var openCoroutines = 0

  /// How the JSON side keeps the limits of any state.
  private static nonisolated(unsafe) let limits: UnsafePointer<cjson_limits> = {
    let limits = UnsafeMutablePointer<cjson_limits>.allocate(capacity: 1)
    limits.initialize(
      to: cjson_limits(reserve: clua_reserve, refuse: clua_refuse, is_stopped: clua_is_to_end))
    return UnsafePointer(limits)
  }()

  /// A fresh state; `randomSeed` starts `math.random`.
  public init(randomSeed: UInt64 = 0) {
    guard let pointer = clua_new(callHostFunction, randomSeed) else {
      preconditionFailure("no memory for a Lua state")
    }
    self.pointer = pointer
    account = LuaAccount(pointer)
    guard cjson_open(pointer, Self.limits) == CJSON_OK else {
      preconditionFailure("no memory for a Lua state")
    }
    clua_set_materialize(
      pointer, { Int32(bitPattern: cjson_materialize($0, $1).rawValue) },
      { Int32(bitPattern: cjson_make_plain($0, $1).rawValue) })
  }

  deinit { clua_close(pointer) }

  /// The state's own stack, for declaring and calling; coroutines have theirs.
  public var stack: LuaStack { LuaStack(pointer: pointer) }

  /// Pushes the table of globals that scripts start from.
  public func pushGlobals() { clua_push_globals(pointer) }

  /// Adds what only the host's own Lua code may call to the table at `index`: `metatable(value)` and
  /// `setMetatable(value, table)`, whatever they are closed with; `place(function)` and `scriptPlace()`, as `feed.lua:12`.
  /// And `transformed(items, transform, add, notes)`, which has a function make of each item what is to be kept, and
  /// `keepsDigits(row, name)`, which says whether a number is to its last digit what a source has.
  public func addInnerFunctions(to index: Int) {
    clua_add_inner(pointer, Int32(clamping: index))
    guard cjson_add_inner(pointer, Int32(clamping: index)) == CJSON_OK else {
      preconditionFailure("no memory for a Lua state")
    }
  }

  /// Bytes held by scripts, and for them.
  public var memoryUsed: Int { clua_memory_used(pointer) }

  /// Pushes a function that runs `body` in the host.
  ///
  /// `name` is what its errors call it. `body` finds its arguments on the stack it is given, and lives as long as the state:
  /// push a function once and keep it, rather than one for each call.
  public func pushHostFunction(_ name: String, on stack: LuaStack? = nil, _ body: @escaping HostFunction) {
    let box = HostFunctionBox(name: name, body: body)
    hostFunctions.append(box)
    clua_push_host_function((stack ?? self.stack).pointer, Unmanaged.passUnretained(box).toOpaque())
  }

  /// Pushes the function of a text chunk. `name` is shown in errors and tracebacks.
  public func load(_ text: String, name: String) throws(LuaError) {
    var text = text
    let status = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { clua_load(pointer, $0.baseAddress, $0.count, "@" + name) }
    }
    if status != CLUA_OK { throw popLoadError(status) }
  }

  /// Pushes the function of a chunk that the Lua of this build has compiled: whoever compiled it is trusted.
  public func load(compiled code: [UInt8]) throws(LuaError) {
    let status = code.withUnsafeBytes { bytes in
      clua_load_compiled(pointer, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
    }
    if status != CLUA_OK { throw popLoadError(status) }
  }

  /// The same, with the table at `environment` for its globals.
  public func load(_ text: String, name: String, environment: Int) throws(LuaError) {
    var text = text
    let status = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        clua_load_in(pointer, $0.baseAddress, $0.count, "@" + name, Int32(clamping: environment))
      }
    }
    if status != CLUA_OK { throw popLoadError(status) }
  }

  /// Calls the function below its arguments, which may not wait; the results are on the top afterwards.
  public func call(arguments: Int, results: Int) throws(LuaError) {
    releaseDropped()
    let status = clua_call(pointer, Int32(clamping: arguments), Int32(clamping: results), true)
    if status != CLUA_OK { throw popError(status) }
  }

  /// Frees what references that were dropped kept alive; every call does so first.
  public func releaseDropped() {
    for reference in released.drain() {
      switch reference {
      case .value(let number): clua_unreference(pointer, number)
      case .coroutine(let coroutine): release(coroutine)
      }
    }
  }

  /// Keeps a coroutine that is over for the next function. As many are kept as others are open: where thousands wait in step,
  /// thousands end before the next ones begin.
  private func release(_ coroutine: DroppedCoroutine) {
    openCoroutines -= 1
    if coroutine.hasFinished, clua_clear_coroutine(coroutine.pointer) {
      idleCoroutines.append(coroutine)
    } else {
      clua_unreference(pointer, coroutine.number)
    }
    let most = max(64, openCoroutines)
    while idleCoroutines.count > most { clua_unreference(pointer, idleCoroutines.removeLast().number) }
  }

  /// A coroutine for the function on the top of the stack, which is popped, and the number of its reference.
  func makeCoroutine() -> (OpaquePointer, Int32) {
    releaseDropped()
    openCoroutines += 1
    if let idle = idleCoroutines.last, clua_restart_coroutine(pointer, idle.pointer) {
      idleCoroutines.removeLast()
      return (idle.pointer, idle.number)
    }
    var number: Int32 = 0
    guard let coroutine = clua_new_coroutine(pointer, &number) else {
      preconditionFailure("no memory for a coroutine")
    }
    return (coroutine, number)
  }

  private func popLoadError(_ status: clua_status) -> LuaError {
    guard status != CLUA_STOPPED else { return popError(status) }
    let message = stack.shownString(at: -1) ?? stack.describe(at: -1)
    stack.pop()
    let isMemory = message == LuaState.lackOfMemory
    return LuaError(isMemory ? .stopped(.memory) : .syntax(isIncomplete: message.hasSuffix("<eof>")), message)
  }

  /// Lua's own word for it, which reaches us as a text like any other.
  private static let lackOfMemory = "not enough memory"
}

/// Errors, read from the stack.
extension LuaState {
  /// Takes the error value off the top of the stack.
  func popError(_ status: clua_status) -> LuaError {
    defer { stack.pop() }
    if status == CLUA_EXHAUSTED {
      return LuaError(.stopped(.instructions), "the policy used up its instruction budget")
    }
    if status == CLUA_STOPPED {
      var error = stopError()
      error.traceback = stack.shownString(at: -1).map { textError($0).traceback } ?? ""
      return error
    }
    var error = valueError()
    if !["string", "nil"].contains(stack.typeName(at: -1)) {
      stack.pushCopy(of: -1)
      error.raised = stack.popReference(in: self)
    }
    return error
  }

  /// What the value on the top says went wrong.
  private func valueError() -> LuaError {
    if stack.isError(at: -1) {
      return stack.isTable(at: -1) ? tableError() : textError(stack.describe(at: -1))
    }
    let value = stack.isNil(at: -1) ? "nil" : "a \(stack.typeName(at: -1))"
    return LuaError(.runtime, "the script raised \(value) (an error is a text, or a table with a message)")
  }

  /// The stop that holds now.
  private func stopError() -> LuaError {
    switch clua_stopped(pointer) {
    case CLUA_STOP_TIME: LuaError(.stopped(.time), "the script ran longer than its time budget")
    case CLUA_STOP_MEMORY: LuaError(.stopped(.memory), "the script went on asking for memory after its limit")
    default: LuaError(.stopped(.interrupted), "interrupted")
    }
  }

  private func textError(_ text: String) -> LuaError {
    let cut = text.firstRange(of: "stack traceback:\n")
    let message = cut.map { String(text[..<$0.lowerBound].dropLast()) } ?? text
    let kind = message == LuaState.lackOfMemory ? LuaError.Kind.stopped(.memory) : .runtime
    return LuaError(kind, message, traceback: cut.map { String(text[$0.upperBound...]) } ?? "")
  }

  private func tableError() -> LuaError {
    var fields: [String: LuaValue] = [:]
    stack.forEachPair(of: -1) { stack in
      guard let key = stack.shownString(at: -2), let value = stack.value(at: -1) else { return }
      fields[key] = value
    }
    func text(_ key: String) -> String? {
      guard case .string(let text)? = fields[key] else { return nil }
      fields[key] = nil
      return text
    }
    let code = text("code")
    let place = text("where") ?? ""
    let message = text("message") ?? code ?? stack.describe(at: -1)
    let traceback = text("traceback") ?? ""
    return LuaError(.runtime, place + message, traceback: traceback, code: code, fields: fields)
  }
}
