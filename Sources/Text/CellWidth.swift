import CText

extension Unicode.Scalar {
  /// Cells the scalar takes in a terminal: 0 for combining marks, 2 for wide characters, else 1.
  ///
  /// Wide is East Asian Width W or F, and emoji presentation. The parts of a joined emoji count one by one, since
  /// terminals disagree on how to draw them.
  public var cellWidth: Int {
    if value < 0xA0 { return 1 }
    return Int(ctext_width(value))
  }
}

extension StringProtocol {
  /// Cells the text takes in a terminal: 4 for `日本`.
  public var cellWidth: Int {
    isPlain ? utf8.count : unicodeScalars.reduce(0) { $0 + $1.cellWidth }
  }

  /// The text in at most `width` cells, cut between characters; an ellipsis replaces the rest.
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

  /// The text, padded with spaces to `width` cells; a longer one is unchanged.
  public func padded(to width: Int, _ alignment: Alignment = .left) -> String {
    let blanks = String(repeating: " ", count: Swift.max(0, width - cellWidth))
    return alignment == .left ? self + blanks : blanks + self
  }

  /// The text without what would move the cursor or change the terminal; line ends and tabs become spaces.
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

  /// Whether every byte is a one-cell character.
  private var isPlain: Bool { utf8.allSatisfy { 0x20..<0x7F ~= $0 } }
}

/// Where a text is placed in a wider field.
public enum Alignment: Sendable, Hashable {
  /// Padding follows the text.
  case left
  /// Padding precedes the text.
  case right
}
