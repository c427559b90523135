import Lua

/// Limits for the user's lines: each has the whole time budget.
final class LineLimits {
  private let state: LuaState
  private let stuck: (@convention(c) () -> Void)?
  /// The limits of what runs from here on.
  var budget: LuaBudget { didSet { state.setBudget(budget, stuck: stuck) } }

  init(_ state: LuaState, _ budget: LuaBudget, stuck: (@convention(c) () -> Void)?) {
    self.state = state
    self.stuck = stuck
    self.budget = budget
    state.setBudget(budget, stuck: stuck)
  }

  /// The user asks for something: clears earlier stops, and resets time and memory.
  func renew() {
    state.clearStop()
    makeRoom()
    state.renewTime()
  }

  /// Even when memory is exhausted, leaves enough for a line that frees some.
  func makeRoom() {
    guard budget.memory > 0 else { return }
    state.limitMemory(max(budget.memory, state.memoryUsed + max(1 << 20, budget.memory / 16)))
  }

  /// Whether little memory is left; the library's buffers do not wait for the collector.
  var isShortOfMemory: Bool { budget.memory > 0 && state.memoryUsed > budget.memory / 10 * 9 }
}
