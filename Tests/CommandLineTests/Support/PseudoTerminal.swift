import Foundation
import TestSupport

/// A program on a terminal that the test itself is: it sends bytes as keys, and reads what is drawn.
final class PseudoTerminal {
  private let descriptor: Int32
  private let identifier: pid_t
  private(set) var output: [UInt8] = []
  private var status: Int32?
  /// Whether the program has closed the terminal.
  private var isSilent = false

  /// Starts it in a folder; its standard error goes to the same terminal.
  init(
    _ arguments: [String], folder: String, columns: UInt16 = 80, rows: UInt16 = 24,
    environment: [String: String] = [:]
  ) throws {
    descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (isLocked, number) = (Int32(0), Int32(0))
    // TIOCSPTLCK and TIOCGPTN, which are what the functions of POSIX for it do.
    guard descriptor >= 0, ioctl(descriptor, 0x4004_5431, &isLocked) == 0,
      ioctl(descriptor, 0x8004_5430, &number) == 0
    else {
      throw SpawnFailure(program: "a pseudo terminal", reason: String(cString: strerror(errno)))
    }
    let name = "/dev/pts/\(number)"
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The first terminal that the leader of a session opens is its own.
    posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
    for other: Int32 in [1, 2] { posix_spawn_file_actions_adddup2(&actions, 0, other) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | 0x80))
    let line = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder, Repository.binary] + arguments
    let own = ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "HOME": folder]
    var words = line.map { strdup($0) } + [nil]
    var variables = own.merging(environment) { $1 }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var identifier = pid_t()
    let problem = posix_spawn(&identifier, "/bin/sh", &actions, &attributes, &words, &variables)
    self.identifier = identifier
    guard problem == 0 else {
      throw SpawnFailure(program: "/bin/sh", reason: String(cString: strerror(problem)))
    }
  }

  deinit {
    if status == nil {
      kill(identifier, SIGKILL)
      waitpid(identifier, nil, 0)
    }
    close(descriptor)
  }

  /// Gives the terminal another size.
  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
  }

  /// Types bytes, and reads meanwhile; false when nobody takes them any more.
  @discardableResult
  func type(_ bytes: some Sequence<UInt8>) -> Bool {
    var rest = ArraySlice(Array(bytes))
    while !rest.isEmpty {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN | POLLOUT), revents: 0)
      guard poll(&polled, 1, 20_000) > 0 else { return false }
      if polled.revents & Int16(POLLIN) != 0 { guard read() else { return false } }
      guard polled.revents & Int16(POLLOUT) != 0 else { continue }
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, min($0.count, 256)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Reads until what was drawn since the last call fits; false when it never does.
  func wait(_ fits: (String) -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
      if fits(String(decoding: output, as: UTF8.self)) { return true }
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&polled, 1, 100) > 0, !read() { return fits(String(decoding: output, as: UTF8.self)) }
    }
    return false
  }

  /// Forgets what was drawn.
  func forget() { output = [] }

  /// Reads until nobody has the terminal any more; the exit code, or the number of the signal that ended it less 1000.
  func end() -> Int32 {
    _ = wait { _ in false }
    if !hasEnded, !isSilent { return -1 }
    var code: Int32 = 0
    if status == nil, waitpid(identifier, &code, 0) == identifier { status = Self.status(code) }
    return status ?? -1
  }

  /// The number of the signal that has ended it; nil while it lives, or when it ended by itself.
  var signal: Int32? {
    _ = hasEnded
    return status.flatMap { $0 <= -1000 ? $0 + 1000 : nil }
  }

  private var hasEnded: Bool {
    if status != nil { return true }
    var code: Int32 = 0
    guard waitpid(identifier, &code, WNOHANG) == identifier else { return false }
    status = Self.status(code)
    return true
  }

  private static func status(_ code: Int32) -> Int32 {
    code & 0x7F == 0 ? code >> 8 & 0xFF : (code & 0x7F) - 1000
  }

  private func read() -> Bool {
    var part = [UInt8](repeating: 0, count: 1 << 16)
    let count = Foundation.read(descriptor, &part, part.count)
    isSilent = count <= 0
    guard count > 0 else { return false }
    output += part[..<count]
    return true
  }
}
