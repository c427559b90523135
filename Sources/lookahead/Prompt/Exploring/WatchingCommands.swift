import Listing
import Paging
import Scripting
import Simulation
import Terminal
import Text

/// The state of an exploration, and the reasons for it.
enum WatchingCommands {
  static func state(_ session: PromptSession) throws(PromptFault) {
    session.say(StateText(try session.exploredOrFault()).text)
  }

  static func why(_ session: PromptSession, _ text: String) throws(PromptFault) {
    let exploration = try session.exploredOrFault().exploration
    let number = try moment(text, exploration)
    let moment = exploration.moments[number]
    session.say(MomentTable(number..<(number + 1), of: exploration, session).short)
    let decisions = moment.decisions.map { DecisionText(view: $0.view, verdict: $0.verdict) }
    for line in decisions.flatMap(\.lines) { session.say("  " + line) }
    for side in [Direction.append, .prepend] where !decisions.contains(where: { $0.view.direction == side }) {
      session.say("  \(side.rawValue): not asked — \(silence(of: side, number, exploration))")
    }
  }

  static func ranges(_ session: PromptSession) throws(PromptFault) {
    let exploration = try session.exploredOrFault().exploration
    var watch = RangeWatch()
    var found: (ItemRanges, RangeMode?) = (.none, nil)
    for moment in exploration.moments[...exploration.position] {
      guard let viewport = moment.viewport, viewport.lastVisible >= viewport.firstVisible else { continue }
      let visible = viewport.firstVisible..<(viewport.lastVisible + 1)
      found = watch.look(at: visible, rows: moment.rowCount)
    }
    // Rows that only wait for their items are no items.
    let seen = SeenText(exploration)
    let rows = [
      ("visible", seen.there), ("display", found.0.display), ("preload", found.0.preload),
      ("measure", found.0.measure),
    ].map { name, range in
      let there = range.clamped(to: seen.held)
      return [name, SeenText.range(there), "\(there.count)"]
    }
    let table = TextTable(["range", "items", "count"], rows: rows, alignments: [.left, .right])
    session.say(table.lines.joined(separator: "\n"))
    if let missing = seen.missing { session.say("sees \(seen.range): \(missing)", .dim) }
    if let mode = found.1 { session.say("mode: \(mode.rawValue)", .dim) }
  }

  /// The moment of that number; without one the newest that has decisions.
  private static func moment(_ text: String, _ exploration: Exploration) throws(PromptFault) -> Int {
    guard !text.isEmpty else {
      return exploration.moments[...exploration.position].lastIndex { !$0.decisions.isEmpty }
        ?? exploration.position
    }
    let last = exploration.moments.count - 1
    guard let number = Int(text), 0...last ~= number else {
      throw PromptFault(":why expects a moment from 0 to \(last), got \(text)")
    }
    return number
  }

  /// Why a policy was not asked about a side.
  private static func silence(of side: Direction, _ number: Int, _ exploration: Exploration) -> String {
    if exploration.moments[number].turns.isEmpty { return "the feed was told nothing" }
    switch exploration.feed(at: number).state(of: side) {
    case .exhausted: return "nothing more comes that way"
    case .gaveUp: return "it gave up"
    case .stopped: return "it was stopped"
    case .failed: return "a failed page is retried first"
    case .idle, .fetching:
      return exploration.list(at: number).isReplacing
        ? "a refresh has to come first" : "it wanted to be left alone for a while"
    }
  }
}
