/// The size of a terminal in cells.
public struct TerminalSize: Sendable, Hashable {
  /// Maximum accepted columns and rows: more than any real screen, and small enough that a full screen of cells, of
  /// which ncurses keeps three, takes some 80 MB.
  public static let most = 1000

  /// Columns, from 1 to the maximum.
  public let columns: Int
  /// Rows, from 1 to the maximum.
  public let rows: Int

  /// The size, clamped.
  public init(columns: Int, rows: Int) {
    self.columns = min(max(1, columns), Self.most)
    self.rows = min(max(1, rows), Self.most)
  }

  /// Such as `80x24`; nil for anything else, and for impossible sizes.
  public init?(_ text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let columns = Int(parts[0]), let rows = Int(parts[1]),
      1...Self.most ~= columns, 1...Self.most ~= rows
    else { return nil }
    self.init(columns: columns, rows: rows)
  }
}
