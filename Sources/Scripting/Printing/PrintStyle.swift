/// How values are printed.
///
/// ```swift
/// var style = PrintStyle()
/// style.depth = 2
/// workflow.text(of: value, named: "page", style: style)
/// ```
public struct PrintStyle: Sendable {
  /// Maximum depth of expanded tables.
  public var depth = 3
  /// Maximum entries of a table.
  public var items = 20
  /// Maximum bytes of a string.
  public var stringLimit = 200
  /// Maximum cells of a line.
  public var width = 80
  /// Whether to use colours, as ANSI sequences.
  public var isColored = false
  /// Whether every field is on its own line, even in records.
  public var isVertical = false
  /// Cells a scalar takes in a terminal.
  public var cellWidth: @Sendable (Unicode.Scalar) -> Int = { _ in 1 }

  public init() {}

  func width(of text: String) -> Int {
    text.utf8.allSatisfy { $0 < 0x80 }
      ? text.utf8.count : text.unicodeScalars.reduce(0) { $0 + cellWidth($1) }
  }
}
