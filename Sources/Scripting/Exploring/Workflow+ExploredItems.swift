public import Items
public import Lua

/// Items of an exploration as values of the prompt, and stops of what decides in it.
extension Workflow {
  /// A list of items, as a script would see it.
  public func promptValue(of items: [Item]) throws(LuaError) -> PromptValue {
    getReady()
    try push(items, on: state.stack)
    return PromptValue(from: state.stack, in: state)
  }

  /// Policies of the script may decide from now on: earlier stops are over.
  public func prepareToDecide() { getReady() }

  /// Whether a person has stopped the script since: what its policies said then was not meant.
  public var hasBeenStopped: Bool { state.isStopped }

  /// Whether it was stopped from outside, and not by a limit.
  public var hasBeenInterrupted: Bool { state.isInterrupted }
}
