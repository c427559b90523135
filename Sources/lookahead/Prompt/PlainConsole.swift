import Glibc
import Terminal

/// Input from a pipe, a file, or a dumb terminal: no editing, no echo, plain output.
final class PlainConsole: PromptConsole {
  let descriptor = STDIN_FILENO
  let isLive = isatty(STDIN_FILENO) == 1
  var patience: Double? { nil }
  var entries: [String]? { nil }
  let size = TerminalSize(columns: 100, rows: 24)

  private var lines = InputLines()
  private var isWanted = false
  private var output = ""
  /// When output was last flushed because of its age: long computations show their prints.
  private var flushed = ContinuousClock.now - .seconds(1)

  func ask(_ prompt: PromptText, text: String) {
    isWanted = true
    guard isLive, !lines.hasLine else { return }
    flush()
    StandardErrors.draw(prompt.first)
  }

  func next() -> ConsoleInput? {
    guard isWanted else { return nil }
    if !lines.hasLine, !lines.isOver { read() }
    guard let input = lines.next() else { return nil }
    isWanted = false
    return input
  }

  func interrupt() {
    lines.forget()
    StandardErrors.draw("\n")
  }

  func write(_ text: StyledText) {
    output += text.drawn()
    if !output.hasSuffix("\n") { output += "\n" }
    let now = ContinuousClock.now
    guard output.utf8.count > 1 << 14 || now - flushed > .milliseconds(50) else { return }
    flushed = now
    flush()
  }

  func complain(_ text: StyledText) {
    flush()
    standardError(text.text)
  }

  func show(status: String?) {}

  func remember(_ entry: String) -> Bool { false }

  func refresh() { flush() }

  func lend(_ block: () -> Void) {
    flush()
    block()
  }

  func close() { flush() }

  /// Sends what was written.
  func flush() {
    StandardOutput.send(output)
    output.removeAll(keepingCapacity: true)
  }

  /// Reads available input, without blocking.
  private func read() {
    var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&input, 1, 0) > 0 else { return }
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count < 0 && errno == EINTR { return }
      if count <= 0 { lines.finish() } else { lines.add(buffer[..<count]) }
    }
  }
}

/// Bytes split into lines, which end in ` ` or `\r `.
struct InputLines {
  private var bytes: [UInt8] = []
  private var start = 0
  /// Position up to which no line end was found.
  private var looked = 0
  private var number = 0
  private(set) var isOver = false

  mutating func add(_ more: some Sequence<UInt8>) {
    if start > 1 << 16 {
      bytes.removeFirst(start)
      looked -= start
      start = 0
    }
    bytes += more
  }

  /// No more input.
  mutating func finish() { isOver = true }

  /// Discards unread lines.
  mutating func forget() {
    bytes = []
    (start, looked) = (0, 0)
  }

  /// Whether there is a whole line.
  var hasLine: Bool { bytes[max(start, looked)...].contains(UInt8(ascii: "\n")) }

  /// The next line, the end when all are consumed, or nil if incomplete.
  mutating func next() -> ConsoleInput? {
    guard let end = bytes[looked...].firstIndex(of: UInt8(ascii: "\n")) else {
      looked = bytes.count
      guard isOver else { return nil }
      guard start < bytes.count else { return .end }
      return line(until: bytes.count, next: bytes.count)
    }
    return line(until: end, next: end + 1)
  }

  private mutating func line(until end: Int, next: Int) -> ConsoleInput {
    var line = bytes[start..<end]
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    (start, looked) = (next, next)
    number += 1
    guard let text = String(validating: line, as: UTF8.self) else { return .unreadable(number: number) }
    return .line(text, number: number)
  }
}
