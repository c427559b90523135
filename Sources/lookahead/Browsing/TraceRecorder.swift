import Hosting
import Paging
import Simulation

/// Records what the user saw, as a workload for the lab, together with the latencies.
final class TraceRecorder {
  private let path: String
  private let source: String
  private let calls: RunRecorder
  private var viewport = ViewportRecording()
  private var latencies: [Double] = []

  /// Creates the files; an error has been shown when it throws.
  init(_ path: String, source: String) throws(RunExit) {
    self.path = path
    self.source = source
    calls = try RunRecorder(path + ".calls")
  }

  /// Files that are written in the end.
  var laterPaths: [String] { [path, path + ".latencies"] }

  /// The recorder of host calls and answers.
  var recorder: RunRecorder { calls }

  /// These places are visible from now on.
  func see(_ places: Range<Int>, rows: Int, at now: Instant) {
    let first = max(0, min(places.lowerBound, rows))
    viewport.see(first..<max(first, min(places.upperBound, rows)), at: now)
  }

  /// Whether the user waits for a visible row, from now on.
  func update(isMissing: Bool, at now: Instant) { viewport.update(isMissing: isMissing, at: now) }

  func hear(_ note: Note) {
    if case .landed(_, _, let latency) = note { latencies.append(latency.inSeconds) }
  }

  /// Writes everything; `items` is the source's total, if known. Returns the resulting exit, once reported.
  func finish(items: Int?, at now: Instant, _ voice: Voice) -> RunExit {
    let recorded = calls.finish(voice)
    let isWritten = write(latencies.map { "\($0)\n" }.joined(), to: path + ".latencies", voice)
    guard let trace = viewport.trace(items: items, source: source, at: now) else {
      voice.error("error: --record \(path): nothing was seen, so there is nothing to write")
      return isWritten ? recorded : .output
    }
    return write(trace.text, to: path, voice) && isWritten ? recorded : .output
  }

  private func write(_ text: String, to path: String, _ voice: Voice) -> Bool {
    guard let failure = OutputFile.write(text, to: path) else { return true }
    voice.error("error: --record: \(failure.message)")
    return false
  }
}
