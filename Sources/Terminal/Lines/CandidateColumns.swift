import Text

/// Completion candidates below the text, in columns read downwards, as by `ls`.
public struct CandidateColumns: Sendable {
  /// From top to bottom.
  public let rows: [String]

  /// Fills at most `room` rows; the last one says how many candidates are omitted.
  public init(_ completions: LineCompletions, columns: Int, rows room: Int) {
    let names = completions.candidates.map { $0.printable.clipped(to: columns - 1) }
    let width = (names.map(\.cellWidth).max() ?? 0) + 2
    let across = max(1, (columns + 1) / width)
    let needed = (names.count + across - 1) / across
    let isWhole = needed <= room && !completions.isCut
    let height = isWhole ? needed : max(1, min(needed, room - 1))
    let shown = names.prefix(height * across)
    var rows = (0..<min(height, shown.count)).map { row in
      var text = ""
      for place in stride(from: row, to: shown.count, by: height) {
        let name = shown[place]
        let isLast = place + height >= shown.count
        text += isLast ? name : name.padded(to: width)
      }
      return text
    }
    let left = names.count - shown.count
    if completions.isCut {
      rows.append("… and many more")
    } else if left > 0 {
      rows.append("… and \(left) more")
    }
    self.rows = rows
  }
}
