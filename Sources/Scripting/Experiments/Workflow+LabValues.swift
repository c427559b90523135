import Lua

/// Values that mean something to the lab alone.
extension Workflow {
  /// Fails for an experiment and the like, which a run can do nothing with.
  func refuseLabValue(_ stack: LuaStack, at index: Int) throws(LuaError) {
    stack.pushCopy(of: index)
    library.pushEntry("labWord", on: state.stack)
    stack.move(1, to: state.stack)
    try state.call(arguments: 1, results: 1)
    defer { state.stack.pop() }
    guard let word = state.stack.string(at: -1) else { return }
    let option = word == "a policy" ? "--policy " : ""
    throw LuaError(
      .runtime,
      "the script returned \(word), which is for the lab: try `lookahead lab \(option)\(options.scriptName)`",
      code: "usage")
  }
}
