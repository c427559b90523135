import Lua

/// The variables of a prompt's session, and the source texts of its functions.
final class SessionGlobals {
  /// The globals of every line. Missing ones are looked up in the script's globals.
  let session: LuaReference
  private let state: LuaState
  private let scheduler: Scheduler
  /// Sets a global of the script's own text.
  private let setGlobal: LuaReference
  /// Texts by the names used in errors, in the order they were loaded.
  private var texts: [String: [KeptText]] = [:]

  /// The source text of functions.
  private struct KeptText {
    let firstLine: Int
    let text: String
  }

  /// Where a text's globals keep, in their metatable, the names the text declares.
  private static let declaredField = "declared"

  init(_ prelude: Prelude, _ scheduler: Scheduler) {
    self.scheduler = scheduler
    state = prelude.state
    let stack = state.stack
    stack.pushTable()
    stack.pushTable(fields: 2)
    prelude.pushEnvironment()
    stack.setField("__index", of: -2)
    stack.setField("__metatable", of: -1, to: .boolean(false))
    stack.setMetatable(of: -2)
    stack.pushCopy(of: -1)
    stack.setField("_G", of: -2)
    session = stack.popReference(in: state)
    let setter = GlobalSetter(session)
    state.pushHostFunction("the script") { [unowned scheduler] call in
      try setter.set(call, in: scheduler.running)
    }
    setGlobal = stack.popReference(in: state)
  }

  /// The globals of one text of the script: those of the session, in which it may set what it declares.
  func scriptGlobals(declaring names: [String]) -> LuaReference {
    let stack = state.stack
    stack.pushTable()
    stack.pushTable(fields: 4)
    stack.push(session)
    stack.setField("__index", of: -2)
    stack.push(setGlobal)
    stack.setField("__newindex", of: -2)
    stack.pushTable(fields: names.count)
    for name in names { stack.setField(name, of: -1, to: .boolean(true)) }
    stack.setField(Self.declaredField, of: -2)
    stack.setField("__metatable", of: -1, to: .boolean(false))
    stack.setMetatable(of: -2)
    stack.pushCopy(of: -1)
    stack.setField("_G", of: -2)
    return stack.popReference(in: state)
  }

  /// Keeps a text, to locate functions in it.
  func keep(_ text: String, name: String, firstLine: Int = 1) {
    texts[name, default: []].append(KeptText(firstLine: firstLine, text: text))
  }

  /// The lines of a kept text; nil unless all of them exist.
  func text(_ name: String, _ lines: ClosedRange<Int>) -> String? {
    guard let kept = texts[name]?.last(where: { $0.firstLine <= lines.lowerBound }) else { return nil }
    let all = kept.text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.upperBound < kept.firstLine + all.count else { return nil }
    return all[(lines.lowerBound - kept.firstLine)...(lines.upperBound - kept.firstLine)].joined(
      separator: "\n")
  }

  /// Sets the globals of the script's texts.
  private struct GlobalSetter {
    let session: LuaReference

    init(_ session: LuaReference) { self.session = session }

    /// A variable that the script declares belongs to the session; any other global is refused, as in a run.
    func set(_ call: HostFunctionCall, in task: ScriptTask?) throws -> HostFunctionAnswer {
      let stack = call.stack
      guard let name = stack.shownString(at: 2), isDeclared(name, stack) else {
        let name = stack.describe(at: 2)
        let place = stack.scriptPlace(in: task)
        stack.push(
          "\(place)'\(name)' is not declared: write local \(name) (scripts share nothing through globals)")
        throw HostFunctionError.value
      }
      stack.push(session)
      stack.pushCopy(of: 3)
      stack.setField(name, of: -2)
      return .nothing
    }

    /// Whether the text whose globals are the first argument declares the name.
    private func isDeclared(_ name: String, _ stack: LuaStack) -> Bool {
      let top = stack.count
      defer { stack.truncate(to: top) }
      guard stack.isTable(at: 1), stack.pushMetatable(of: 1) else { return false }
      stack.pushField(SessionGlobals.declaredField, of: -1)
      return stack.isTable(at: -1) && stack.field(name, of: -1) { $0.truth(at: $1) }
    }
  }
}
