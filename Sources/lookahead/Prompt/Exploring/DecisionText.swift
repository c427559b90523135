import Paging
import Simulation
import Terminal
import Text

/// One decision: what the policy saw, what it said, and why.
struct DecisionText {
  let view: PolicyView
  let verdict: Verdict

  var lines: [String] {
    [
      "\(view.direction.rawValue): \(answer) — \(verdict.reason.isEmpty ? "no reason given" : verdict.reason.printable)",
      "  sees \(seen)"
        + (view.totalCount.map { ", \(Amount.count($0)) in all" } ?? ""),
      "  edge \(view.remainingItems) items away, \(Amount.decimals(view.remainingScreens, 2)) screens; \(remainingTime)",
      "  in flight \(view.inFlight) pages, \(view.expectedItems) items; \(free)",
      "  the built-in rule says \(view.hint ? "yes" : "no"): \(view.hintReason.explanation) (rule \(view.hintReason.rule))",
    ]
  }

  /// In items that are held.
  private var seen: String {
    let seen = SeenText(
      view.firstVisible, view.lastVisible, held: 0..<view.itemCount,
      isAtEnd: view.direction == .append && view.isExhausted)
    let held = "\(Amount.count(view.itemCount)) held"
    return seen.missing.map { "\(seen.range), \($0); \(held)" } ?? "\(seen.range) of \(held)"
  }

  private var answer: String {
    var parts: [String] = []
    if verdict.cancel { parts.append("cancel") }
    parts.append(verdict.isYes ? "yes, \(verdict.fetch) page\(verdict.fetch == 1 ? "" : "s")" : "no")
    if let direction = verdict.direction, direction != view.direction {
      parts.append("for \(direction.rawValue)")
    }
    if let wait = verdict.wait { parts.append("not again for \(MomentText.milliseconds(wait))") }
    return parts.joined(separator: ", ")
  }

  private var remainingTime: String {
    guard view.remainingTime.isFinite else {
      return view.velocity == 0 ? "the reader stands still" : "the reader moves away from it"
    }
    return "\(Amount.decimals(min(view.remainingTime, 1e9), 2)) s at \(MomentText.speed(view.velocity))"
  }

  private var free: String {
    view.freeSlots > 0 ? "\(view.freeSlots) may be started" : "none may be started"
  }
}
