import ArgumentParser

/// The manual page, made of the texts of `--help`, in the macros of man(7).
struct ManualPage {
  private let commands: [any ParsableCommand.Type]

  init(_ root: any ParsableCommand.Type) {
    commands = root.configuration.subcommands
  }

  var text: String {
    let root = HelpText(Lookahead.self)
    var lines = [
      ".TH LOOKAHEAD 1 \"\" \"lookahead \(Lookahead.version)\" \"User Commands\"", ".nh", ".ad l",
      ".SH NAME", "lookahead \\- \(Self.escaped(Self.lowercased(root.overview)))",
      ".SH SYNOPSIS", ".B lookahead", ".I command", "[\\fIoptions\\fR]",
      ".SH COMMANDS",
    ]
    for command in commands {
      lines += [".TP", ".B \(Self.escaped(command._commandName))", Self.line(command.configuration.abstract)]
    }
    lines += [".SH EXAMPLES"] + Self.verbatim(Self.examples(root.discussion))
    for command in commands { lines += section(of: command) }
    lines += Self.output + Self.security
    lines += [
      ".SH ENVIRONMENT", ".TP", ".BI LOOKAHEAD_ OPTION",
      "Every long option may also be set there: LOOKAHEAD_MAX_PAGES=3 is \\-\\-max\\-pages 3. The command line wins.",
      ".TP", ".BI LOOKAHEAD_CAGE =off",
      "Leaves the kernel's cage out, for debuggers: a script that finds a hole in lookahead is then held by nothing.",
      ".TP", ".B NO_COLOR", "Set to anything, nothing is coloured.",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// What becomes of an output.
  private static var output: [String] {
    [".SH OUTPUT"] + OutputRules.all.flatMap { [".SS \(escaped($0.title))", line($0.text)] }
  }

  /// What was tried against the program, what holds it, and what does not.
  private static var security: [String] {
    var lines = [".SH SECURITY", ".SS Attacks, what holds them, and the tests"]
    for defence in Defence.all {
      lines += [
        ".TP", ".B \(escaped(defence.attack))",
        line("\(defence.holds) (\(defence.test.suite): \(defence.test.sentence))"),
      ]
    }
    lines += [".SS Not defended"]
    for text in Defence.open { lines += [".TP", ".B \\(bu", line(text)] }
    return lines
  }

  private func section(of command: any ParsableCommand.Type) -> [String] {
    let help = HelpText(command)
    var lines = [".SH LOOKAHEAD \(command._commandName.uppercased())", Self.line(help.overview), ".PP"]
    lines += [Self.line(help.usage)] + Self.verbatim(help.discussion)
    for section in help.sections {
      lines.append(".SS \(Self.escaped(section.title.capitalisedFirst))")
      for entry in section.entries where !entry.label.hasPrefix("-h, ") && entry.label != "--version" {
        lines += [
          ".TP", ".B \(Self.escaped(entry.label))", Self.line(entry.text.isEmpty ? "\\ " : entry.text),
        ]
      }
    }
    return lines
  }

  /// The lines behind EXAMPLES, up to an empty one.
  private static func examples(_ discussion: [String]) -> [String] {
    Array(discussion.drop { $0 != "EXAMPLES" }.dropFirst().prefix { !$0.isEmpty })
  }

  /// Lines that keep their breaks and blanks.
  private static func verbatim(_ lines: [String]) -> [String] {
    lines.isEmpty ? [] : [".PP", ".nf"] + lines.map { $0.isEmpty ? ".sp" : line($0) } + [".fi"]
  }

  /// A line of text: what would be a macro is none.
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
