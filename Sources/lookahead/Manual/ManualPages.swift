import ArgumentParser

/// The manual as pages in Markdown, one for each chapter and one that lists them.
struct ManualPages {
  private let root: any ParsableCommand.Type

  init(_ root: any ParsableCommand.Type) { self.root = root }

  /// Names of files and what is in them.
  var all: [(name: String, text: String)] {
    [("README.md", Self.contents)] + ManualChapter.all.map { ("\($0.name).md", page($0)) }
  }

  /// A chapter to read on a terminal.
  func text(of chapter: ManualChapter) -> String { String(page(chapter).dropFirst(Self.mark.count)) }

  /// The first line of every page: generated, not to be edited.
  private static let mark = "<!-- Written by lookahead manual --pages. -->\n\n"

  private static var contents: String {
    let rows = ManualChapter.all.map { chapter in
      let commands = chapter.commands.map { "`lookahead \($0)`" }.joined(separator: ", ")
      return "| [\(chapter.title)](\(chapter.name).md) | \(commands) |\n"
    }
    return mark + "# The manual of Lookahead\n\n"
      + "The same is on one page for a terminal: `lookahead manual | man -l -`.\n\n"
      + "| chapter | commands |\n| --- | --- |\n" + rows.joined()
  }

  private func page(_ chapter: ManualChapter) -> String {
    let commands = root.configuration.subcommands.filter { chapter.commands.contains($0._commandName) }
    let helps = commands.map { (name: $0._commandName, text: HelpText($0, of: root)) }
    if helps.count == 1 {
      return Self.mark + "# \(chapter.title)\n\n" + Self.beginning(helps[0].text) + chapter.text
        + Self.options(helps[0].text)
    }
    let sections = helps.map { name, text in
      "\n## lookahead \(name)\n\n" + Self.beginning(text).dropLast() + Self.options(text)
    }
    return Self.mark + "# \(chapter.title)\n" + (chapter.text.isEmpty ? "" : "\n") + chapter.text
      + sections.joined()
  }

  /// What a command does, how it is called, examples and what its help says of it.
  private static func beginning(_ help: HelpText) -> String {
    var text = help.overview + "\n\n" + block(["\(help.usage)"], "text")
    if !help.examples.isEmpty { text += block(help.examples, "sh") }
    for paragraph in help.remarks.split(separator: "") {
      text +=
        paragraph[paragraph.startIndex].hasSuffix("CODES")
        ? codes(paragraph) : escaped(paragraph.joined(separator: " ")) + "\n\n"
    }
    return text
  }

  /// Lines with a number each, as a table.
  private static func codes(_ lines: ArraySlice<String>) -> String {
    let rows = lines.dropFirst().compactMap { $0.firstMatch(of: /^ *(\d+)  (.+)$/) }
      .map { "| \($0.output.1) | \($0.output.2) |\n" }
    return "| exit code | meaning |\n| ---: | --- |\n" + rows.joined() + "\n"
  }

  private static func options(_ help: HelpText) -> String {
    help.sections.map { section in
      let rows = section.entries.filter { !HelpText.isGeneral($0) }.map { entry in
        "| `\(entry.label.replacing("|", with: "\\|"))` | \(cell(entry.text)) |\n"
      }
      guard !rows.isEmpty else { return "" }
      return "\n| \(section.title.lowercased()) | |\n| --- | --- |\n" + rows.joined()
    }.joined()
  }

  private static func block(_ lines: [String], _ language: String) -> String {
    "```\(language)\n" + lines.map { $0 + "\n" }.joined() + "```\n\n"
  }

  private static func cell(_ text: String) -> String { escaped(text).replacing("|", with: "\\|") }

  /// Escapes markup.
  private static func escaped(_ text: String) -> String {
    text.replacing("*", with: "\\*").replacing("_", with: "\\_")
      .replacing("<", with: "&lt;")
  }
}
