import Lua

extension LuaCoroutine {
  /// Answers one wait with a value.
  func answer(_ value: LuaValue) -> Progress {
    resume(
      { stack throws(LuaError) in
        stack.push(value)
        return 1
      }, pushError: { _, _ in })
  }

  /// Answers one wait with an error text.
  func fail(_ message: String) -> Progress {
    resume(
      { _ throws(LuaError) in throw LuaError(.runtime, message) },
      pushError: { error, stack in stack.push(error.message) })
  }

  /// Runs to the end, with the answers 1, 2, 3, … to its waits; gives the first result.
  func finish() throws -> LuaValue? {
    var progress = start(arguments: 0)
    var waits: Int64 = 0
    while case .waits = progress {
      waits += 1
      progress = answer(.integer(waits))
    }
    if case .failed(let error) = progress { throw error }
    guard case .finished(let results) = progress, results > 0 else { return .nil }
    return stack.value(at: -results)
  }
}

extension LuaCoroutine.Progress {
  /// The error it failed with.
  var error: LuaError? {
    if case .failed(let error) = self { error } else { nil }
  }

  var isWaiting: Bool {
    if case .waits = self { true } else { false }
  }
}
