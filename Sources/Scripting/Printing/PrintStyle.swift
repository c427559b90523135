/// How values are shown.
public struct PrintStyle: Sendable {
  /// Tables within tables that are opened.
  public var depth = 3
  /// Entries of a table.
  public var items = 20
  /// Bytes of a string.
  public var stringLimit = 200
  /// Cells of a line.
  public var width = 80
  /// With colours, as ANSI sequences.
  public var isColored = false
  /// Every field on a line of its own, records too.
  public var isVertical = false
  /// Cells that a scalar takes in a terminal.
  public var cellWidth: @Sendable (Unicode.Scalar) -> Int = { _ in 1 }

  public init() {}

  func width(of text: String) -> Int {
    text.utf8.allSatisfy { $0 < 0x80 }
      ? text.utf8.count : text.unicodeScalars.reduce(0) { $0 + cellWidth($1) }
  }
}
