public import Items
public import Lua

/// Items of an exploration as values of the prompt, and stops of what decides in it.
extension Workflow {
  /// A list of items, as a script would see it.
  public func promptValue(of items: [Item]) throws(LuaError) -> PromptValue {
    let state = prelude.state
    limits.renew()
    try state.stack.push(items, on: state.account)
    return PromptValue(from: state.stack, in: state)
  }

  /// Policies of the script may decide from now on: earlier stops are over.
  public func prepareToDecide() { limits.renew() }

  /// Whether a person has stopped the script since: what its policies said then was not meant.
  public var hasBeenStopped: Bool { prelude.state.isStopped }

  /// Whether it was stopped from outside, and not by a limit.
  public var hasBeenInterrupted: Bool { prelude.state.isInterrupted }
}
