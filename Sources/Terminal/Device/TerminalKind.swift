import CTerminal

/// The terminal on standard output.
public struct TerminalKind: Sendable, Equatable {
  /// Columns.
  public let columns: Int
  /// Rows.
  public let rows: Int
  /// Number of colours, 0 for none; nil if unknown.
  public let colors: Int?

  /// The current one, without taking it over; nil if standard output is not a terminal.
  public static var current: TerminalKind? {
    var (columns, rows): (Int32, Int32) = (0, 0)
    guard cterminal_measure(&columns, &rows) else { return nil }
    let colors = cterminal_colors()
    return TerminalKind(columns: Int(columns), rows: Int(rows), colors: colors < 0 ? nil : Int(colors))
  }
}
