import Hosting
import Paging
import Simulation

/// Records what the user saw and when, as a workload for the lab, together with the latencies.
final class TraceRecorder {
  private let path: String
  private let source: String
  private let calls: RunRecorder
  private var points: [ViewportTrace.Point] = []
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
    let last = max(first - 1, min(places.upperBound, rows) - 1)
    if let before = points.last, before.first == first, before.last == last { return }
    points.append(point(first, last, now))
  }

  func hear(_ note: Note) {
    if case .landed(_, _, let latency) = note { latencies.append(latency.inSeconds) }
  }

  /// Writes everything; `items` is the source's total, if known. Returns the resulting exit, once reported.
  func finish(items: Int?, at now: Instant, _ voice: Voice) -> RunExit {
    let recorded = calls.finish(voice)
    if let last = points.last { points.append(point(last.first, last.last, now)) }
    let isWritten = write(latencies.map { "\($0)\n" }.joined(), to: path + ".latencies", voice)
    let most = points.map(\.last).max() ?? 0
    let total = items.flatMap { $0 > most ? $0 : nil }
    guard !points.isEmpty, let trace = try? ViewportTrace(points: points, items: total, source: source) else {
      voice.error("error: --record \(path): nothing was seen, so there is nothing to write")
      return isWritten ? recorded : .output
    }
    return write(trace.text, to: path, voice) && isWritten ? recorded : .output
  }

  private func point(_ first: Int, _ last: Int, _ now: Instant) -> ViewportTrace.Point {
    ViewportTrace.Point(milliseconds: (now.seconds * 1000).rounded(), first: first, last: last)
  }

  private func write(_ text: String, to path: String, _ voice: Voice) -> Bool {
    guard let failure = OutputFile.write(text, to: path) else { return true }
    voice.error("error: --record: \(failure.message)")
    return false
  }
}
