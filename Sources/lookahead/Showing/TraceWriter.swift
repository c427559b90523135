import Glibc
import Paging
import Scripting

/// Writes what a run decided and did, a JSON object to a line; into a `.json` file as a browser's trace viewer reads it.
final class TraceWriter {
  private let file: UnsafeMutablePointer<FILE>
  private let isForViewer: Bool
  private var lines = 0

  init(_ path: String) throws(RunExit) {
    guard let file = fopen(path, "w") else {
      standardError("error: --trace \(path): \(String(cString: strerror(errno)).lowercased())")
      throw .output
    }
    self.file = file
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
      guard !isForViewer else { return }
      write(line(note, at).text)
    case .printed, .logged, .wouldSend: break
    }
  }

  func finish() {
    if isForViewer { fputs("\n]\n", file) }
    fclose(file)
  }

  private func write(_ text: String) {
    if isForViewer { fputs(lines == 0 ? "\n" : ",\n", file) }
    fputs(text, file)
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

/// One fetch as a bar of a trace viewer: microseconds, a row per source.
private struct ViewerEvent {
  let text: String

  init?(_ note: Note, source: String, at: Instant) {
    guard case .landed(let id, let received, let latency) = note else { return nil }
    var line = JSONLine()
    line.add("name", "fetch \(id.number): \(received) items")
    line.add("ph", "X")
    line.add("ts", (at.seconds - latency.inSeconds) * 1e6)
    line.add("dur", latency.inSeconds * 1e6)
    line.add("pid", source)
    line.add("tid", id.number % 16)
    text = line.text
  }
}
