import Foundation
import TestSupport

/// A process that runs a script within limits, and how it ended.
struct FuzzProcess {
  var program = FuzzSettings.binary
  let arguments: [String]
  let folder: String
  /// The file that is its standard input.
  var input = "/dev/null"
  /// Seconds after which it is killed.
  var seconds = 20 * FuzzSettings.patience

  /// How a process ended, and what it used.
  struct Ending {
    /// The exit code, or 128 and the number of the signal that ended it.
    let status: Int32
    /// Everything that it wrote.
    let text: String
    let peakKilobytes: Int
    /// Seconds of processor time.
    let seconds: Int

    /// The number of the last step that began.
    var lastStep: Int? { text.split(separator: "\n").lazy.compactMap(Self.step).last }

    /// The number of the step that begins with a line of the log.
    static func step(_ line: Substring) -> Int? {
      line.hasPrefix("error: #") ? Int(line.dropFirst("error: #".count)) : nil
    }
  }

  /// Runs it to its end.
  func run() throws -> Ending {
    let output = "\(folder)/said-\(UUID().uuidString)"
    defer { unlink(output) }
    let identifier = try spawn(writingTo: output)
    var status: Int32 = 0
    var usage = rusage()
    while wait4(identifier, &status, 0, &usage) < 0, errno == EINTR {}
    let bytes = (try? Data(contentsOf: URL(fileURLWithPath: output))) ?? Data()
    return Ending(
      status: status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F,
      text: String(decoding: bytes, as: UTF8.self), peakKilobytes: usage.ru_maxrss,
      seconds: usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
  }

  /// Starts it below a shell that limits it and a timer that kills it.
  private func spawn(writingTo output: String) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    let line =
      "cd \"$0\" && ulimit -c 0 && \(Self.limits) && exec timeout --foreground -s KILL \(seconds) \"$@\""
    let words =
      (["/bin/sh", "-c", line, folder] + FuzzSettings.below + [program] + arguments).map { strdup($0) } + [
        nil
      ]
    let variables = Self.environment.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    var identifier = pid_t()
    var attributes = Spawned.attributesOfAShell()
    defer { posix_spawnattr_destroy(&attributes) }
    let problem = posix_spawn(&identifier, "/bin/sh", &actions, &attributes, words, variables)
    guard problem == 0 else {
      throw SpawnFailure(program: "/bin/sh", reason: String(cString: strerror(problem)))
    }
    return identifier
  }

  /// What keeps a runaway from the machine: 12 GB of addresses, which a sanitizer needs more of, and files of 1 GB.
  private static let limits =
    FuzzSettings.isSanitized ? "true" : "ulimit -v 12000000 && ulimit -f 2000000"

  private static let environment =
    [
      "PATH=/usr/bin:/bin", "HOME=/nonexistent", "SWIFT_BACKTRACE=enable=no", "TERM=dumb", "LANG=C.UTF-8",
      "NO_PROXY=*", "LOOKAHEAD_DRIVERS=\(TestDrivers.folder)",
    ] + FuzzSettings.passedOn
}
