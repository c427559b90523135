import Glibc
import Items
import Synchronization
import Terminal
import Text

/// Standard output: everything is written here or by a sink, and failures are noticed.
enum StandardOutput {
  /// The system's error if not everything was written, 0 for none.
  private static let problem = Atomic<Int32>(0)

  /// Shows lines to the user, ended by a line end. Control sequences are escaped.
  static func show(_ text: String) {
    let text = HarmlessText.lines(text)
    send(text.hasSuffix("\n") ? text : text + "\n")
  }

  /// Writes a document of the program's own, as it is.
  static func write(_ document: String) { send(document) }

  /// Shows what a line editor or a table has drawn.
  static func show(_ text: StyledText) { send(text.drawn()) }

  /// Writes the bytes; after a failure nothing more is written. They must be harmless.
  static func send(_ text: String) {
    guard problem.load(ordering: .relaxed) == 0, !text.isEmpty else { return }
    let number = sendBytes(of: text, to: STDOUT_FILENO)
    if number != 0 { problem.store(number, ordering: .relaxed) }
  }

  /// The final exit of the process, whose work has ended so: unwritten output is an error, unless its reader is gone.
  static func exit(behind exit: RunExit) -> RunExit { failure == nil || exit != .done ? exit : .output }

  /// The same; says what was not written.
  static func settled(_ exit: RunExit) -> RunExit {
    if let failure {
      let reason = failure == EBADF ? "it is closed" : String(cString: strerror(failure)).lowercased()
      standardError("error: can't write standard output: \(reason)")
    }
    return self.exit(behind: exit)
  }

  /// The system's error if somebody misses what was not written; nil if all is well.
  private static var failure: Int32? {
    let number = problem.load(ordering: .relaxed)
    return number == 0 || number == EPIPE ? nil : number
  }
}

/// Standard error: errors and progress. Failures to write it are ignored.
enum StandardErrors {
  private static let json = Atomic(false)

  /// Whether every line is an object, as --log-format json has it.
  static var areJSON: Bool {
    get { json.load(ordering: .relaxed) }
    set { json.store(newValue, ordering: .relaxed) }
  }

  /// Writes a text of several parts, as the usage of a command: what is at the margin stays there.
  static func show(_ text: String) {
    let text = areJSON ? LogEntry.json(of: text) : HarmlessText.lines(text)
    send(text.hasSuffix("\n") ? text : text + "\n")
  }

  /// Writes an entry that is an object already, as `LogEntry` makes them.
  static func show(object json: String) { send(json + "\n") }

  /// Redraws a line in place on a terminal; nil removes it.
  static func redraw(_ line: String?) {
    send("\r\u{1B}[K" + (line.map { HarmlessText.line($0) } ?? ""))
  }

  /// Draws text as it is to look, without a line end.
  static func draw(_ text: StyledText) { send(text.drawn()) }

  /// Writes the bytes, which must be harmless.
  static func send(_ text: String) { _ = sendBytes(of: text, to: STDERR_FILENO) }
}

/// Writes an entry to standard error: an error may have several lines, of which the first one alone is at the margin. Control
/// sequences are escaped.
func standardError(_ text: String) {
  StandardErrors.show(text.hasPrefix("error: ") ? HarmlessText.entry(text) : text)
}

/// Writes all of it to a descriptor; returns the system's error, 0 for none.
private func sendBytes(of text: String, to descriptor: Int32) -> Int32 {
  var text = text
  return text.withUTF8 { bytes in
    var done = 0
    while done < bytes.count {
      let count = Glibc.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
      if count >= 0 {
        done += count
      } else if errno == EAGAIN {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&entry, 1, 100)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }
}

/// The three standard descriptors.
enum StandardDescriptors {
  /// Occupies closed ones at startup, so that no other file gets their numbers. Writing to a standard output that was
  /// closed still fails.
  static func occupy() {
    for (descriptor, flags) in [
      (STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY),
    ]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is assigned, and those below are taken by now.
      _ = open("/dev/null", flags)
    }
  }
}
