import Text

/// A question as a person reads it. Names come from the script, and can't look like anything but a name: they stay in their
/// line, control nothing, hide nothing, and the end of a long one is shown.
struct QuestionText {
  /// What is wanted, and where.
  let claim: String
  /// The answers that there are.
  let choices: String

  /// The question for a call at that place of the script.
  init(_ want: Want, at place: String) {
    let place = place.isEmpty ? "the script" : Self.name(place, most: 80)
    claim = "\(place) wants to \(Self.deed(want)) \(Self.name(Self.subject(want)))"
    let around = want.surroundings.map { "  [\(Self.key(of: $0))] \(Self.words(of: $0)) in this run" } ?? ""
    choices = "allow? [y] once  [r] in this run\(around)  [n] no (the default): "
  }

  /// What the answer means; nil if it means nothing.
  static func verdict(_ answer: String, on want: Want) -> Verdict? {
    let word = answer.filter { !$0.isWhitespace }.lowercased()
    switch word {
    case "", "n", "no": return .no
    case "y", "yes": return .once
    case "r": return .always
    default:
      return want.surroundings.map(key(of:)) == word ? .surroundings : nil
    }
  }

  private static func deed(_ want: Want) -> String {
    switch want {
    case .variable: "read the variable"
    case .file: "read the file"
    case .folder: "list the folder"
    case .origin: "reach the host"
    }
  }

  private static func subject(_ want: Want) -> String {
    guard case .origin(let address) = want else { return want.text }
    return address.hostAndPort
  }

  private static func key(of surroundings: Want.Surroundings) -> String {
    switch surroundings {
    case .folder: "f"
    case .host: "h"
    }
  }

  private static func words(of surroundings: Want.Surroundings) -> String {
    switch surroundings {
    case .folder(let path): "all below \(name(path.path, most: 120))"
    case .host(let host): "all ports of \(name(host.text, most: 120))"
    }
  }

  /// A name in one line; of a long one the beginning and the end, since either may matter more.
  private static func name(_ name: String, most: Int = 400) -> String {
    let shown = Array(HarmlessText.line(withoutGaps(name)).unicodeScalars)
    guard shown.count > most else { return text(shown[...]) }
    let left = shown.count - most
    return "\(text(shown[..<(most / 2)]))…(\(left) characters)…\(text(shown[(shown.count - most / 2)...]))"
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  /// A row of spaces would look like the end of a line: all but single ones, and all other blanks, are escaped.
  private static func withoutGaps(_ name: String) -> String {
    var (text, isGap) = ("", true)
    for scalar in name.unicodeScalars {
      let isBlank = scalar.properties.isWhitespace || scalar == "\u{2800}"
      if isBlank && (scalar != " " || isGap) {
        text += "\\u{" + String(scalar.value, radix: 16) + "}"
      } else {
        text.unicodeScalars.append(scalar)
      }
      isGap = isBlank
    }
    return text
  }
}
