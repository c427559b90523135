import Items
import Lua
import Paging
import Scripting
import Simulation
import Terminal
import Text

/// Items of an exploration, as the prompt shows values.
enum ItemCommands {
  static func visible(_ session: PromptSession) throws(PromptFault) {
    let exploration = try session.exploredOrFault().exploration
    let seen = SeenText(exploration)
    show(seen.places, of: exploration, session)
    if let missing = seen.missing { session.say(missing, .dim) }
  }

  static func held(_ session: PromptSession, _ text: String) throws(PromptFault) {
    let exploration = try session.exploredOrFault().exploration
    let words = text.split(whereSeparator: \.isWhitespace)
    let numbers = words.compactMap { Int($0) }
    guard numbers.count == words.count, numbers.count <= 2, numbers.allSatisfy({ 1...100_000_000 ~= $0 })
    else {
      throw PromptFault(":items expects the first and the last item to show, from 1, got \(text)")
    }
    if numbers.count == 2, numbers[0] > numbers[1] {
      throw PromptFault(
        ":items expects the first item before the last, got \(text): that range is backwards",
        hint: ":items \(numbers[1]) \(numbers[0]) shows it.")
    }
    let held = exploration.list.held
    let first = (numbers.first ?? held.lowerBound + 1) - 1
    let last = numbers.count == 2 ? numbers[1] : numbers.count == 1 ? first + 1 : held.upperBound
    show(first..<max(first, last), of: exploration, session)
  }

  static func pending(_ session: PromptSession) throws(PromptFault) {
    let exploration = try session.exploredOrFault().exploration
    let fetches = exploration.fetches
    let waiting = exploration.feed.waitingItems
    if fetches.isEmpty, waiting.isEmpty { return session.say("nothing is on its way") }
    if !fetches.isEmpty { session.say(table(fetches)) }
    guard !waiting.isEmpty else { return }
    session.say("\(waiting.count) items are in and wait for their turn:", .dim)
    say(waiting, session)
  }

  private static func table(_ fetches: [ExploredFetch]) -> String {
    let rows = fetches.map { fetch in
      [
        "fetch \(fetch.request.id.number)", fetch.request.direction.rawValue,
        fetch.request.key.map { $0.description.printable.clipped(to: 30) } ?? "",
        "\(fetch.request.size)", "\(fetch.request.attempt)", MomentText.seconds(fetch.since),
        fetch.answersAt.map(MomentText.seconds) ?? "not asked yet",
      ]
    }
    return TextTable(
      ["", "side", "key", "items", "attempt", "since", "answered at"], rows: rows,
      alignments: [.left, .right]
    ).lines.joined(separator: "\n")
  }

  private static func show(_ places: Range<Int>, of exploration: Exploration, _ session: PromptSession) {
    let list = exploration.list
    let shown = places.clamped(to: list.held)
    guard !shown.isEmpty else { return session.say("no items are held there") }
    session.say("items \(shown.lowerBound + 1)–\(shown.upperBound)", .dim)
    say(shown.compactMap { list[$0] }, session)
  }

  private static func say(_ items: [Item], _ session: PromptSession) {
    do throws(LuaError) {
      let value = try session.workflow.exploring.value(of: items)
      session.say(session.workflow.text(of: value, named: "items", style: session.style))
    } catch {
      session.show(error, of: nil)
    }
  }
}
