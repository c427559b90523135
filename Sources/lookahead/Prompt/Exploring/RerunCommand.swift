import Paging
import Scripting
import Simulation
import Terminal
import Text

/// `:rerun`: the same again under another policy, and what that changed.
enum RerunCommand {
  static func run(_ session: PromptSession) throws(PromptFault) {
    let explored = try session.exploredOrFault()
    guard let repeated = explored.exploration.planRepeat() else {
      throw PromptFault(
        "there is nothing to do again from here",
        hint: "Go back to before the moves that you want again (:back, :goto), choose a :policy, then :rerun."
      )
    }
    var goal = ExplorationGoal()
    // `:rerun`: repeats the same under another policy, and shows the difference.
    goal.endsWithPlans = repeated.before.inFlight > 0
    explored.run(goal) { [unowned session, unowned explored] ending in
      if case .failed(let error) = ending { return session.show(error, of: nil) }
      let after = explored.exploration.outcome(of: repeated)
      session.say(
        "\(repeated.acts) act\(repeated.acts == 1 ? "" : "s") of the reader again, from moment \(repeated.start) on"
      )
      session.say(table(repeated, after))
      if repeated.before.policies == after.policies {
        session.say(
          "the same policy decided both times (:goto \(repeated.start), :policy, :rerun tries another)", .dim)
      }
      if case .stopped(.standstill) = ending { session.say(NextText.standstill) }
    }
  }

  static func table(_ repeated: ExplorationRepeat, _ after: ExplorationOutcome) -> String {
    let before = repeated.before
    let rows = [
      ["requests begun after moment \(repeated.start)", "\(before.requests)", "\(after.requests)"],
      ["failed", "\(before.failures)", "\(after.failures)"],
      ["items fetched", Amount.count(before.received), Amount.count(after.received)],
      ["items held", Amount.count(before.held), Amount.count(after.held)],
      ["stalls", "\(before.stalls)", "\(after.stalls)"],
      ["time stalled", MomentText.milliseconds(before.stalled), MomentText.milliseconds(after.stalled)],
      ["time in all", MomentText.milliseconds(before.duration), MomentText.milliseconds(after.duration)],
    ]
    let shown = rows.filter { $0[0] != "failed" || $0[1] != "0" || $0[2] != "0" }
    return TextTable(
      ["", "before: \(deciders(before))", "now: \(deciders(after))"], rows: shown,
      alignments: [.left, .right]
    ).lines.joined(separator: "\n")
  }

  /// As `ramp, then onDemand`.
  private static func deciders(_ outcome: ExplorationOutcome) -> String {
    outcome.policies.map(\.printable).joined(separator: ", then ")
  }
}
