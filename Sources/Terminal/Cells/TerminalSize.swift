/// How many cells a terminal has.
public struct TerminalSize: Sendable, Hashable {
  /// The most that is believed, of columns as of rows: more than the finest screens show in letters, and little enough that a
  /// screen full of cells, of which ncurses keeps three, is some 80 MB and no more.
  public static let most = 1000

  /// Cells of a row, from 1 to the most.
  public let columns: Int
  /// Rows, from 1 to the most.
  public let rows: Int

  /// The nearest size that is believed.
  public init(columns: Int, rows: Int) {
    self.columns = min(max(1, columns), Self.most)
    self.rows = min(max(1, rows), Self.most)
  }

  /// As `80x24`; nil for anything else, and for sizes that no terminal has.
  public init?(_ text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let columns = Int(parts[0]), let rows = Int(parts[1]),
      1...Self.most ~= columns, 1...Self.most ~= rows
    else { return nil }
    self.init(columns: columns, rows: rows)
  }
}
