import Text

/// A backward history search: the text, and the entry that contains it.
struct HistorySearch {
  private(set) var wanted = ""
  private(set) var entry: String?
  private var place: Int?

  /// Extends the text, searching from the current entry.
  mutating func add(_ text: String, in history: LineHistory) {
    wanted += text
    look(in: history, before: place.map { $0 + 1 } ?? history.entries.count)
  }

  /// Removes a character from the text, searching from the newest entry.
  mutating func shorten(in history: LineHistory) {
    wanted = String(wanted.dropLast())
    look(in: history, before: history.entries.count)
  }

  /// Moves to an older match.
  mutating func findNext(in history: LineHistory) {
    if let place { look(in: history, before: place) }
  }

  /// The matching entry, with the cursor at the match; the edited text if there is none.
  func shown(_ edited: EditedText) -> EditedText {
    guard let entry else { return edited }
    var shown = EditedText(entry)
    for (row, line) in shown.lines.enumerated() {
      let scalars = Array(line.unicodeScalars)
      let sought = Array(wanted.unicodeScalars)
      let last = scalars.count - sought.count
      guard last >= 0, let column = (0...last).first(where: { scalars[$0...].starts(with: sought) }) else {
        continue
      }
      (shown.row, shown.column) = (row, column)
      break
    }
    return shown
  }

  /// The label shown below.
  var label: String {
    let isFailing = !wanted.isEmpty && place == nil
    return isFailing ? "no entry holds: \(wanted.printable)" : "search: \(wanted.printable)"
  }

  private mutating func look(in history: LineHistory, before end: Int) {
    guard !wanted.isEmpty else {
      (place, entry) = (nil, nil)
      return
    }
    guard let found = history.find(wanted, before: end) else {
      if place == nil || !(entry?.contains(wanted) ?? false) { (place, entry) = (nil, nil) }
      return
    }
    (place, entry) = (found, history.entries[found])
  }
}
