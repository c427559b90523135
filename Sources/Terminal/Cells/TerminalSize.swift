/// How many cells a terminal has.
public struct TerminalSize: Sendable, Hashable {
  /// Cells of a row, at least 1.
  public let columns: Int
  /// Rows, at least 1.
  public let rows: Int

  public init(columns: Int, rows: Int) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
  }

  /// As `80x24`; nil for anything else, and for sizes that no terminal has.
  public init?(_ text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let columns = Int(parts[0]), let rows = Int(parts[1]),
      1...2000 ~= columns, 1...2000 ~= rows
    else { return nil }
    self.init(columns: columns, rows: rows)
  }
}
