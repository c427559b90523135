import Glibc
import Hosting
import Items
import Paging
import Terminal
import Text

/// A file written for the user, or standard output; reports at the end whether everything was written.
final class OutputFile {
  /// How text is made safe for a terminal.
  enum Form {
    /// Lines for users, which may contain our own styles.
    case lines
    case json
    case csv
  }

  private let descriptor: OutputDescriptor
  private let form: Form
  private var waiting = ""
  /// Why it is incomplete; nothing is written after it.
  private(set) var problem: SinkError?

  /// Opens it. Once the flag is set, stalled readers are not waited for.
  init(
    _ path: String, _ opening: OutputDescriptor.Opening = .emptied, as form: Form = .lines,
    hurried: StopFlag = StopFlag()
  ) throws(SinkError) {
    descriptor = try OutputDescriptor(path, opening, hurried: hurried)
    self.form = form
  }

  /// Whether it is a terminal.
  var isTerminal: Bool { descriptor.kind == .terminal }

  /// Truncates it.
  func empty() { descriptor.empty() }

  /// Writes text, buffered until there is more, or the end.
  func write(_ text: String) {
    guard problem == nil else { return }
    waiting += text
    if waiting.utf8.count >= 1 << 16 { flush() }
  }

  /// Sends what waits.
  func flush() {
    guard problem == nil, !waiting.isEmpty else { return }
    do throws(SinkError) {
      try descriptor.write(isTerminal ? harmless : waiting)
    } catch {
      problem = error
    }
    waiting.removeAll(keepingCapacity: true)
  }

  /// Flushes; returns why the file is incomplete, unless nobody misses the rest.
  func finish() -> HostFailure? {
    flush()
    guard let problem, !problem.isClosedPipe, !problem.isGivenUp else { return nil }
    return problem.failure
  }

  private var harmless: String {
    switch form {
    case .lines: StyledText(marked: waiting).drawn()
    case .json: HarmlessText.json(waiting)
    case .csv: HarmlessText.rows(waiting)
    }
  }

  /// Writes one text into a file; returns the failure, if any.
  static func write(
    _ text: String, to path: String, _ opening: OutputDescriptor.Opening = .emptied, as form: Form = .lines
  ) -> HostFailure? {
    do throws(SinkError) {
      let file = try OutputFile(path, opening, as: form)
      file.write(text)
      return file.finish()
    } catch {
      return error.failure
    }
  }
}
