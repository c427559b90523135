internal import Items
import Listing
internal import Paging
import Text

extension BrowseModel {
  /// The four ranges, the fetches in flight, and what was decided and why, newest last.
  func drawPanel(_ status: BrowseStatus, on screen: inout Screen, at now: Instant) {
    let first = 1 + height
    var lines: [(text: String, style: Style)] = []
    lines.append((ranges(status), .plain))
    let held = status.maxItems.map { "\(status.held) of at most \($0)" } ?? "\(status.held)"
    lines.append(("held \(held) items · policy \(status.policy)", .plain))
    lines.append((flights(at: now), .plain))
    screen.fill(
      row: first, "── ranges and fetches " + String(repeating: "─", count: size.columns), style: .dim)
    for (row, line) in lines.enumerated() where row + 1 < panelHeight {
      screen.put(line.text, row: first + 1 + row, style: line.style)
    }
    let room = max(0, panelHeight - 1 - lines.count)
    for (row, entry) in journal.entries.suffix(room).enumerated() {
      let times = entry.times > 1 ? " ×\(entry.times)" : ""
      screen.put(
        "\(tenths(entry.at - .zero).padded(to: 7, .right)) \(entry.text)\(times)",
        row: first + 1 + lines.count + row,
        style: .dim)
    }
  }

  private func ranges(_ status: BrowseStatus) -> String {
    func text(_ name: String, _ range: Range<Int>) -> String {
      range.isEmpty ? "\(name) –" : "\(name) \(range.lowerBound + 1)–\(range.upperBound)"
    }
    let ranges = status.ranges
    let parts = [
      text("visible", ranges.visible), text("display", ranges.display), text("preload", ranges.preload),
      text("measure", ranges.measure),
    ]
    return parts.joined(separator: " · ") + (status.mode.map { " (\($0.rawValue))" } ?? "")
  }

  private func flights(at now: Instant) -> String {
    let flights = journal.flights.sorted { $0.key < $1.key }
    if flights.isEmpty { return "in flight: none" }
    return "in flight: "
      + flights.map { "\($0.key) \($0.value.request), \(tenths(now - $0.value.since)) s" }.joined(
        separator: " · ")
  }
}

extension BrowseModel {
  func draw(_ tree: ItemTree, from top: Int, on screen: inout Screen) {
    screen.put("item \(selected + 1)", row: 0, style: .bold)
    for (row, index) in (top..<tree.lines.count).prefix(max(0, size.rows - 2)).enumerated() {
      let line = tree.lines[index]
      let mark = line.isBranch ? (line.isFolded ? "+" : "-") : " "
      let text = String(repeating: "  ", count: line.depth) + "\(mark) \(line.name): \(line.text)"
      if index == tree.selected {
        screen.fill(row: row + 1, text, style: .reversed)
      } else {
        screen.put(text, row: row + 1)
      }
    }
  }

  static let help = [
    "up down, k j          one row", "PageUp PageDown, b Space  one screen",
    "Ctrl-U Ctrl-D         half a screen",
    "g G, Home End         the start, the end", "mouse wheel           three rows; a click selects",
    "/ text, n N           search, next, the one before",
    "Enter                 open the item; on an error, try again",
    "r                     refresh, keeping the place", "R                     try again what failed",
    "t                     ranges, fetches and decisions", "p                     the next policy",
    "P text                a policy, as remainingTime(2)", "q, Ctrl-C             leave",
    "In an item: arrows move, fold and unfold; q goes back.",
  ]

  func drawHelp(on screen: inout Screen) {
    screen.put("Keys", row: 0, style: .bold)
    for (row, line) in Self.help.enumerated() where row + 1 < size.rows - 1 {
      screen.put(line, row: row + 1, column: 2)
    }
  }
}
