/// Text of scripts, servers, files and parameters, made safe for a terminal: everything that could control it, change
/// the writing direction, or hide is shown as an escape.
///
/// `HarmlessText.line("a\u{1B}[2Jb")` is `a\u{1b}[2Jb`. The only definition of harmless: everything written to a
/// terminal goes through it.
public enum HarmlessText {
  /// Maximum combining marks on one letter: that of Unicode's Stream-Safe Text Format (UAX 15, 13).
  public static let mostMarks = 30

  /// Whether a terminal may do something other than show the scalar: control characters of both sets, DEL,
  /// bidirectional controls, line and paragraph separators, tags, and any other invisible character that is not a mark.
  public static func isHazardous(_ scalar: Unicode.Scalar) -> Bool {
    if 0x20..<0x7F ~= scalar.value { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    // Emoji presentation or an ideograph's form hides nothing.
    case .nonspacingMark where isVariationSelector(scalar): return false
    default: return scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  /// One line: line ends and tabs are escaped too.
  public static func line(_ text: some StringProtocol) -> String { escaped(text) { _ in false } }

  /// Lines: line ends and tabs stay.
  public static func lines(_ text: some StringProtocol) -> String {
    escaped(text) { $0 == "\n" || $0 == "\t" }
  }

  /// CSV rows: lines, possibly with the line ends of RFC 4180.
  public static func rows(_ text: some StringProtocol) -> String {
    lines(text).replacing("\\u{d}\n", with: "\r\n")
  }

  /// JSON that is equivalent for every parser: hazardous characters are written as `\u009b`.
  public static func json(_ json: some StringProtocol) -> String {
    if isHarmless(json, { $0 == "\n" }) { return String(json) }
    var text = ""
    for scalar in json.unicodeScalars {
      switch scalar {
      case "\n": text += "\n"
      // In strings they are already escaped; between values they are white space.
      case "\r", "\t": text += " "
      default:
        if isHazardous(scalar) {
          for unit in String(scalar).utf16 { text += "\\u" + hexadecimal(UInt32(unit), digits: 4) }
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
    }
    return text
  }

  /// Lines of which only the first stands at the margin, so that none of the others can be taken for an entry of a log.
  public static func entry(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\n")) else { return text }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().map { place, line in
      place == 0 || line.isEmpty || line.hasPrefix(" ") || line.hasPrefix("\t") ? String(line) : "  \(line)"
    }.joined(separator: "\n")
  }

  /// The text in at most `most` bytes, followed by the number of bytes cut.
  public static func cut(_ text: String, to most: Int) -> String {
    guard text.utf8.count > most else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: most)
    while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
      end = text.utf8.index(before: end)
    }
    let rest = text.utf8.distance(from: end, to: text.endIndex)
    return text[..<end] + "… (\(rest) bytes more)"
  }

  private static func escaped(_ text: some StringProtocol, _ stays: (Unicode.Scalar) -> Bool) -> String {
    if isHarmless(text, stays) { return String(text) }
    var (shown, marks) = ("", 0)
    for scalar in text.unicodeScalars {
      marks = isMark(scalar) ? marks + 1 : 0
      if !stays(scalar) && (isHazardous(scalar) || marks > mostMarks) {
        shown += "\\u{" + String(scalar.value, radix: 16) + "}"
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  /// Most texts are, and are returned unchanged.
  private static func isHarmless(_ text: some StringProtocol, _ stays: (Unicode.Scalar) -> Bool) -> Bool {
    text.utf8.allSatisfy { 0x20..<0x7F ~= $0 || $0 < 0x80 && stays(Unicode.Scalar($0)) }
  }

  /// Whether the scalar combines with the one before it and takes no cell.
  public static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x300 else { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return true
    default: return false
    }
  }

  private static func isVariationSelector(_ scalar: Unicode.Scalar) -> Bool {
    0xFE00...0xFE0F ~= scalar.value || 0xE0100...0xE01EF ~= scalar.value || 0x180B...0x180F ~= scalar.value
  }

  private static func hexadecimal(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
