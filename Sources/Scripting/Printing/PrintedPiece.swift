/// A piece of a line in one colour, without control characters.
struct PrintedPiece: Equatable {
  var text: String
  var kind = Kind.plain

  enum Kind {
    case plain
    case null
    case boolean
    case number
    case string
    case function
    /// The name of a field.
    case key
    /// A remark about a value, as opposed to the value itself.
    case remark

    /// The parameter of an ANSI sequence (ECMA-48, SGR).
    var color: String? {
      switch self {
      case .plain: nil
      case .null, .boolean: "35"
      case .number: "36"
      case .string: "32"
      case .function: "34"
      case .key: "1"
      case .remark: "2"
      }
    }
  }
}

/// Pieces in sequence.
typealias PrintedLine = [PrintedPiece]

extension PrintStyle {
  func width(of line: PrintedLine) -> Int { line.reduce(0) { $0 + width(of: $1.text) } }

  func text(of line: PrintedLine) -> String {
    line.map { piece in
      guard isColored, let color = piece.kind.color, !piece.text.isEmpty else { return piece.text }
      return "\u{1B}[\(color)m\(piece.text)\u{1B}[0m"
    }.joined()
  }

  /// The line, cut to a width in cells; an ellipsis replaces the rest.
  func clipped(_ line: PrintedLine, to limit: Int) -> PrintedLine {
    guard width(of: line) > limit else { return line }
    var room = max(0, limit - 1)
    var kept: PrintedLine = []
    for piece in line {
      let scalars = piece.text.unicodeScalars.prefix { scalar in
        let needed = cellWidth(scalar)
        guard needed <= room else { return false }
        room -= needed
        return true
      }
      kept.append(PrintedPiece(text: String(scalars), kind: piece.kind))
      if scalars.endIndex != piece.text.unicodeScalars.endIndex { break }
    }
    return kept + [PrintedPiece(text: "…", kind: .remark)]
  }
}
