import Terminal
import Text

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
