import Foundation

/// A real terminal with a shell in it, through a tmux server of its own; it goes when the test does.
final class TmuxTerminal {
  private let name = "lookahead-\(UUID().uuidString)"
  private let scratch: Scratch

  /// A terminal of that size whose shell is in a folder of its own.
  init(columns: Int = 80, rows: Int = 24) throws {
    scratch = try Scratch()
    try tmux("-u", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "/bin/sh")
    try type(
      "PS1='$ ' && cd '\(Repository.root.path)' && stty -a > '\(scratch.path)/before' && clear && echo before"
    )
    try wait { $0.contains("before") && !$0.contains("echo") }
  }

  deinit { _ = try? tmux("kill-server") }

  /// A file of its folder.
  func path(_ name: String) -> String { "\(scratch.path)/\(name)" }

  func text(_ name: String) throws -> String { try scratch.text(name) }

  func write(_ name: String, _ text: String) throws { try scratch.write(name, text) }

  /// Sends bytes as hexadecimal numbers, as a terminal does for its mouse.
  func sendBytes(_ bytes: String...) throws { try tmux(["send-keys", "-H"] + bytes) }

  /// Types a line into the shell, or into what runs there.
  func type(_ line: String) throws {
    try tmux("send-keys", "-l", line)
    try press("Enter")
  }

  /// Presses keys by tmux's names, so many times.
  func press(_ keys: String..., times: Int = 1) throws {
    for _ in 0..<times { try tmux(["send-keys"] + keys) }
  }

  /// Pastes a text, between the marks of a paste where the program asked for them.
  func paste(_ text: String) throws {
    try write("pasted", text)
    try tmux("load-buffer", path("pasted"))
    try tmux("paste-buffer", "-p", "-r")
  }

  /// The screen as lines, as soon as it fits; a screen that never does is shown in the failure.
  @discardableResult
  func wait(_ fits: (String) -> Bool) throws -> [String] {
    let deadline = ContinuousClock.now + .seconds(30)
    var screen = ""
    repeat {
      screen = try capture()
      if fits(screen) {
        return screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      }
    } while ContinuousClock.now < deadline
    throw UnexpectedScreen(screen: screen)
  }

  func resize(columns: Int, rows: Int) throws {
    try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
  }

  /// The modes of the terminal that are not as they were before anything ran in it.
  func changedModes() throws -> [String] {
    try type("clear; stty -a > '\(scratch.path)/after'; echo written")
    try wait { $0.hasPrefix("written") }
    let words = try ["before", "after"].map {
      try Set(scratch.text($0).split(whereSeparator: \.isWhitespace))
    }
    return words[0].symmetricDifference(words[1]).map(String.init).sorted()
  }

  private func capture() throws -> String { try tmux("capture-pane", "-p") }

  @discardableResult
  private func tmux(_ arguments: String...) throws -> String { try tmux(arguments) }

  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    var command = Command("/usr/bin/env", ["tmux", "-L", name, "-f", "/dev/null"] + arguments)
    command.environment = ["LC_ALL": "C.UTF-8", "TERM": "xterm-256color"]
    let result = try command.run()
    guard result.exitCode == 0 else { throw UnexpectedScreen(screen: result.errors) }
    return result.output
  }
}

/// A screen that never came to be as it should.
struct UnexpectedScreen: Error {
  let screen: String
}
