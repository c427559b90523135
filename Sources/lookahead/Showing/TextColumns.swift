/// Rows as aligned columns, the first to the left and the others to the right.
struct TextColumns {
  private let rows: [[String]]

  init(_ rows: [[String]], head: [String]) { self.rows = [head] + rows }

  /// The head, a line, and the rows.
  var text: String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
      row.indices.map { column in
        let blanks = String(repeating: " ", count: widths[column] - row[column].count)
        return column == 0 ? row[column] + blanks : blanks + row[column]
      }.joined(separator: "  ")
    }
    let rule = widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ")
    return ([lines[0], rule] + lines.dropFirst()).joined(separator: "\n")
  }
}
