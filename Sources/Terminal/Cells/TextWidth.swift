import Items

/// How many cells a scalar takes in a terminal: 0 for marks on the one before it, 2 for wide ones, else 1.
///
/// Wide are the ranges that Unicode's East Asian Width calls W or F, and what is shown as an emoji by itself; joined
/// emoji count one by one, since terminals do not agree about them.
public func cellWidth(_ scalar: Unicode.Scalar) -> Int {
  let value = scalar.value
  if value < 0x300 { return value == 0xAD ? 0 : 1 }
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .format: return 0
  default: break
  }
  if 0x1160...0x11FF ~= value { return 0 }
  if 0x1F1E6...0x1F1FF ~= value { return 1 }
  return isWide(value) || scalar.properties.isEmojiPresentation ? 2 : 1
}

private func isWide(_ value: UInt32) -> Bool {
  guard value >= 0x1100 else { return false }
  switch value {
  case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD:
    return true
  default: return false
  }
}

extension StringProtocol {
  /// Cells that the text takes in a terminal.
  public var cellWidth: Int { unicodeScalars.reduce(0) { $0 + Terminal.cellWidth($1) } }

  /// The text in at most so many cells; an ellipsis stands for what is cut.
  public func clipped(to width: Int) -> String {
    if utf8.count <= width || cellWidth <= width { return String(self) }
    guard width > 0 else { return "" }
    var kept = String.UnicodeScalarView()
    var room = width - 1
    for scalar in unicodeScalars {
      let needed = Terminal.cellWidth(scalar)
      guard needed <= room else { break }
      room -= needed
      kept.append(scalar)
    }
    return String(kept) + "…"
  }

  /// Without what would move the cursor or change the terminal; line ends and tabs become blanks.
  public var printable: String {
    if utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return String(self) }
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
}
