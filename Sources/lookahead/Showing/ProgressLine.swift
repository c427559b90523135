import Glibc
import Paging
import Scripting

/// One line at the foot of a terminal that says how a run is doing; drawn at most ten times a second.
final class ProgressLine {
  private let isShown: Bool
  private var drawnAt: Instant?
  private var isDrawn = false

  init(_ options: ReportOptions) {
    let isTerminal = isatty(STDERR_FILENO) == 1 && getenv("TERM").map { String(cString: $0) } != "dumb"
    isShown =
      switch options.progress {
      case .always: true
      case .never: false
      case .auto: isTerminal && !options.quiet
      }
  }

  func show(_ statistics: Statistics, at now: Instant) {
    guard isShown, now.seconds > 0.2 else { return }
    if let drawnAt, (now - drawnAt).inSeconds < 0.1 { return }
    drawnAt = now
    isDrawn = true
    drawOnTerminal("\r\u{1B}[K" + text(statistics, now.seconds))
  }

  /// Takes the line away.
  func clear() {
    guard isDrawn else { return }
    isDrawn = false
    drawOnTerminal("\r\u{1B}[K")
  }

  private func text(_ statistics: Statistics, _ seconds: Double) -> String {
    let rate = Double(statistics.items) / seconds
    var parts = ["\(Amount.count(statistics.items)) items", "\(Amount.count(Int(rate)))/s"]
    parts.append("\(statistics.inFlight) in flight")
    if statistics.retries > 0 { parts.append("\(statistics.retries) retries") }
    if let total = statistics.total, total > statistics.items, rate > 0 {
      parts.append("\(Amount.duration(Double(total - statistics.items) / rate)) left")
    }
    return parts.joined(separator: " · ")
  }
}
