import Scripting
import Terminal
import Text

/// Commands about one value, given by a path or any other expression.
enum ValueCommands {
  static func source(_ session: PromptSession, _ text: String) throws(PromptFault) {
    try withValue(of: text, for: "source", session) { value in
      guard let source = session.workflow.source(of: value) else {
        return session.show(
          PromptFault(
            "\(text.printable) is a \(value.typeName), and no function of Lua",
            hint: value.typeName == "function" ? "The host has it; :doc NAME explains it." : nil))
      }
      let width = "\(source.lines.upperBound)".count
      let lines = source.text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.printable }
      session.say("\(source.name):\(source.lines.lowerBound)", .dim)
      for (number, line) in zip(source.lines, lines) {
        session.say("\(number)".padded(to: width, .right) + "  " + line)
      }
    }
  }

  static func inspect(_ session: PromptSession, _ text: String) throws(PromptFault) {
    try withValue(of: text, for: "inspect", session) { value in
      let inspection = session.workflow.inspect(value, style: session.style)
      let rows = [("type", inspection.type)] + inspection.rows.map { ($0.name, $0.text) }
      let width = rows.map(\.0.cellWidth).max() ?? 0
      for (name, text) in rows {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        session.say(
          name.padded(to: width) + "  "
            + lines.joined(separator: "\n" + String(repeating: " ", count: width + 2)))
      }
    }
  }

  /// Finds the value without calling anything, or evaluates the text if that is impossible.
  static func withValue(
    of text: String, for command: String, _ session: PromptSession, _ use: @escaping (PromptValue) -> Void
  ) throws(PromptFault) {
    guard !text.isEmpty else { throw PromptFault(":\(command) expects a name or an expression") }
    if let value = session.workflow.value(at: text) { return use(value) }
    session.evaluate("return " + text, name: ":\(command)") { [unowned session] evaluation in
      if let failure = evaluation.failure { return session.show(failure, of: text) }
      guard let value = evaluation.values.first else {
        return session.show(PromptFault("\(text.printable) gave nothing"))
      }
      use(value)
    }
  }
}
