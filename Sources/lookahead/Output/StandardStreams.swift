import Glibc
import Items
import Synchronization
import Terminal
import Text

/// Standard output: all that is written to it is written here or by a sink, and is known to have arrived.
enum StandardOutput {
  /// Why not all of it arrived; the number of the system's error, 0 for none.
  private static let problem = Atomic<Int32>(0)

  /// Shows lines to a person; a line end is added where there is none. Nothing of them steers a terminal.
  static func show(_ text: String) {
    let text = HarmlessText.lines(text)
    send(text.hasSuffix("\n") ? text : text + "\n")
  }

  /// Writes a document of the program's own, as it is.
  static func write(_ document: String) { send(document) }

  /// Shows what a line editor or a table has drawn.
  static func show(_ text: StyledText) { send(text.drawn()) }

  /// Sends the bytes; after a failure nothing more is sent. What they hold is harmless by now.
  static func send(_ text: String) {
    guard problem.load(ordering: .relaxed) == 0, !text.isEmpty else { return }
    let number = sendBytes(of: text, to: STDOUT_FILENO)
    if number != 0 { problem.store(number, ordering: .relaxed) }
  }

  /// How the process ends that would end so: what was not written is reported, unless nobody is left to read it.
  static func settled(_ exit: RunExit) -> RunExit {
    let number = problem.load(ordering: .relaxed)
    guard number != 0, number != EPIPE else { return exit }
    let reason = number == EBADF ? "it is closed" : String(cString: strerror(number)).lowercased()
    standardError("error: can't write standard output: \(reason)")
    return exit == .done ? .output : exit
  }
}

/// Standard error: what goes wrong, and what goes on. A failure to say it is nobody's business.
enum StandardErrors {
  /// Draws a line over itself on a terminal; nil takes it away.
  static func redraw(_ line: String?) {
    send("\r\u{1B}[K" + (line.map { HarmlessText.line($0) } ?? ""))
  }

  /// Draws text as it is to look, without a line end.
  static func draw(_ text: StyledText) { send(text.drawn()) }

  /// Sends the bytes; what they hold is harmless by now.
  static func send(_ text: String) { _ = sendBytes(of: text, to: STDERR_FILENO) }
}

/// Writes lines to standard error; nothing of them steers a terminal.
func standardError(_ text: String) {
  let text = HarmlessText.lines(text)
  StandardErrors.send(text.hasSuffix("\n") ? text : text + "\n")
}

/// Writes all of it to a descriptor; the number of the system's error, 0 for none.
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

/// The three descriptors that every program counts on.
enum StandardDescriptors {
  /// Keeps closed ones from being taken by whatever is opened next, at the very beginning. What is then written to a standard
  /// output that was closed fails, as it would without one.
  static func occupy() {
    for (descriptor, flags) in [
      (STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY),
    ]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest number that is free is given, and those below are taken by now.
      _ = open("/dev/null", flags)
    }
  }
}
