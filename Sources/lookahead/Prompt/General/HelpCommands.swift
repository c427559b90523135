import Scripting
import Terminal
import Text

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
