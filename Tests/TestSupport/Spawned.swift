public import Foundation
import Synchronization

/// A child process with pipes for its standard streams. Its ends are closed in every other child, so that the end of one never
/// waits for another, as Foundation's `Process` does. One that nobody waits for is killed when it is dropped, and leaves no
/// zombie: a test that expects this process to exit would look at that one for ever.
public final class Spawned: Sendable {
  public let identifier: pid_t
  /// Its standard output, to read.
  public let output: Int32
  /// Its standard error, to read.
  public let errors: Int32
  private let input: Int32
  private let ending = Mutex<Int32?>(nil)

  /// One child at a time comes to be: none may see pipes of another before they are marked.
  private static let turn = NSLock()

  /// Starts a program in a folder.
  public init(_ program: String, _ arguments: [String], environment: [String: String], folder: String) throws
  {
    Self.turn.lock()
    defer { Self.turn.unlock() }
    let (childInput, input) = try Self.pipe()
    let (output, childOutput) = try Self.pipe()
    let (errors, childErrors) = try Self.pipe()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, standard) in [(childInput, 0), (childOutput, 1), (childErrors, 2)] {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(standard))
    }
    let line = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder, program] + arguments
    var words = line.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var identifier = pid_t()
    var attributes = Self.attributesOfAShell()
    defer { posix_spawnattr_destroy(&attributes) }
    let problem = posix_spawn(&identifier, "/bin/sh", &actions, &attributes, &words, &variables)
    for descriptor in [childInput, childOutput, childErrors] { close(descriptor) }
    (self.identifier, self.input, self.output, self.errors) = (identifier, input, output, errors)
    guard problem == 0 else {
      throw SpawnFailure(program: program, reason: String(cString: strerror(problem)))
    }
  }

  deinit {
    if ending.withLock({ $0 == nil }), identifier > 0 {
      kill(identifier, SIGKILL)
      _ = waitForExit()
    }
    close(output)
    close(errors)
  }

  /// Writes its standard input and ends it.
  public func write(_ text: String) {
    send(text)
    endInput()
  }

  /// Writes to its standard input.
  public func send(_ text: String) {
    signal(SIGPIPE, SIG_IGN)
    var text = text
    text.withUTF8 { bytes in _ = Foundation.write(input, bytes.baseAddress, bytes.count) }
  }

  /// Ends its standard input.
  public func endInput() { close(input) }

  /// The exit code, or the number of the signal that ended it.
  public func waitForExit() -> Int32 {
    ending.withLock { ending in
      if let ending { return ending }
      var status: Int32 = 0
      while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
      let signal = status & 0x7F
      let code = signal == 0 ? status >> 8 & 0xFF : signal
      ending = code
      return code
    }
  }

  /// Signals as a shell leaves them: the threads of a test block some.
  public static func attributesOfAShell() -> posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var ignored = sigset_t()
    sigemptyset(&ignored)
    sigaddset(&ignored, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &ignored)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    return attributes
  }

  private static func pipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    guard Foundation.pipe(&ends) == 0 else {
      throw SpawnFailure(program: "a pipe", reason: String(cString: strerror(errno)))
    }
    for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}

/// Why a program did not start.
public struct SpawnFailure: Error {
  public let program: String
  public let reason: String

  public init(program: String, reason: String) {
    self.program = program
    self.reason = reason
  }
}
