/// A list of records, printed as columns if it does not fit on a line.
struct PrintedRecords {
  struct Row {
    var name: String
    /// By column.
    var cells: [String: PrintedNode]
  }

  var columns: [String]
  var rows: [Row]
  var rest = ""
  /// The same, in braces.
  var asTable: PrintedTable

  /// A header and the rows, with the columns that fit; the others are named below.
  func lines(indent: Int, _ style: PrintStyle, isOutermost: Bool) -> [PrintedLine] {
    let margin = isOutermost ? 0 : indent + 2
    let room = max(20, style.width - margin)
    let nameWidth = rows.map { $0.name.count }.max() ?? 0
    var shown: [Column] = []
    var left = room - nameWidth
    for limit in [40, 24, 14] {
      shown = []
      left = room - nameWidth
      for name in columns {
        let column = Column(name, rows, limit: limit, style)
        guard left >= column.width + 2 || shown.isEmpty else { break }
        left -= column.width + 2
        shown.append(column)
      }
      if shown.count == columns.count { break }
    }
    let blank = PrintedPiece(text: String(repeating: " ", count: margin))
    let gap = PrintedPiece(text: "  ")
    var lines: [PrintedLine] =
      isOutermost ? [] : [[PrintedPiece(text: "\(rows.count) records", kind: .remark)]]
    if !isOutermost, !rest.isEmpty { lines[0][0].text = "records" }
    lines.append(
      [blank, PrintedPiece(text: String(repeating: " ", count: nameWidth))]
        + shown.flatMap { [gap] + $0.head(style) })
    for row in rows.indices {
      let padding = String(repeating: " ", count: nameWidth - rows[row].name.count)
      lines.append(
        [blank, PrintedPiece(text: padding + rows[row].name, kind: .remark)]
          + shown.flatMap { [gap] + $0.cell(row, style) })
    }
    let hidden = columns.dropFirst(shown.count)
    let remarks = [rest, hidden.isEmpty ? "" : "… columns not shown: " + hidden.joined(separator: ", ")]
    for remark in remarks where !remark.isEmpty {
      lines.append([blank] + style.clipped([PrintedPiece(text: remark, kind: .remark)], to: room))
    }
    return lines.map { $0.withoutTrailingBlanks }
  }
}

/// A column that is laid out.
private struct Column {
  let name: String
  let width: Int
  private let cells: [PrintedLine]
  private let isNumeric: Bool

  init(_ name: String, _ rows: [PrintedRecords.Row], limit: Int, _ style: PrintStyle) {
    let lines = rows.map { row in
      row.cells[name].map {
        style.clipped($0.inline(room: 1000, style) ?? [PrintedPiece(text: "{…}")], to: limit)
      } ?? []
    }
    self.name = name
    cells = lines
    isNumeric = lines.contains { !$0.isEmpty } && lines.allSatisfy { $0.isEmpty || $0.first?.kind == .number }
    width =
      ([style.width(of: style.clipped([PrintedPiece(text: name)], to: limit))] + lines.map(style.width(of:)))
      .max() ?? 0
  }

  func head(_ style: PrintStyle) -> PrintedLine {
    padded(style.clipped([PrintedPiece(text: name, kind: .key)], to: width), style)
  }

  func cell(_ row: Int, _ style: PrintStyle) -> PrintedLine { padded(cells[row], style) }

  private func padded(_ line: PrintedLine, _ style: PrintStyle) -> PrintedLine {
    let blanks = PrintedPiece(text: String(repeating: " ", count: max(0, width - style.width(of: line))))
    return isNumeric ? [blanks] + line : line + [blanks]
  }
}

extension PrintedLine {
  var withoutTrailingBlanks: PrintedLine {
    var line = self
    while let last = line.last, last.text.allSatisfy({ $0 == " " }) { line.removeLast() }
    return line
  }
}
