import Items
import Paging
import Scripting
import Simulation
import Terminal
import Text

/// The state of an exploration, as rows of names and values.
struct StateText {
  private let explored: ExploredSession
  private var exploration: Exploration { explored.exploration }

  init(_ explored: ExploredSession) { self.explored = explored }

  /// What is opened, in one line.
  var head: String {
    let options = explored.source.configuration.options
    return "\(explored.source.name.printable): \(options.keys.rawValue) keys, pages of \(options.pageSize), "
      + "\(exploration.policyName.printable), a screen of \(exploration.screen)"
  }

  var text: String {
    let rows = place + held + work
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { $0.0 + String(repeating: " ", count: width - $0.0.count) + "  " + $0.1 }
      .joined(separator: "\n")
  }

  private var place: [(String, String)] {
    let moments = exploration.moments.count - 1
    return [
      ("source", head),
      ("moment", "\(exploration.position) of \(moments), at \(MomentText.seconds(exploration.now))"),
      ("policy", exploration.policyName.printable + (explored.hasOwnPolicy ? ", the source's own" : "")),
      ("reader", reader),
    ]
  }

  private var reader: String {
    let viewport = exploration.viewport
    var text = "sees \(SeenText(exploration).text)"
    if viewport.velocity != 0 { text += ", \(MomentText.speed(viewport.velocity))" }
    if exploration.plannedActs > 0 { text += ", \(exploration.plannedActs) moves to come" }
    if let since = exploration.stalledSince {
      text += ", waits for items since \(MomentText.seconds(since))"
    }
    return text
  }

  private var held: [(String, String)] {
    let list = exploration.list
    let total = list.total.map { " of \(Amount.count($0))" } ?? (list.isAtEnd ? ", which is all" : "")
    let (first, last) = (Amount.count(list.held.lowerBound + 1), Amount.count(list.held.upperBound))
    let places = list.held.isEmpty ? "none" : "\(first)–\(last)"
    return [
      ("items", "\(places)\(total)" + (list.isReplacing ? ", a new generation is on its way" : "")),
      ("append", side(.append)),
      ("prepend", side(.prepend)),
    ]
  }

  private func side(_ direction: Direction) -> String {
    switch exploration.feed.state(of: direction) {
    case .idle: "idle"
    case .fetching(let inFlight): "\(inFlight) page\(inFlight == 1 ? "" : "s") in flight"
    case .failed(let failure, let at):
      "failed, to be retried at \(MomentText.seconds(at)): \(failure.shown)"
    case .gaveUp(let failure): "gave up: \(failure.shown) (:retry)"
    case .stopped(.fruitless(let fetches)):
      "stopped after \(fetches) fetches that brought nothing new (:retry)"
    case .stopped(.pageLimit(let pages)): "stopped after \(pages) pages"
    case .exhausted: "exhausted"
    }
  }

  private var work: [(String, String)] {
    let statistics = exploration.feed.statistics
    let latency = exploration.feed.latency
    let stalls = exploration.stalls
    var requests = "\(statistics.fetches), \(statistics.received) items received"
    if statistics.retries > 0 { requests += ", \(statistics.retries) retried" }
    if statistics.duplicates > 0 { requests += ", \(statistics.duplicates) duplicates" }
    var rows = [("requests", requests)]
    if latency.count > 0 {
      rows.append(
        (
          "latency",
          "\(Amount.decimals(latency.mean, 2)) s in the mean, \(Amount.decimals(latency.p95, 2)) s at p95"
        ))
    }
    rows.append(
      (
        "stalls",
        "\(stalls.count)" + (stalls.count > 0 ? ", \(MomentText.milliseconds(stalls.total)) in all" : "")
      ))
    rows.append(("remembered", "\(exploration.journaledAnswers) answers of the source"))
    return rows
  }
}
