import Foundation

/// A prompt in a real terminal, with folders of its own for what it keeps.
final class ReplTerminal {
  let terminal: TmuxTerminal

  /// Starts the prompt; `options` stand behind `lookahead repl`.
  init(_ options: String = "", columns: Int = 80, rows: Int = 24, settings: String = "") throws {
    terminal = try TmuxTerminal(columns: columns, rows: rows)
    let folder = terminal.path("")
    try terminal.write(
      "repl.sh",
      """
      echo $$ > '\(folder)id'
      export LC_ALL=C.UTF-8 XDG_STATE_HOME='\(folder)state' XDG_CONFIG_HOME='\(folder)config' \(settings)
      cd '\(folder)' && exec \(Repository.binary) repl "$@"
      """)
    try start(options)
  }

  /// Starts it again, with what the last one kept.
  func start(_ options: String = "") throws {
    try terminal.type("clear; sh '\(terminal.path("repl.sh"))' \(options); echo ended $?")
    try wait(forPrompt: 1)
  }

  /// Types a line and waits for the prompt after it.
  @discardableResult
  func run(_ line: String, then number: Int) throws -> [String] {
    try terminal.type(line)
    return try wait(forPrompt: number)
  }

  /// The screen without its empty end, as soon as the last line is that prompt and nothing else.
  @discardableResult
  func wait(forPrompt number: Int) throws -> [String] {
    try wait { $0.last == "\(number)>" }
  }

  /// The screen without its empty end, as soon as it fits.
  @discardableResult
  func wait(_ fits: ([String]) -> Bool) throws -> [String] {
    Self.lines(
      try terminal.wait {
        fits(Self.lines($0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)))
      })
  }

  var identifier: pid_t? {
    (try? terminal.text("id")).flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
  }

  private static func lines(_ lines: [String]) -> [String] {
    var lines = lines.map { line in
      var line = line
      while line.last == " " { line.removeLast() }
      return line
    }
    while lines.last == "" { lines.removeLast() }
    return lines
  }
}
