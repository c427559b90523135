/// Cells of text as aligned columns.
struct TextGrid {
  private var columns: [Column]

  private struct Column {
    let title: String
    let cells: [String]
    let isLeft: Bool
    let bold: Set<Int>

    var width: Int { max(title.count, cells.map(\.count).max() ?? 0) }
  }

  /// `bold` has for every column the rows to be set off.
  init(_ titles: [String], _ rows: [[String]], isLeft: [Bool], bold: [Set<Int>]) {
    columns = titles.indices.map { place in
      Column(title: titles[place], cells: rows.map { $0[place] }, isLeft: isLeft[place], bold: bold[place])
    }
  }

  private var width: Int { columns.reduce(-2) { $0 + $1.width + 2 } }

  /// Leaves out columns until all fits, the highest rank first and never rank zero; the titles of those.
  mutating func fit(_ width: Int?, drop ranks: [Int]) -> [String] {
    guard let width else { return [] }
    var ranks = ranks
    var dropped: [String] = []
    while self.width > width, let rank = ranks.max(), rank > 0, let place = ranks.lastIndex(of: rank) {
      dropped.append(columns.remove(at: place).title)
      ranks.remove(at: place)
    }
    return dropped.reversed()
  }

  /// The titles, a rule and the rows, each with a newline and no blanks at its end.
  var text: String {
    let rows = columns.first?.cells.count ?? 0
    var lines = [line { $0.title }, line { String(repeating: "-", count: $0.width) }]
    for row in 0..<rows { lines.append(line(row) { $0.cells[row] }) }
    return lines.joined()
  }

  private func line(_ row: Int? = nil, _ cell: (Column) -> String) -> String {
    var text = ""
    var blanks = 0
    for column in columns {
      let cell = cell(column)
      let fill = column.width - cell.count
      if !column.isLeft { blanks += fill }
      if !cell.isEmpty {
        text += String(repeating: " ", count: blanks)
        text += row.map(column.bold.contains) == true ? "\u{1B}[1m\(cell)\u{1B}[0m" : cell
        blanks = 0
      }
      blanks += (column.isLeft ? fill : 0) + 2
    }
    while text.last == " " { text.removeLast() }
    return text + "\n"
  }
}
