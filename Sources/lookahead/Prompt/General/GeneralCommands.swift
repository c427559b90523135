import Scripting
import Terminal
import Text

extension PromptCommand {
  /// The commands of every prompt.
  static let general = looking + measuring + keeping + setting

  /// Help on names, values and errors.
  private static let looking: [PromptCommand] = [
    PromptCommand(
      name: "help", aliases: ["?", "h"], usage: "[NAME]", summary: "list the commands, or say what one does",
      completes: .command, run: HelpCommands.help),
    PromptCommand(
      name: "doc", usage: "NAME", summary: "what the API says about a name, as :doc http.get",
      completes: .documented,
      run: HelpCommands.doc),
    PromptCommand(
      name: "source", usage: "FUNCTION", summary: "the text of a function, and where it is",
      completes: .expression,
      run: ValueCommands.source),
    PromptCommand(
      name: "inspect", usage: "EXPR", summary: "type, size, metatable and variables of a value",
      completes: .expression,
      run: ValueCommands.inspect),
    PromptCommand(
      name: "wtf", usage: "", summary: "the last error again, with its calls and the lines where they stood",
      run: { session, _ throws(PromptFault) in try ErrorCommands.explain(session) }),
  ]

  private static let measuring: [PromptCommand] = [
    PromptCommand(
      name: "time", usage: "EXPR", summary: "evaluate once, and say how long it took", completes: .expression,
      run: MeasureCommands.time),
    PromptCommand(
      name: "bench", usage: "EXPR", summary: "evaluate many times, and say what one takes",
      completes: .expression,
      run: BenchCommand.run),
    PromptCommand(
      name: "trace", usage: "on|off|FILE",
      summary: "show every decision, fetch and retry, or write them to a file",
      completes: .file, run: SettingCommands.trace
    ),
  ]

  private static let keeping: [PromptCommand] = [
    PromptCommand(
      name: "load", usage: "FILE", summary: "run a file here: its variables stay", completes: .file,
      run: FileCommands.load),
    PromptCommand(
      name: "reload", usage: "", summary: "read the script again; the variables of the session stay",
      run: { session, _ throws(PromptFault) in try FileCommands.reload(session) }),
    PromptCommand(
      name: "edit", usage: "[NAME|FILE]", summary: "open the last input, a function or a file in $EDITOR",
      completes: .expression, run: EditCommand.run
    ),
    PromptCommand(
      name: "save", usage: "FILE", summary: "write this session as a script that runs", completes: .file,
      run: FileCommands.save),
    PromptCommand(
      name: "history", usage: "[TEXT]", summary: "what was typed, or all of it that holds a text",
      run: HistoryCommand.show),
  ]

  private static let setting: [PromptCommand] = [
    PromptCommand(
      name: "grant", usage: "[net=HOST|read=PATH|write=PATH|env=NAME]",
      summary: "allow scripts to reach more, or show what is allowed",
      completes: .words(["net=", "read=", "write=", "env="]),
      run: GrantCommand.run),
    PromptCommand(
      name: "limits", usage: "[memory=SIZE] [time=SPAN]", summary: "what a line may use, or another limit",
      completes: .words(["memory=", "time="]),
      run: LimitsCommand.run),
    PromptCommand(
      name: "set", usage: "[NAME VALUE]",
      summary: "how values are shown: depth, items, strings, width, vertical, color",
      completes: .words(SettingCommands.names),
      run: SettingCommands.set),
    PromptCommand(
      name: "quit", aliases: ["q", "exit"], usage: "", summary: "leave, as Ctrl-D does",
      run: { session, _ throws(PromptFault) in session.leave() }),
  ]
}

/// `:help` and `:doc`.
enum HelpCommands {
  static func help(_ session: PromptSession, _ name: String) throws(PromptFault) {
    guard name.isEmpty else {
      let bare = name.hasPrefix(":") ? String(name.dropFirst()) : name
      guard let command = try? session.command(bare) else { return try doc(session, name) }
      let others =
        command.aliases.isEmpty ? "" : "\n  also " + command.aliases.map { ":" + $0 }.joined(separator: ", ")
      return session.say("\(head(command))\n  \(command.summary)\(others)")
    }
    let width = session.commands.map { head($0).count }.filter { $0 <= 30 }.max() ?? 0
    let rows = session.commands.map { command in
      let head = head(command)
      let gap = head.count > width ? "\n" + String(repeating: " ", count: width) : blanks(width - head.count)
      return "\(head)\(gap)  \(command.summary)"
    }
    session.say(rows.joined(separator: "\n"))
    session.say(
      """

      An expression shows its value; a ; behind it hides that. _ is the last value, _3 that of line 3, _error the
      last error. A nil that a line gives alone is shown for an expression only. Locals of a line stay.
      Tab completes, Esc Enter runs a line as it is, Ctrl-R searches the history, Ctrl-X Ctrl-E opens an editor.
      :doc NAME explains the API, as :doc source.
      """, .dim)
  }

  static func doc(_ session: PromptSession, _ name: String) throws(PromptFault) {
    guard !name.isEmpty else {
      return session.say(APIDescription.names(after: "lookahead.").joined(separator: "\n"))
    }
    guard let text = APIDescription.text(for: name, width: min(100, session.console.size.columns)) else {
      let nearest = APIDescription.nearestNames(to: name)
      throw PromptFault(
        "the API has no \(name.printable)",
        hint: nearest.isEmpty ? ":doc alone lists its names." : "Is it \(nearest.joined(separator: ", "))?")
    }
    session.say(text)
  }

  private static func head(_ command: PromptCommand) -> String {
    ":" + command.name + (command.usage.isEmpty ? "" : " " + command.usage)
  }

  private static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}

/// `:history`.
enum HistoryCommand {
  static func show(_ session: PromptSession, _ text: String) {
    let entries = session.console.entries ?? session.journal.entries.dropLast().map(\.text)
    let fitting = entries.filter { text.isEmpty || $0.contains(text) }
    let shown = fitting.suffix(text.isEmpty ? 50 : 200)
    if fitting.count > shown.count { session.say("… \(fitting.count - shown.count) older", .dim) }
    for entry in shown {
      session.say(
        entry.split(separator: "\n", omittingEmptySubsequences: false).map { $0.printable }
          .joined(separator: "\n  "))
    }
  }
}
