import Glibc
import Paging
import Scripting

/// The progress of a run: one line at the foot of a terminal, or else occasional log lines.
final class ProgressLine {
  private enum Style {
    case hidden
    /// Redrawn in place, at most ten times a second.
    case redrawn
    /// For files and dumb terminals: a line every ten seconds.
    case appended
  }

  private let style: Style
  private var shownAt: Instant?
  private var isDrawn = false
  /// The server that asked to wait, and until when.
  private var waiting: (host: String, until: Instant)?
  private var isNews = false

  init(_ options: ReportOptions) {
    let isTerminal = isatty(STDERR_FILENO) == 1 && getenv("TERM").map { String(cString: $0) } != "dumb"
    style =
      switch options.progress {
      case .always: isTerminal ? .redrawn : .appended
      case .never: .hidden
      case .auto: isTerminal && !options.quiet ? .redrawn : .hidden
      }
  }

  /// Records why nothing happens.
  func hear(_ observation: Observation) {
    guard case .gateNoted(.closed(let host, let until), _) = observation else { return }
    waiting = (host, until)
    isNews = true
  }

  func show(_ statistics: Statistics, total: Int?, at now: Instant) {
    guard style != .hidden, isDue(now) else { return }
    shownAt = now
    isNews = false
    let text = text(statistics, total, now)
    switch style {
    case .redrawn:
      isDrawn = true
      StandardErrors.redraw(text)
    case .appended: standardError(text)
    case .hidden: break
    }
  }

  /// Removes the line.
  func clear() {
    guard isDrawn else { return }
    isDrawn = false
    StandardErrors.redraw(nil)
  }

  private func isDue(_ now: Instant) -> Bool {
    guard let shownAt else { return isNews || now.seconds > 0.2 }
    let pause = style == .redrawn ? 0.1 : 10
    return isNews || (now - shownAt).inSeconds >= pause
  }

  private func text(_ statistics: Statistics, _ total: Int?, _ now: Instant) -> String {
    let rate = now.seconds > 0 ? Double(statistics.items) / now.seconds : 0
    let whole = total.map { " of \(Amount.count($0))" } ?? ""
    var parts = [
      "\(Amount.count(statistics.items))\(whole) items",
      "\(Amount.count(Amount.whole(rate.rounded(.down))))/s",
      "\(statistics.inFlight) in flight",
    ]
    if statistics.retries > 0 {
      parts.append(statistics.retries == 1 ? "1 retry" : "\(statistics.retries) retries")
    }
    if let waiting, waiting.until > now {
      parts.append(
        "waiting \(Amount.duration((waiting.until - now).inSeconds)): \(waiting.host) asked for it")
    }
    if let total, total > statistics.items, rate > 0 {
      parts.append("\(Amount.duration(Double(total - statistics.items) / rate)) left")
    }
    return parts.joined(separator: " · ")
  }
}
