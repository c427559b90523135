extension StringProtocol {
  /// Without surrounding white space.
  var trimmed: String {
    String(drop { $0 == " " || $0 == "\n" }.reversed().drop { $0 == " " || $0 == "\n" }.reversed())
  }

  /// The position of the bracket that closes the one at `open`.
  func closing(_ open: Index) -> Index? {
    var depth = 0
    for index in self[open...].indices {
      if "([{".contains(self[index]) { depth += 1 }
      if ")]}".contains(self[index]) { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }

  /// The parts between separators outside all brackets, trimmed; an empty text has none.
  func parts(between mark: Character) -> [String] {
    var parts: [String] = []
    var part = ""
    var depth = 0
    for character in self {
      if "([{<".contains(character) { depth += 1 }
      if ")]}>".contains(character) { depth -= 1 }
      if character == mark, depth == 0 {
        parts.append(part.trimmed)
        part = ""
      } else {
        part.append(character)
      }
    }
    return part.trimmed.isEmpty ? parts : parts + [part.trimmed]
  }
}

extension String {
  /// Broken at the separators, which stay, into lines of at most `width` characters if possible.
  func filled(_ width: Int, at mark: String = " ") -> String {
    var lines: [String] = []
    for word in split(separator: mark) {
      if let line = lines.last, line.count + mark.count + word.count <= width {
        lines[lines.count - 1] += mark + word
      } else {
        lines.append(String(word))
      }
    }
    let end = mark.trimmed + "\n"
    return lines.joined(separator: end)
  }
}
