import Terminal

/// The input and output of a prompt: a user or a file.
protocol PromptConsole: AnyObject {
  /// Readable when there is input.
  var descriptor: Int32 { get }
  /// Whether it is interactive.
  var isLive: Bool { get }
  /// Seconds until it has to be polled without input; nil if not needed.
  var patience: Double? { get }
  /// Cells that lines may take.
  var size: TerminalSize { get }

  /// Asks for the next line, starting with that text.
  func ask(_ prompt: PromptText, text: String)
  /// The input, if a line was requested and there is one.
  func next() -> ConsoleInput?
  /// Discards the typed text.
  func interrupt()
  /// Writes whole lines for the user.
  func write(_ text: StyledText)
  /// Writes whole lines to the error output.
  func complain(_ text: StyledText)
  /// A status line until the next prompt; nil removes it.
  func show(status: String?)
  /// The history, oldest first; nil if there is none.
  var entries: [String]? { get }
  /// Adds to the history; false if not new.
  func remember(_ entry: String) -> Bool
  /// Redraws what was erased, and flushes output.
  func refresh()
  /// Hands the terminal to another program.
  func lend(_ block: () -> Void)
  /// Restores the terminal.
  func close()
}

/// The text before a line.
struct PromptText: Equatable {
  let first: StyledText
  /// Before the other lines of a block.
  let continuation: StyledText
}

/// An input of a console.
enum ConsoleInput: Equatable {
  /// A whole input: a line, a block or a command.
  case whole(String)
  /// A line, which may be a part of something, and its number in the input.
  case line(String, number: Int)
  /// A line that is no text in UTF-8.
  case unreadable(number: Int)
  case openEditor(String)
  /// End of input, or a request to leave.
  case end
}
