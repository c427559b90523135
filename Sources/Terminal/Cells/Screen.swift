import Text

/// Rows of styled cells: a value, so that screens can be compared and only changed rows are sent.
public struct Screen: Sendable, Equatable {
  /// Adjacent cells of one style.
  public struct Run: Sendable, Hashable {
    /// The first cell's column, from 0.
    public var column: Int
    public var text: String
    public var style: Style

    public init(column: Int, text: String, style: Style) {
      self.column = column
      self.text = text
      self.style = style
    }
  }

  public let size: TerminalSize
  /// By row; runs are in column order and don't overlap.
  public private(set) var rows: [[Run]]

  /// An empty screen.
  public init(_ size: TerminalSize) {
    self.size = size
    rows = Array(repeating: [], count: size.rows)
  }

  /// Writes text at a column after the row's content; the overflow is cut. Missing rows are ignored.
  public mutating func put(
    _ text: String, row: Int, column: Int = 0, width: Int? = nil, style: Style = .plain
  ) {
    guard rows.indices.contains(row), column < size.columns else { return }
    let room = min(width ?? size.columns, size.columns - column)
    let text = text.printable.clipped(to: room)
    if !text.isEmpty { rows[row].append(Run(column: column, text: text, style: style)) }
  }

  /// Replaces a row by one style with the text on it.
  public mutating func fill(row: Int, _ text: String, style: Style) {
    guard rows.indices.contains(row) else { return }
    rows[row] = []
    let text = text.printable.clipped(to: size.columns)
    put(text.padded(to: size.columns), row: row, style: style)
  }

  /// Replaces a row by one style with texts at their columns.
  public mutating func overwrite(row: Int, _ texts: [(text: String, column: Int)], style: Style) {
    var line = ""
    var column = 0
    for (text, start) in texts where start >= column && start < size.columns {
      let text = text.printable.clipped(to: size.columns - start)
      line += String(repeating: " ", count: start - column) + text
      column = start + text.cellWidth
    }
    fill(row: row, line, style: style)
  }

  /// The rows that differ from another screen; all if the sizes differ.
  public func rowsChanged(since other: Screen?) -> [Int] {
    guard let other, other.size == size else { return Array(rows.indices) }
    return rows.indices.filter { rows[$0] != other.rows[$0] }
  }

  /// The screen as lines of text, without styles and trailing spaces.
  public var text: String { rows.indices.map { line($0) + "\n" }.joined() }

  /// One row as text.
  public func line(_ row: Int) -> String {
    var line = ""
    var column = 0
    for run in rows[row] {
      line += String(repeating: " ", count: max(0, run.column - column)) + run.text
      column = max(column, run.column) + run.text.cellWidth
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
