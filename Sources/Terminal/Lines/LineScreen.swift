import Text

/// The line editor's output on the terminal: redrawn in place, and moved when something is written above it.
struct LineScreen {
  private var drawn: LineDrawing?
  private var size = TerminalSize(columns: 80, rows: 24)

  /// The bytes that erase the drawing; the cursor is then at its start.
  mutating func clear(_ now: TerminalSize) -> String {
    guard let drawn else { return "" }
    let up = rowsAbove(drawn, now)
    self.drawn = nil
    return Self.up(up) + "\r\u{1B}[J"
  }

  /// The bytes that replace the drawing.
  mutating func draw(_ drawing: LineDrawing, _ now: TerminalSize) -> String {
    let shown = drawing.clipped(to: max(1, now.rows - 1))
    var text = drawn.map { Self.up(rowsAbove($0, now)) + "\r" } ?? "\r"
    for (number, row) in shown.rows.enumerated() {
      if number > 0 { text += "\r\n" }
      text += row.text
      if row.width < now.columns { text += "\u{1B}[K" }
    }
    let last = shown.rows.count - 1
    if let drawn, drawn.rows.count > shown.rows.count || size != now { text += "\r\n\u{1B}[J\u{1B}[A" }
    text += Self.up(last - shown.cursorRow) + "\r"
    if shown.cursorColumn > 0 { text += "\u{1B}[\(shown.cursorColumn)C" }
    drawn = shown
    size = now
    return text
  }

  /// The bytes of the final drawing, with the cursor below it.
  mutating func leave(_ drawing: LineDrawing, _ now: TerminalSize) -> String {
    let text = clear(now) + drawing.rows.map(\.text).joined(separator: "\r\n") + "\r\n"
    drawn = nil
    return text
  }

  /// Something else has written on the terminal: nothing is drawn.
  mutating func forget() { drawn = nil }

  /// Rows from the first one to the cursor's. A narrower terminal has wrapped longer ones.
  private func rowsAbove(_ drawing: LineDrawing, _ now: TerminalSize) -> Int {
    guard now.columns < size.columns else { return drawing.cursorRow }
    let broken = drawing.rows[..<drawing.cursorRow].reduce(0) { rows, row in
      rows + max(1, (row.width + now.columns - 1) / now.columns)
    }
    return broken + drawing.cursorColumn / now.columns
  }

  private static func up(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)A" : "" }
}
