import Hosting
import Paging
import Scripting

/// Writes a run's decisions and activity, a JSON object per line; in a `.json` file, in the format of browser trace
/// viewers.
final class TraceWriter {
  private let file: OutputFile
  private let redactor: Redactor
  private let isForViewer: Bool
  private var lines = 0

  /// Begins the file; an error has been shown when it throws.
  init(_ path: String, _ redactor: Redactor, hurried: StopFlag = StopFlag()) throws(RunExit) {
    do throws(SinkError) {
      file = try OutputFile(path, as: .json, hurried: hurried)
    } catch {
      standardError("error: --trace: \(error.failure.message)")
      throw RunExit(unwritten: error.failure)
    }
    self.redactor = redactor
    isForViewer = path.hasSuffix(".json")
    if isForViewer { file.write("[") }
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
    case .printed, .logged, .fetching, .wouldSend: break
    }
  }

  /// Completes the file; reports if it is incomplete, and returns the resulting exit.
  @discardableResult
  func finish() -> RunExit {
    if isForViewer { file.write("\n]\n") }
    guard let failure = file.finish() else { return .done }
    standardError("error: --trace: \(failure.message)")
    return .output
  }

  private func write(_ text: String) {
    if isForViewer { file.write(lines == 0 ? "\n" : ",\n") }
    file.write(redactor.redacted(text))
    if !isForViewer { file.write("\n") }
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

/// A note for a trace viewer: a fetch is a bar, a decision or retry a mark; times in microseconds.
struct ViewerEvent {
  let text: String

  /// Nil for notes without a viewer event.
  init?(_ note: Note, source: String, at: Instant) {
    var line = JSONLine()
    switch note {
    case .landed(let id, let received, let latency):
      line.add("name", "fetch \(id.number): \(received) items")
      line.add("ph", "X")
      line.add("ts", (at.seconds - latency.inSeconds) * 1e6)
      line.add("dur", latency.inSeconds * 1e6)
      line.add("tid", 1 + id.number % 16)
    case .decided(_, let verdict):
      line.mark("fetch \(verdict.fetch): \(verdict.reason)", at)
    case .retrying(let id, let failure, let attempt, _):
      line.mark("fetch \(id.number), attempt \(attempt): \(failure.message)", at)
    case .gaveUp(let id, let failure):
      line.mark("gave up fetch \(id.number): \(failure.message)", at)
    case .exhausted: line.mark("the end", at)
    default: return nil
    }
    line.add("pid", source)
    text = line.text
  }

  /// What happened on the way of a request.
  init(_ note: GateNote, at: Instant) {
    var line = JSONLine()
    switch note {
    case .retrying(_, let attempt, _, let reason): line.mark("attempt \(attempt): \(reason)", at)
    case .unavailable(_, let reason, _): line.mark(reason, at)
    case .available(let host): line.mark("\(host) answers again", at)
    case .redirected(_, let to, _, _): line.mark("redirected to \(to)", at)
    case .closed(let host, let until):
      line.add("name", "\(host) asked to wait")
      line.add("ph", "X")
      line.add("ts", at.seconds * 1e6)
      line.add("dur", (until - at).inSeconds * 1e6)
      line.add("tid", 0)
    case .narrowed(let host, let width): line.mark("\(host): at most \(width) at once", at)
    }
    line.add("pid", "http")
    text = line.text
  }
}

extension JSONLine {
  /// Makes it a point in time with a name.
  mutating func mark(_ name: String, _ at: Instant) {
    add("name", name)
    add("ph", "i")
    add("s", "t")
    add("ts", at.seconds * 1e6)
    add("tid", 0)
  }
}
