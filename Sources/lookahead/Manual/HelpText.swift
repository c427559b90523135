import ArgumentParser

/// The parsed help of a command.
struct HelpText {
  /// An argument or an option with its description.
  struct Entry {
    /// As it is typed: `-o, --output <output>`.
    let label: String
    let text: String
  }

  /// Entries with a title: arguments, options, commands.
  struct Section {
    let title: String
    var entries: [Entry] = []
  }

  let overview: String
  /// Lines between the overview and the usage, as they stand.
  let discussion: [String]
  /// As `lookahead run <script> [--tag]`.
  let usage: String
  let sections: [Section]

  /// The help of a command of the program `root`, or of the program itself.
  init(_ command: any ParsableCommand.Type, of root: any ParsableCommand.Type) {
    // Wide enough that nothing is broken into lines.
    let lines = root.helpMessage(for: command, columns: 100_000)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let start = lines.firstIndex { $0.hasPrefix("USAGE: ") } ?? lines.endIndex
    overview =
      lines.first.map { $0.hasPrefix("OVERVIEW: ") ? String($0.dropFirst("OVERVIEW: ".count)) : $0 } ?? ""
    discussion = Self.trimmed(lines[..<start].dropFirst())
    usage = start < lines.endIndex ? String(lines[start].dropFirst("USAGE: ".count)) : ""
    sections = Self.sections(lines[start...].dropFirst())
  }

  /// Lines after EXAMPLES, up to an empty one, unindented.
  var examples: [String] {
    discussion.drop { $0 != "EXAMPLES" }.dropFirst().prefix { !$0.isEmpty }
      .map { String($0.drop { $0 == " " }) }
  }

  /// The rest of the discussion.
  var remarks: [String] {
    guard let start = discussion.firstIndex(of: "EXAMPLES") else { return discussion }
    return Array(discussion[start...].drop { !$0.isEmpty }.drop { $0.isEmpty })
  }

  /// Whether every command has it.
  static func isGeneral(_ entry: Entry) -> Bool {
    entry.label.hasPrefix("-h, ") || entry.label == "--version"
  }

  private static func trimmed(_ lines: ArraySlice<String>) -> [String] {
    let lines = lines.drop { $0.isEmpty }
    guard let last = lines.lastIndex(where: { !$0.isEmpty }) else { return [] }
    return Array(lines[...last])
  }

  /// The names of an option, its value and its text; nil for what is none.
  private static func option(_ line: Substring) -> Entry? {
    guard line.hasPrefix("-") else { return nil }
    var rest = line
    var label: [Substring] = []
    while let word = rest.split(separator: " ", maxSplits: 1).first,
      word.hasPrefix("-") || word.hasPrefix("<") && word.contains(">")
    {
      label.append(word)
      rest = rest.dropFirst(word.count).drop { $0 == " " }
    }
    return Entry(label: label.joined(separator: " "), text: String(rest))
  }

  /// A title ends in a colon and begins at the margin; an entry stands two blanks from it, and more of its text further in.
  private static func sections(_ lines: ArraySlice<String>) -> [Section] {
    var sections: [Section] = []
    for line in lines where !line.isEmpty {
      let margin = line.prefix { $0 == " " }.count
      if margin == 0 {
        guard line.hasSuffix(":") else { continue }
        sections.append(Section(title: String(line.dropLast())))
      } else if !sections.isEmpty, margin == 2 {
        sections[sections.count - 1].entries.append(entry(line.dropFirst(2)))
      } else if let last = sections.last?.entries.last {
        let more = String(line.dropFirst(margin))
        let text = last.text.isEmpty ? more : last.text + " " + more
        sections[sections.count - 1].entries.removeLast()
        sections[sections.count - 1].entries.append(Entry(label: last.label, text: text))
      }
    }
    return sections.filter { !$0.entries.isEmpty }
  }

  /// Label and text are two blanks or more apart; behind an option whose label fills its column it is one.
  private static func entry(_ line: Substring) -> Entry {
    if let option = option(line) { return option }
    guard let gap = line.firstRange(of: "  ") else { return Entry(label: String(line), text: "") }
    return Entry(
      label: String(line[..<gap.lowerBound]), text: String(line[gap.upperBound...].drop { $0 == " " }))
  }
}
