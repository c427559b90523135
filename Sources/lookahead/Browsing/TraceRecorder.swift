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
  private var reading: RecordedReading?

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
  func see(_ places: Range<Int>, rows: Int, velocity: Double, at now: Instant) {
    let first = max(0, min(places.lowerBound, rows))
    viewport.see(first..<max(first, min(places.upperBound, rows)), velocity: velocity, at: now)
  }

  /// Whether the user waits for a visible row, from now on.
  func update(isMissing: Bool, at now: Instant) { viewport.update(isMissing: isMissing, at: now) }

  /// A fetch began, of a source that is read as the configuration says.
  func began(_ request: FetchRequest, _ configuration: FeedConfiguration?, at now: Instant) {
    guard let configuration else { return }
    var reading = reading ?? RecordedReading(policy: nil, options: configuration.options)
    reading.began(request, at: now)
    self.reading = reading
  }

  func hear(_ note: Note, at now: Instant) {
    switch note {
    case .landed(let id, _, let latency):
      latencies.append(latency.inSeconds)
      reading?.landed(id, at: now)
    case .cancelled(let id): reading?.cancelled(id)
    default: break
    }
  }

  /// Writes everything; `items` is the source's total, if known, and `policy` nil for the source's own. Returns the resulting
  /// exit, once reported.
  func finish(items: Int?, policy: String?, at now: Instant, _ voice: Voice) -> RunExit {
    let recorded = calls.finish(voice)
    let isWritten = write(latencies.map { "\($0)\n" }.joined(), to: path + ".latencies", voice)
    guard var trace = viewport.trace(items: items, source: source, at: now) else {
      voice.error("error: --record \(path): nothing was seen, so there is nothing to write")
      return isWritten ? recorded : .output
    }
    reading?.policy = policy
    reading?.waited = viewport.waited(at: now).inSeconds
    reading?.waits = viewport.waits
    trace.reading = reading
    return write(trace.text, to: path, voice) && isWritten ? recorded : .output
  }

  private func write(_ text: String, to path: String, _ voice: Voice) -> Bool {
    guard let failure = OutputFile.write(text, to: path) else { return true }
    voice.error("error: --record: \(failure.message)")
    return false
  }
}
