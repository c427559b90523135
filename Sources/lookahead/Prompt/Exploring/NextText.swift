import Paging
import Simulation
import Terminal

/// The pending event of an exploration, in one line, and what to type for it.
struct NextText {
  let exploration: Exploration

  var text: String {
    if exploration.position < exploration.moments.count - 1 { return "lived already: \(later) (:forward)" }
    let asked = exploration.fetches.filter { $0.answersAt == nil }
    if !asked.isEmpty {
      let numbers = asked.map { "\($0.request.id.number)" }.joined(separator: ", ")
      return "to come: the source answers fetch \(numbers) (:step, :run)"
    }
    if let next = exploration.nextTime {
      let after = MomentText.milliseconds(next - exploration.now)
      return "to come: \(coming(at: next)) in \(after) (:step, :run)"
    }
    if exploration.stalledSince != nil { return Self.standstill }
    return "nothing is left to come"
  }

  static let standstill =
    "the reader waits, and no page is on its way: the policy asks for none (:why, :fetch, :policy)"

  private var later: String {
    let count = exploration.moments.count - 1 - exploration.position
    return "\(count) moment\(count == 1 ? "" : "s")"
  }

  private func coming(at next: Instant) -> String {
    if let fetch = exploration.fetches.first(where: { $0.answersAt == next }) {
      return "fetch \(fetch.request.id.number) is answered"
    }
    return exploration.plannedActs > 0 && exploration.stalledSince == nil
      ? "the reader goes on" : "the feed wakes"
  }
}
