internal import Items
import Listing
public import Paging
import Text

extension BrowseModel {
  /// The current screen.
  public mutating func screen(_ list: BrowsedList, _ status: BrowseStatus, at now: Instant) -> Screen {
    var screen = Screen(size)
    switch mode {
    case .item(let tree, let top): draw(tree, from: top, on: &screen)
    case .help: drawHelp(on: &screen)
    case .list, .prompt:
      drawTable(list, detailed: status.details, on: &screen)
      if isPanelShown { drawPanel(status, on: &screen, at: now) }
    }
    drawStatus(list, status, on: &screen, at: now)
    return screen
  }

  /// A dot behind its number says that the details of an item are there.
  private mutating func drawTable(_ list: BrowsedList, detailed: Set<Int>, on screen: inout Screen) {
    let rows = rows(list)
    let measured = visible.map { place in list[place].map { row($0, at: place) } }
    for row in measured { if let row { learn(row) } }
    let gutter = max(2, String(max(1, rows)).count) + 1
    let places = layout.places(from: gutter, width: size.columns - gutter)
    let failureRow = failureRow(list)
    drawHeader(places, gutter, on: &screen)
    for (row, place) in visible.enumerated() where place < rows {
      let isSelected = place == selected
      let style = isSelected ? Style.reversed : .plain
      if isSelected { screen.fill(row: row + 1, "", style: style) }
      var line = LineWriter(row: row + 1, style: style)
      line.put("\(place + 1)".padded(to: gutter - 1, .right), column: 0, dim: !isSelected)
      if detailed.contains(place) { line.put("•", column: gutter - 1, dim: !isSelected) }
      if let row = measured[row] {
        for cell in places { line.put(row.text(in: cell), column: cell.start) }
      } else if let failure = list.failure, failureRow == place {
        line.put(text(of: failure), column: gutter, color: .red)
      } else {
        for cell in places.isEmpty ? [nil] : places.map(Optional.some) {
          line.put(
            String(repeating: "·", count: min(cell?.width ?? 12, 12)), column: cell?.start ?? gutter,
            dim: true)
        }
      }
      line.write(on: &screen)
    }
  }

  /// The visible row that says why a page is not there: the first of the page, or else the one nearest to it that is missing as
  /// well.
  private func failureRow(_ list: BrowsedList) -> Int? {
    guard let place = list.failure?.place else { return nil }
    let missing = visible.filter { $0 < rows(list) && list[$0] == nil }
    // A page before what is held ends there.
    return place == list.start - 1 ? missing.last { $0 <= place } : missing.first { $0 >= place }
  }

  private func drawHeader(_ places: [TableLayout.Place], _ gutter: Int, on screen: inout Screen) {
    let style = Style(isBold: true)
    screen.put("#".padded(to: gutter - 1, .right), row: 0, style: style)
    for place in places {
      let name = place.column.name
      let text = place.column.isNumeric ? name.clipped(to: place.width).padded(to: place.width, .right) : name
      screen.put(text, row: 0, column: place.start, width: place.width, style: style)
    }
  }

  /// The row of an item, measured now unless a worker has done so.
  private func row(_ item: Item, at place: Int) -> MeasuredRow {
    rowWindow.row(item, at: place) ?? MeasuredRow(item.bytes, columns: size.columns)
  }

  private func text(of failure: BrowsedList.Failure) -> String {
    failure.retryAt == nil
      ? "! \(failure.message) — Enter or R retries" : "! \(failure.message) — will be retried"
  }

  private func drawStatus(
    _ list: BrowsedList, _ status: BrowseStatus, on screen: inout Screen, at now: Instant
  ) {
    let row = size.rows - 1
    if case .prompt(let prompt, let text) = mode {
      screen.fill(row: row, prompt.text + text + "_", style: .plain)
      return
    }
    var parts = ["\(status.source) \(position(list))"]
    if let search {
      parts.append("searching '\(search.text)': \(search.looked) looked at, Esc stops")
    } else if !message.isEmpty {
      parts.append(message)
    }
    let velocity = meter.velocity(at: now)
    if velocity != 0 { parts.append("\(Int(max(-1e9, min(1e9, velocity.rounded()))))/s") }
    parts.append("\(status.inFlight) in flight")
    parts.append("stalled \(tenths(stalls.total(at: now))) s")
    if list.isReplacing {
      let failure = list.failure.flatMap { $0.retryAt == nil ? $0.message : nil }
      parts.append(failure.map { "not refreshed: \($0)" } ?? "refreshing")
    }
    parts.append("policy \(status.policy)")
    parts.append("? helps")
    screen.fill(row: row, parts.joined(separator: " | "), style: .reversed)
  }

  /// Such as `21–40 of 60000`; a plus if more may come.
  private func position(_ list: BrowsedList) -> String {
    let rows = rows(list)
    let known = list.isAtEnd || list.total != nil ? "\(rows)" : "\(list.held.upperBound)+"
    return rows == 0 ? "nothing" : "\(min(selected + 1, rows)) of \(known)"
  }

  /// The four ranges, the fetches in flight, and recent decisions with their reasons, newest last.
  private func drawPanel(_ status: BrowseStatus, on screen: inout Screen, at now: Instant) {
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

  private func draw(_ tree: ItemTree, from top: Int, on screen: inout Screen) {
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

  private static let help = [
    "up down, k j          one row", "PageUp PageDown, b Space  one screen",
    "Ctrl-U Ctrl-D         half a screen",
    "g G, Home End         the start, the end", "mouse wheel           three rows; a click selects",
    "/ text, n N           search, next, the one before",
    "Enter                 open the item; on an error, try again",
    "r                     refresh, keeping the place", "R                     try again what failed",
    "t                     ranges, fetches and decisions", "p                     the next policy",
    "P text                a policy, as remainingTime(2), or a file",
    "q, Ctrl-C             leave",
    "A dot • behind a number: the details of the item are there.",
    "In an item: arrows move, fold and unfold; q goes back.",
  ]

  private func drawHelp(on screen: inout Screen) {
    screen.put("Keys", row: 0, style: .bold)
    for (row, line) in Self.help.enumerated() where row + 1 < size.rows - 1 {
      screen.put(line, row: row + 1, column: 2)
    }
  }
}

/// A row written cell by cell in one style.
private struct LineWriter {
  let row: Int
  let style: Style
  private var cells: [(text: String, column: Int, style: Style)] = []

  init(row: Int, style: Style) {
    self.row = row
    self.style = style
  }

  mutating func put(_ text: String, column: Int, dim: Bool = false, color: Style.Color? = nil) {
    var style = style
    style.isDim = dim && !style.isReversed
    style.color = color
    cells.append((text, column, style))
  }

  func write(on screen: inout Screen) {
    if style.isReversed {
      return screen.overwrite(row: row, cells.map { ($0.text, $0.column) }, style: style)
    }
    for cell in cells { screen.put(cell.text, row: row, column: cell.column, style: cell.style) }
  }
}

/// Seconds with one decimal.
func tenths(_ duration: Duration) -> String {
  let tenths = Int((duration.inSeconds * 10).rounded())
  return "\(tenths / 10).\(tenths % 10)"
}
