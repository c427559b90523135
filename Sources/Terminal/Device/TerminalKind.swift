import CTerminal

/// What terminal there is on standard output.
public struct TerminalKind: Sendable, Equatable {
  /// Cells of a row.
  public let columns: Int
  /// Rows of the screen.
  public let rows: Int
  /// Its colours, 0 for none; nil where nothing is known of it.
  public let colors: Int?

  /// The one that is there, without taking it over; nil when standard output is no terminal.
  public static var current: TerminalKind? {
    var (columns, rows): (Int32, Int32) = (0, 0)
    guard cterminal_measure(&columns, &rows) else { return nil }
    let colors = cterminal_colors()
    return TerminalKind(columns: Int(columns), rows: Int(rows), colors: colors < 0 ? nil : Int(colors))
  }
}
