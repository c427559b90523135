public import Lua

/// What lines may use up.
extension Workflow {
  /// The limits of the lines to come; each line has the whole time for itself.
  public var promptBudget: LuaBudget {
    get { prompt?.budget ?? options.budget }
    set {
      prompt?.budget = newValue
      state.setBudget(newValue, stuck: options.stuck)
    }
  }

  /// Bytes of the Lua heap now.
  public var memoryUsed: Int { state.memoryUsed }

  /// Values on the state's own stack: as many after an event as before it.
  public var stackDepth: Int { state.stack.count }

  /// Even where the memory is used up there is enough for a line that gives something back.
  func giveRoom() {
    let limit = promptBudget.memory
    guard limit > 0 else { return }
    state.limitMemory(max(limit, state.memoryUsed + max(1 << 20, limit / 16)))
  }

  /// Whether little is left; the library's buffers do not wait for the collector.
  var isShortOfMemory: Bool {
    let limit = promptBudget.memory
    return limit > 0 && state.memoryUsed > limit / 10 * 9
  }

  /// A stop that came while nothing ran has nothing to stop.
  func forgetIdleStop() {
    if running == nil, prompt?.current == nil { state.clearStop() }
  }
}
