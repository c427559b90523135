import Paging
import Scripting
import Simulation
import Terminal
import Text

/// `:policy`: who decides.
enum PolicyCommand {
  static func run(_ session: PromptSession, _ text: String) throws(PromptFault) {
    let explored = try session.exploredOrFault()
    session.workflow.exploring.prepareToDecide()
    if text.isEmpty { return show(explored, session) }
    if text == "source" { return restore(explored, session) }
    do throws(PolicyTextError) {
      let policy = try BuiltInPolicies.policy(text)
      return use(FreshPolicy(text, policy), text: "\"\(text)\"", explored, session)
    } catch {
      let name = String(text.prefix { $0.isLetter })
      guard !BuiltInPolicies.names.contains(name) else { throw PromptFault(error.sentence) }
      return try exchange(text, explored, session, unknown: error)
    }
  }

  private static func show(_ explored: ExploredSession, _ session: PromptSession) {
    let own = explored.hasOwnPolicy ? ", the source's own" : " (:policy source goes back to the source's own)"
    session.say("\(explored.exploration.policyName.printable) decides\(own)")
    session.say("built in: \(BuiltInPolicies.names.joined(separator: ", "))", .dim)
  }

  private static func use(
    _ policy: FreshPolicy, text: String, _ explored: ExploredSession, _ session: PromptSession
  ) {
    explored.exchange(policy, text: text)
    MovingCommands.show(explored, from: explored.exploration.position, session)
  }

  private static func restore(_ explored: ExploredSession, _ session: PromptSession) {
    do {
      try explored.restorePolicy()
      MovingCommands.show(explored, from: explored.exploration.position, session)
    } catch {
      session.show(error)
    }
  }

  /// A policy that Lua gives: a variable, or any expression.
  private static func exchange(
    _ text: String, _ explored: ExploredSession, _ session: PromptSession, unknown: PolicyTextError
  ) throws(PromptFault) {
    let isName = text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    if isName, session.workflow.value(at: text) == nil {
      guard case .syntax = unknown.problem else { throw PromptFault(unknown.sentence) }
      throw PromptFault(
        ":policy expects the name of a policy, a variable that holds one, or source; got \(text.printable)")
    }
    try ValueCommands.withValue(of: text, for: "policy", session) {
      [unowned session, unowned explored] value in
      do {
        guard let policy = try session.workflow.exploring.policy(value, name: text) else {
          return session.show(
            PromptFault("\(text.printable) is a \(value.typeName), and no policy, function or source"))
        }
        use(policy, text: text, explored, session)
      } catch {
        session.show(error)
      }
    }
  }
}
