import Foundation

/// A program to be run to its end; one that takes longer than a minute is killed.
struct Command {
  var program: String
  var arguments: [String]
  /// Written to its standard input.
  var input = ""
  /// Variables beside those that every command gets.
  var environment: [String: String] = [:]
  /// Where it runs; the checkout unless said.
  var folder = Repository.root.path
  /// Told what was written so far; the signal that it answers is sent, once.
  var interruptWhen: (CommandResult) -> Int32? = { _ in nil }

  /// The program that was built beside these tests.
  static func lookahead(_ arguments: [String]) -> Command {
    Command(program: Repository.binary, arguments: arguments)
  }

  /// A line of bash, in which `lookahead` is that program.
  static func shell(_ line: String) -> Command {
    Command(program: "/bin/bash", arguments: ["-c", "lookahead() { \(Repository.binary) \"$@\"; }\n\(line)"])
  }

  /// The same in another folder.
  func within(_ scratch: Scratch) -> Command {
    var command = self
    command.folder = scratch.path
    return command
  }

  func run() throws -> CommandResult {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.environment = surroundings
    let (input, output, errors) = (Pipe(), Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    try? input.fileHandleForWriting.write(contentsOf: Data(self.input.utf8))
    try? input.fileHandleForWriting.close()
    var reading = CommandReading(output.fileHandleForReading, errors.fileHandleForReading)
    var isInterrupted = false
    let isOver = reading.toTheEnd { sofar in
      guard !isInterrupted, let signal = interruptWhen(sofar) else { return }
      isInterrupted = true
      kill(process.processIdentifier, signal)
    }
    if !isOver { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    var result = reading.result
    result.exitCode = process.terminationStatus
    if !isOver { result.errors += "\nkilled after a minute" }
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
  var lines: [String] { output.split(separator: "\n").map(String.init) }
}
