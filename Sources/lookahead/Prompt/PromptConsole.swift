import Terminal

/// Where a person, or a file, types lines and reads the results.
protocol PromptConsole: AnyObject {
  /// Readable when something was typed.
  var descriptor: Int32 { get }
  /// Whether a person looks at it.
  var isLive: Bool { get }
  /// Whether it must be looked after without anything having been typed, at the latest after that many seconds.
  var patience: Double? { get }
  /// Cells that lines may take.
  var size: TerminalSize { get }

  /// Wants the next line, which begins with that text.
  func ask(_ prompt: PromptText, text: String)
  /// What was typed, if a line is wanted and there is one.
  func next() -> ConsoleInput?
  /// Throws away what is typed.
  func interrupt()
  /// Writes whole lines for the person.
  func write(_ text: StyledText)
  /// Writes whole lines where errors go.
  func complain(_ text: StyledText)
  /// One line about what goes on, until the next line is wanted; nil takes it away.
  func show(status: String?)
  /// The history, oldest first; nil where there is none.
  var entries: [String]? { get }
  /// Adds to the history; false when that was nothing new.
  func remember(_ entry: String) -> Bool
  /// Draws what others had to take away, and sends what was written.
  func refresh()
  /// Gives the terminal to another program.
  func lend(_ block: () -> Void)
  /// Gives it back for good.
  func close()
}

/// What stands before a line.
struct PromptText: Equatable {
  let first: StyledText
  /// Before the other lines of a block.
  let continuation: StyledText
}

/// What a console took in.
enum ConsoleInput: Equatable {
  /// A whole input: a line, a block or a command.
  case whole(String)
  /// A line, which may be a part of something, and its number in the input.
  case line(String, number: Int)
  /// A line that is no text in UTF-8.
  case unreadable(number: Int)
  case openEditor(String)
  /// There is no more, or the person wants to leave.
  case end
}
