import Glibc
import Terminal

/// A prompt on a real terminal, with a line editor.
final class TerminalConsole: PromptConsole {
  let editor: LineEditor
  /// Whether errors go to the same terminal.
  private let errorsAreSeen = isatty(STDERR_FILENO) == 1

  private var escapedAt: ContinuousClock.Instant?

  init(_ editor: LineEditor) { self.editor = editor }

  var descriptor: Int32 { editor.descriptor }
  var isLive: Bool { true }
  var size: TerminalSize { editor.size }
  var entries: [String]? { editor.history.entries }

  /// A lone Escape is recognised by a pause.
  var patience: Double? { editor.waitsForMore ? 0.05 : nil }

  func ask(_ prompt: PromptText, text: String) {
    editor.begin(prompt: prompt.first, continuation: prompt.continuation, text: text)
  }

  func next() -> ConsoleInput? {
    guard editor.isEditing else { return nil }
    if let input = editor.read() { return taken(input) }
    guard editor.waitsForMore else {
      escapedAt = nil
      return nil
    }
    guard let escapedAt else {
      self.escapedAt = .now
      return nil
    }
    guard ContinuousClock.now - escapedAt >= .milliseconds(40) else { return nil }
    self.escapedAt = nil
    return editor.flush().map(taken)
  }

  func interrupt() { editor.interrupt() }

  func write(_ text: StyledText) { editor.write(text) }

  func complain(_ text: StyledText) {
    if errorsAreSeen { return editor.write(text) }
    standardError(text.text)
  }

  func show(status: String?) { editor.show(status: status) }

  func remember(_ entry: String) -> Bool { editor.remember(entry) }

  func refresh() { editor.refresh() }

  func lend(_ block: () -> Void) { editor.lend(block) }

  func close() { editor.close() }

  private func taken(_ input: LineInput) -> ConsoleInput {
    escapedAt = nil
    return switch input {
    case .text(let text): .whole(text)
    case .openEditor(let text): .openEditor(text)
    case .leave: .end
    }
  }
}
