import Lua
import Paging
import Scripting
import Simulation
import Terminal
import Text

/// Moving through time: forward and back.
enum TravelCommands {
  /// Moments that are shown one by one after a run.
  private static let most = 12

  static func step(_ session: PromptSession, _ text: String) throws(PromptFault) {
    let explored = try session.exploredOrFault()
    let count = try count(text, for: "step")
    go(explored, ExplorationGoal(events: count), session)
  }

  static func run(_ session: PromptSession, _ text: String) throws(PromptFault) {
    let explored = try session.exploredOrFault()
    guard !text.isEmpty else { return go(explored, ExplorationGoal(), session) }
    guard let span = TimeSpan(argument: text), span.duration <= .seconds(86_400 * 365) else {
      throw PromptFault(":run expects a time as 2s or 500ms, got \(text)")
    }
    go(explored, ExplorationGoal(until: explored.exploration.now + span.duration), session)
  }

  static func back(_ session: PromptSession, _ text: String) throws(PromptFault) {
    let explored = try session.exploredOrFault()
    let count = try count(text, for: "back")
    let policy = explored.exploration.policyName
    guard explored.exploration.back(count) > 0 else { throw PromptFault("this is the first moment") }
    show(explored, insteadOf: policy, session)
  }

  static func forward(_ session: PromptSession, _ text: String) throws(PromptFault) {
    let explored = try session.exploredOrFault()
    let count = try count(text, for: "forward")
    let policy = explored.exploration.policyName
    guard explored.exploration.forward(count) > 0 else {
      throw PromptFault("nothing has happened after this moment", hint: ":step and :run continue.")
    }
    show(explored, insteadOf: policy, session)
  }

  static func go(_ session: PromptSession, _ text: String) throws(PromptFault) {
    let explored = try session.exploredOrFault()
    let last = explored.exploration.moments.count - 1
    guard let number = Int(text), 0...last ~= number else {
      throw PromptFault(":goto expects a moment from 0 to \(last), got \(text.isEmpty ? "nothing" : text)")
    }
    let policy = explored.exploration.policyName
    explored.exploration.go(to: number)
    show(explored, insteadOf: policy, session)
  }

  /// Goes on and shows what happened.
  private static func go(_ explored: ExploredSession, _ goal: ExplorationGoal, _ session: PromptSession) {
    let first = explored.exploration.position + 1
    explored.run(goal) { [unowned session, unowned explored] ending in
      show(ending, of: explored, from: first, session)
    }
  }

  static func show(
    _ ending: ExploredSession.Ending, of explored: ExploredSession, from first: Int, _ session: PromptSession
  ) {
    let exploration = explored.exploration
    let moments = min(first, exploration.position + 1)..<(exploration.position + 1)
    if moments.count <= 3 {
      if !moments.isEmpty { session.say(MomentTable(moments, of: exploration, session).long) }
    } else {
      let left = max(0, moments.count - most)
      if left > 0 {
        session.say("  … \(left) moment\(left == 1 ? "" : "s") before (:moments shows all)", .dim)
      }
      session.say(MomentTable(moments.suffix(most), of: exploration, session).short)
    }
    switch ending {
    case .failed(let error): session.show(error, of: nil)
    case .stopped(.tooMany(let count)):
      session.say("\(Amount.count(count)) events without an end (:run continues)")
    case .stopped(.reached), .stopped(.quiet), .stopped(.standstill), .stopped(.needs): break
    }
    session.say(NextText(exploration: exploration).text, .dim)
  }

  /// The current moment. Names its policy if another one was active before.
  private static func show(
    _ explored: ExploredSession, insteadOf policy: String, _ session: PromptSession
  ) {
    let position = explored.exploration.position
    session.say(
      MomentTable(position..<(position + 1), of: explored.exploration, session).long)
    if explored.exploration.policyName != policy {
      session.say("policy: \(explored.exploration.policyName.printable) again, as it was then", .dim)
    }
    session.say(NextText(exploration: explored.exploration).text, .dim)
  }

  static func count(_ text: String, for command: String) throws(PromptFault) -> Int {
    guard let count = text.isEmpty ? 1 : Int(text), 1...1_000_000 ~= count else {
      throw PromptFault(":\(command) expects a number from 1 on, got \(text)")
    }
    return count
  }
}
