import Glibc
import Hosting
import Items
import Paging
import Terminal
import Text

/// A file that the program writes for a person, or standard output: whether all of it arrived is known in the end.
final class OutputFile {
  /// What text is to a terminal: it is given nothing that steers it.
  enum Form {
    /// Lines for people, which our own styles may be in.
    case lines
    case json
    case csv
  }

  private let descriptor: OutputDescriptor
  private let form: Form
  private var waiting = ""
  /// Why it is not whole; nothing is written after it.
  private(set) var problem: SinkError?

  /// Opens it. Once the flag is set, a reader who takes nothing is not waited for.
  init(
    _ path: String, _ opening: OutputDescriptor.Opening = .emptied, as form: Form = .lines,
    hurried: StopFlag = StopFlag()
  ) throws(SinkError) {
    descriptor = try OutputDescriptor(path, opening, hurried: hurried)
    self.form = form
  }

  /// Whether a person looks at it.
  var isTerminal: Bool { descriptor.kind == .terminal }

  /// Takes the contents away that were there.
  func empty() { descriptor.empty() }

  /// Writes text; it may wait until there is more, or the end.
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

  /// Sends what waits; why it is not whole, unless that is nobody's loss.
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

  /// Writes one text into a file; why that failed, unless it did not.
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
