/// Rows of text as aligned columns, measured in terminal cells: a header, a rule and the rows. Whatever the cells
/// contain, the table is harmless to a terminal.
///
///     TextTable(["name", "items"], rows: [["日本", "12"]], alignments: [.left, .right]).text
///
/// is
///
///     name  items
///     ----  -----
///     日本     12
public struct TextTable: Sendable {
  private struct Column {
    let title: String
    let alignment: Alignment
    let cells: [String]
    let bold: Set<Int>
    let width: Int

    init(_ title: String, _ alignment: Alignment, _ cells: [String], bold: Set<Int>) {
      let cells = cells.map { HarmlessText.line($0) }
      self.title = HarmlessText.line(title)
      self.alignment = alignment
      self.cells = cells
      self.bold = bold
      width = cells.reduce(self.title.cellWidth) { max($0, $1.cellWidth) }
    }
  }

  private var columns: [Column]
  private let rowCount: Int

  /// Every row has a cell for each title. Columns without an alignment use the last one given; `bold` holds, for each
  /// column, the rows whose cell is bold.
  public init(
    _ titles: [String], rows: [[String]], alignments: [Alignment] = [.left], bold: [Set<Int>] = []
  ) {
    rowCount = rows.count
    columns = titles.indices.map { place in
      Column(
        titles[place], alignments[min(place, alignments.count - 1)], rows.map { $0[place] },
        bold: bold.indices.contains(place) ? bold[place] : [])
    }
  }

  /// Drops columns until the rest fits into `width` cells, the highest rank first and never rank zero; returns the
  /// dropped titles.
  public mutating func fit(_ width: Int, dropping ranks: [Int]) -> [String] {
    var ranks = ranks
    var dropped: [String] = []
    while self.width > width, let rank = ranks.max(), rank > 0, let place = ranks.lastIndex(of: rank) {
      dropped.append(columns.remove(at: place).title)
      ranks.remove(at: place)
    }
    return dropped.reversed()
  }

  /// The header, a rule and the rows, without trailing spaces.
  public var lines: [String] {
    let head = line { ($0.title, false) }
    let rule = line { (String(repeating: "-", count: $0.width), false) }
    return [head, rule] + (0..<rowCount).map { row in line { ($0.cells[row], $0.bold.contains(row)) } }
  }

  /// The lines, each with a newline.
  public var text: String { lines.map { $0 + "\n" }.joined() }

  private var width: Int { columns.reduce(-2) { $0 + $1.width + 2 } }

  private func line(_ cell: (Column) -> (text: String, isBold: Bool)) -> String {
    var line = ""
    var blanks = 0
    for column in columns {
      let cell = cell(column)
      let fill = column.width - cell.text.cellWidth
      if column.alignment == .right { blanks += fill }
      if !cell.text.isEmpty {
        line += String(repeating: " ", count: blanks)
        line += cell.isBold ? "\u{1B}[1m\(cell.text)\u{1B}[0m" : cell.text
        blanks = 0
      }
      blanks += (column.alignment == .left ? fill : 0) + 2
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
