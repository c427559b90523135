public import Items
public import Lua

/// Items of an exploration as prompt values, and stops of its policies.
extension Workflow {
  /// A list of items, as a script would see it.
  public func promptValue(of items: [Item]) throws(LuaError) -> PromptValue {
    let state = prelude.state
    limits.renew()
    try state.stack.push(items, on: state.account)
    return PromptValue(from: state.stack, in: state)
  }

  /// Policies of the script may decide from now on: earlier stops are cleared.
  public func prepareToDecide() { limits.renew() }

  /// Whether the user has stopped the script since: then its policies' answers don't count.
  public var hasBeenStopped: Bool { prelude.state.isStopped }

  /// Whether it was stopped from outside, not by a limit.
  public var hasBeenInterrupted: Bool { prelude.state.isInterrupted }
}
