import Glibc

/// The terminal of the run, whatever its standard streams are: where a person is asked.
struct QuestionTerminal {
  private let file: FileDescriptor

  /// Nil if there is none, or if another program has it now.
  init?() {
    guard let file = try? FileDescriptor.open("/dev/tty", O_RDWR | O_NOCTTY),
      file.withNumber({ tcgetpgrp($0) == getpgrp() })
    else { return nil }
    self.file = file
  }

  /// Shows the question and reads lines until one is an answer; nil if there is none. What was typed before is no answer. Ends
  /// when `socket` can be read, too.
  func ask(_ question: QuestionText, until socket: Int32, _ verdict: (String) -> Verdict?) -> Verdict? {
    let before = takeLines()
    defer { before.map(restore) }
    // What was written before may not have ended its line.
    guard show("\n\(question.claim)\n\(question.choices)") else { return nil }
    while let line = readLine(until: socket) {
      if let verdict = verdict(line) { return verdict }
      guard show(question.choices) else { return nil }
    }
    _ = show("\n")
    return nil
  }

  /// Drops what was typed, and has whole lines from now on; the settings before.
  private func takeLines() -> termios? {
    file.withNumber { number in
      var before = termios()
      guard tcgetattr(number, &before) == 0 else { return nil }
      var settings = before
      settings.c_lflag |= tcflag_t(ICANON | ECHO | ISIG)
      settings.c_iflag |= tcflag_t(ICRNL)
      tcsetattr(number, TCSAFLUSH, &settings)
      return before
    }
  }

  private func restore(_ settings: termios) {
    var settings = settings
    _ = file.withNumber { tcsetattr($0, TCSANOW, &settings) }
  }

  private func show(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      (try? file.write(UnsafeRawBufferPointer(bytes))) != nil
    }
  }

  private func readLine(until socket: Int32) -> String? {
    var line: [UInt8] = []
    while true {
      var watched = file.withNumber { number in
        [
          pollfd(fd: number, events: Int16(POLLIN), revents: 0),
          pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
        ]
      }
      let count = poll(&watched, 2, -1)
      if count < 0 && errno == EINTR { continue }
      guard count > 0, watched[1].revents == 0 else { return nil }
      var byte: UInt8 = 0
      guard let count = try? withUnsafeMutableBytes(of: &byte, { try file.read(into: $0) }), count == 1 else {
        return nil
      }
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      if line.count < 100 { line.append(byte) }
    }
  }
}
