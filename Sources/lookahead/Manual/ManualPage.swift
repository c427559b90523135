import ArgumentParser

/// The manual as one page of man(7) macros: the help of all commands and the chapters.
struct ManualPage {
  private let root: any ParsableCommand.Type

  init(_ root: any ParsableCommand.Type) { self.root = root }

  var text: String {
    let commands = root.configuration.subcommands
    let program = HelpText(root, of: root)
    var lines = [
      ".TH LOOKAHEAD 1 \"\" \"lookahead \(Release.version)\" \"User Commands\"", ".nh", ".ad l",
    ]
    lines += Self.substitutes
    lines += [
      ".SH NAME", "lookahead \\- \(Self.escaped(Self.lowercased(program.overview)))",
      ".SH SYNOPSIS", ".B lookahead", ".I command", "[\\fIoptions\\fR]",
      ".SH COMMANDS",
    ]
    for command in commands {
      lines += [".TP", ".B \(Self.escaped(command._commandName))", Self.line(command.configuration.abstract)]
    }
    lines += [".SH EXAMPLES"] + Self.verbatim(program.examples)
    for chapter in ManualChapter.all {
      if chapter.commands.isEmpty { lines.append(".SH \(Self.escaped(chapter.title.uppercased()))") }
      for command in commands where chapter.commands.contains(command._commandName) {
        lines += section(of: command)
      }
      for block in ManualBlock.blocks(of: chapter.text) { lines += Self.lines(block) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Replacements for box-drawing characters on devices without them.
  private static let substitutes = [
    ("▁", "_"), ("▂", "_"), ("▃", "_"), ("▄", "#"), ("▅", "#"), ("▆", "#"), ("▇", "#"), ("█", "#"),
    ("─", "-"), ("│", "|"), ("└", "+"), ("┘", "+"), ("▶", ">"), ("◀", "<"), ("▲", "^"),
  ].map { mark, plain in
    ".fchar \\[u\(String(mark.unicodeScalars.first!.value, radix: 16, uppercase: true))] \(escaped(plain))"
  }

  private func section(of command: any ParsableCommand.Type) -> [String] {
    let help = HelpText(command, of: root)
    var lines = [".SH LOOKAHEAD \(command._commandName.uppercased())", Self.line(help.overview), ".PP"]
    lines += [Self.line(help.usage)] + Self.verbatim(help.discussion)
    for section in help.sections {
      lines.append(".SS \(Self.escaped(section.title.capitalisedFirst))")
      for entry in section.entries where !HelpText.isGeneral(entry) {
        lines += [
          ".TP", ".B \(Self.escaped(entry.label))", Self.line(entry.text.isEmpty ? "\\ " : entry.text),
        ]
      }
    }
    return lines
  }

  private static func lines(_ block: ManualBlock) -> [String] {
    switch block {
    case .heading(let text): [".SS \(escaped(text))"]
    case .paragraph(let text): [".PP", spans(text)]
    case .item(let text): [".IP \\(bu 2", spans(text)]
    case .code(let lines): verbatim(lines)
    case .table(let rows): rows.flatMap(self.lines)
    }
  }

  /// The first cell of a row stands by itself; the others follow, each on a line.
  private static func lines(_ row: [String]) -> [String] {
    let rest = row.dropFirst().map(spans)
    let title = ManualSpan.spans(of: row[0]).map { escaped($0.text) }.joined()
    return [".TP", "\\fB\(title)\\fR"] + rest.prefix(1) + rest.dropFirst().flatMap { [".br", $0] }
  }

  private static func spans(_ text: String) -> String {
    let text = ManualSpan.spans(of: text).map {
      $0.look == .plain ? escaped($0.text) : "\\fB\(escaped($0.text))\\fR"
    }.joined()
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }

  /// Lines that keep their breaks and blanks.
  private static func verbatim(_ lines: [String]) -> [String] {
    lines.isEmpty ? [] : [".PP", ".nf"] + lines.map { $0.isEmpty ? ".sp" : line($0) } + [".fi"]
  }

  /// A line of text, escaped so that it is not a macro.
  private static func line(_ text: String) -> String {
    let text = escaped(text)
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\"", with: "\\(dq")
      .replacing("'", with: "\\(aq").replacing("`", with: "\\(ga").replacing("^", with: "\\(ha")
      .replacing("~", with: "\\(ti")
  }

  private static func lowercased(_ sentence: String) -> String {
    let text = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

extension String {
  /// `ARGUMENTS` as `Arguments`.
  var capitalisedFirst: String { prefix(1) + dropFirst().lowercased() }
}
