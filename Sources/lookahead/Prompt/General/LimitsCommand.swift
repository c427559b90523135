import Lua
import Paging
import Scripting

/// `:limits`: what a line may use.
enum LimitsCommand {
  static func run(_ session: PromptSession, _ text: String) throws(PromptFault) {
    var budget = session.workflow.promptBudget
    for word in text.split(whereSeparator: \.isWhitespace) { try set(String(word), in: &budget) }
    if !text.isEmpty { session.workflow.promptBudget = budget }
    let memory = budget.memory > 0 ? Amount.bytes(budget.memory) : "no limit"
    session.say("memory  \(memory), \(Amount.bytes(session.workflow.memoryUsed)) in use")
    session.say(
      "time    \(Self.text(budget.burst)) of a line between two waits, \(Self.text(budget.total)) in all")
  }

  private static func set(_ word: String, in budget: inout LuaBudget) throws(PromptFault) {
    let name = String(word.prefix { $0 != "=" })
    let value = String(word.dropFirst(name.count + 1))
    switch name {
    case "memory":
      guard value != "none" else {
        budget.memory = 0
        return
      }
      guard let size = ByteSize(argument: value) else {
        throw PromptFault(":limits memory= expects a size as 64MB, or none, got \(value)")
      }
      budget.memory = size.bytes
    case "time":
      guard value != "none" else {
        (budget.burst, budget.total) = (.zero, .zero)
        return
      }
      guard let span = TimeSpan(argument: value), span.duration > .zero else {
        throw PromptFault(":limits time= expects a time as 30s, or none, got \(value)")
      }
      budget.burst = span.duration
      if budget.total > .zero { budget.total = max(budget.total, span.duration) }
    default:
      throw PromptFault("there is no limit \(name)", hint: "As :limits memory=64MB time=30s.")
    }
  }

  private static func text(_ duration: Duration) -> String {
    duration > .zero ? Amount.duration(duration.inSeconds) : "no limit"
  }
}
