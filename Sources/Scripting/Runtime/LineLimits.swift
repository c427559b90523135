import Lua

/// What the lines of a person may use up: each has the whole time for itself.
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

  /// A person asks for something: earlier stops are over, and time and memory count anew.
  func renew() {
    state.clearStop()
    makeRoom()
    state.renewTime()
  }

  /// Even where the memory is used up there is enough for a line that gives something back.
  func makeRoom() {
    guard budget.memory > 0 else { return }
    state.limitMemory(max(budget.memory, state.memoryUsed + max(1 << 20, budget.memory / 16)))
  }

  /// Whether little is left; the library's buffers do not wait for the collector.
  var isShortOfMemory: Bool { budget.memory > 0 && state.memoryUsed > budget.memory / 10 * 9 }
}
