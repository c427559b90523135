import CText

extension Unicode.Scalar {
  /// Cells that the scalar takes in a terminal: 0 for marks on the one before it, 2 for wide ones, else 1.
  ///
  /// Wide is what Unicode's East Asian Width calls W or F, and what is shown as an emoji by itself. The parts of a
  /// joined emoji count one by one, since terminals do not agree on how they draw it.
  public var cellWidth: Int {
    if value < 0xA0 { return 1 }
    return Int(ctext_width(value))
  }
}

extension StringProtocol {
  /// Cells that the text takes in a terminal: 4 for `日本`.
  public var cellWidth: Int {
    isPlain ? utf8.count : unicodeScalars.reduce(0) { $0 + $1.cellWidth }
  }

  /// The text in at most `width` cells, cut between characters; an ellipsis stands for the rest.
  public func clipped(to width: Int) -> String {
    if utf8.count <= width || cellWidth <= width { return String(self) }
    guard width > 0 else { return "" }
    var room = width - 1
    let kept = prefix { character in
      room -= character.unicodeScalars.reduce(0) { $0 + $1.cellWidth }
      return room >= 0
    }
    return kept + "…"
  }

  /// The text, filled with blanks to `width` cells; a longer one is unchanged.
  public func padded(to width: Int, _ alignment: Alignment = .left) -> String {
    let blanks = String(repeating: " ", count: Swift.max(0, width - cellWidth))
    return alignment == .left ? self + blanks : blanks + self
  }

  /// Without what would move the cursor or change the terminal; line ends and tabs become blanks.
  public var printable: String {
    if isPlain { return String(self) }
    var (kept, marks) = (String.UnicodeScalarView(), 0)
    for scalar in unicodeScalars {
      marks = HarmlessText.isMark(scalar) ? marks + 1 : 0
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: kept.append(" ")
      case .surrogate, .unassigned, .privateUse: continue
      default:
        if !HarmlessText.isHazardous(scalar) && marks <= HarmlessText.mostMarks { kept.append(scalar) }
      }
    }
    return String(kept)
  }

  /// Whether every byte is a character of one cell.
  private var isPlain: Bool { utf8.allSatisfy { 0x20..<0x7F ~= $0 } }
}

/// Where a text stands in a room wider than it is.
public enum Alignment: Sendable, Hashable {
  /// Blanks follow it.
  case left
  /// Blanks precede it.
  case right
}
