import Foundation
import TestSupport

/// A program to be run to its end; one that takes too long is killed.
struct Command {
  var program: String
  var arguments: [String]
  /// Written to its standard input.
  var input = ""
  /// Variables beside those that every command gets.
  var environment: [String: String] = [:]
  /// Where it runs; the checkout unless said.
  var folder = Repository.root.path
  /// Kept for as long as the command is.
  private var scratch: Scratch?
  /// How long it may take; much more than it does, as machines may be slow and busy.
  var minutes = 5
  /// Told what was written so far; as soon as it says so, `signals` are sent.
  var isToBeInterrupted: (CommandResult) -> Bool = { _ in false }
  var signals = [SIGINT]
  /// Between two of them.
  var pause = Duration.zero

  init(_ program: String, _ arguments: [String]) {
    self.program = program
    self.arguments = arguments
  }

  /// The program that was built beside these tests.
  static func lookahead(_ arguments: [String]) -> Command { Command(Repository.binary, arguments) }

  /// A line of bash, in which `lookahead` is that program.
  static func shell(_ line: String) -> Command {
    Command("/bin/bash", ["-c", "lookahead() { \(Repository.binary) \"$@\"; }\n\(line)"])
  }

  /// A harness in Python that disturbs run after run of that program.
  static func harness(_ line: String) -> Command {
    var command = shell("Tests/.venv/bin/python Tests/\(line) --lookahead \(Repository.binary)")
    command.minutes = 25
    return command
  }

  /// The same in another folder.
  func within(_ scratch: Scratch) -> Command {
    var command = self
    command.folder = scratch.path
    command.scratch = scratch
    return command
  }

  func run() throws -> CommandResult {
    let process = try Spawned(program, arguments, environment: surroundings, folder: folder)
    process.write(input)
    var reading = CommandReading(process.output, process.errors)
    var isInterrupted = false
    let isOver = reading.toTheEnd(within: minutes) { sofar in
      guard !isInterrupted, isToBeInterrupted(sofar) else { return }
      isInterrupted = true
      for (number, signal) in signals.enumerated() {
        if number > 0 { usleep(useconds_t(pause / .microseconds(1))) }
        kill(process.identifier, signal)
      }
    }
    if !isOver { kill(process.identifier, SIGKILL) }
    var result = reading.result
    result.exitCode = process.waitForExit()
    if !isOver { result.errors += "\nkilled after \(minutes) min" }
    return result
  }

  /// The environment of these tests without what would steer the program, and with what the command adds.
  private var surroundings: [String: String] {
    let own = ProcessInfo.processInfo.environment.filter { name, _ in
      !name.hasPrefix("LOOKAHEAD_") && !name.lowercased().hasSuffix("_proxy") && name != "NO_COLOR"
    }
    return own.merging(environment) { $1 }
  }
}

/// What a command wrote and how it ended.
struct CommandResult {
  var output = ""
  var errors = ""
  var exitCode: Int32 = 0

  /// The lines of its standard output.
  var lines: [String] { output.split(whereSeparator: \.isNewline).map(String.init) }
}
