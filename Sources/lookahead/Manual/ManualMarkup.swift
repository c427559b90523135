/// The blocks of a chapter: as much of Markdown as the chapters use.
enum ManualBlock {
  case heading(String)
  case paragraph(String)
  /// An item of a list.
  case item(String)
  /// Verbatim lines.
  case code([String])
  /// Cells by rows, without the head.
  case table([[String]])

  /// A text as blocks.
  static func blocks(of text: String) -> [ManualBlock] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var blocks: [ManualBlock] = []
    var place = lines.startIndex
    while place < lines.endIndex {
      let line = lines[place]
      place += 1
      if line.hasPrefix("```") {
        let end = lines[place...].firstIndex(of: "```") ?? lines.endIndex
        blocks.append(.code(Array(lines[place..<end])))
        place = end + 1
      } else if line.hasPrefix("## ") {
        blocks.append(.heading(String(line.dropFirst(3))))
      } else if line.hasPrefix("| ") {
        let end = lines[place...].firstIndex { !$0.hasPrefix("| ") } ?? lines.endIndex
        // The line behind the head draws its border.
        blocks.append(.table(lines[place..<end].dropFirst().map(cells)))
        place = end
      } else if !line.isEmpty {
        let end = lines[place...].firstIndex { !continues($0) } ?? lines.endIndex
        let words = ([line] + lines[place..<end].map { String($0.drop { $0 == " " }) }).joined(separator: " ")
        blocks.append(line.hasPrefix("- ") ? .item(String(words.dropFirst(2))) : .paragraph(words))
        place = end
      }
    }
    return blocks
  }

  private static func continues(_ line: String) -> Bool {
    !line.isEmpty && !["```", "## ", "| ", "- "].contains { line.hasPrefix($0) }
  }

  /// A bar with a backslash before it is none of the table's.
  private static func cells(of row: String) -> [String] {
    row.dropFirst(2).dropLast(2).replacing("\\|", with: "\u{0}").split(separator: " | ")
      .map { String($0.replacing("\u{0}", with: "|")) }
  }
}

/// A run of a text with one look.
struct ManualSpan {
  enum Look { case plain, code, strong }

  let text: String
  let look: Look

  /// A line of Markdown in runs: code between backticks, strong between two stars; of a link, its words.
  static func spans(of text: String) -> [ManualSpan] {
    let parts = text.replacing(/\[([^\]]*)\]\([^)]*\)/) { String($0.output.1) }
      .split(separator: "`", omittingEmptySubsequences: false)
    return parts.enumerated().flatMap { place, part -> [ManualSpan] in
      if place % 2 == 1 { return [ManualSpan(text: String(part), look: .code)] }
      return String(part).replacing("\\*", with: "\u{0}").split(
        separator: "**", omittingEmptySubsequences: false
      )
      .enumerated().map { place, text in
        let words = text.replacing("*", with: "").replacing("\u{0}", with: "*")
        return ManualSpan(text: String(words), look: place % 2 == 1 ? .strong : .plain)
      }
    }.filter { !$0.text.isEmpty }
  }
}
