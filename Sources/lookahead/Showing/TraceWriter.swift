import Glibc
import Paging
import Scripting

/// Writes what a run decided and did, a JSON object to a line; into a `.json` file as a browser's trace viewer reads it.
final class TraceWriter {
  private let path: String
  private let file: UnsafeMutablePointer<FILE>
  private let redactor: Redactor
  private let isForViewer: Bool
  private var lines = 0

  init(_ path: String, _ redactor: Redactor) throws(RunExit) {
    guard let file = fopen(path, "w") else {
      standardError("error: --trace \(path): \(systemError())")
      throw .output
    }
    self.path = path
    self.file = file
    self.redactor = redactor
    isForViewer = path.hasSuffix(".json")
    if isForViewer { fputs("[", file) }
  }

  func start(script: String, seed: UInt64) {
    guard !isForViewer else { return }
    var line = JSONLine()
    line.add("event", "run")
    line.add("script", script)
    line.add("seed", "\(seed)")
    write(line.text)
  }

  func write(_ observation: Observation) {
    switch observation {
    case .noted(let source, let note, let at):
      if isForViewer {
        if let event = ViewerEvent(note, source: source, at: at) { write(event.text) }
      } else {
        write(line(source, note, at).text)
      }
    case .gateNoted(let note, let at):
      write(isForViewer ? ViewerEvent(note, at: at).text : line(note, at).text)
    case .printed, .logged, .wouldSend: break
    }
  }

  /// Closes the file; says so when not all of it could be written.
  func finish() {
    if isForViewer { fputs("\n]\n", file) }
    let isWhole = ferror(file) == 0
    if fclose(file) != 0 || !isWhole { standardError("error: --trace \(path): \(systemError())") }
  }

  private func write(_ text: String) {
    if isForViewer { fputs(lines == 0 ? "\n" : ",\n", file) }
    fputs(redactor.redacted(text), file)
    if !isForViewer { fputs("\n", file) }
    lines += 1
  }

  private func line(_ source: String, _ note: Note, _ at: Instant) -> JSONLine {
    var line = JSONLine()
    line.add("t", at.seconds)
    line.add("source", source)
    line.add("event", note.name)
    line.add(note)
    return line
  }

  private func line(_ note: GateNote, _ at: Instant) -> JSONLine {
    var line = JSONLine()
    line.add("t", at.seconds)
    line.add(note)
    return line
  }
}
