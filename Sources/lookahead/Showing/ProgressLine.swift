import Glibc
import Lua
import Paging
import Scripting
import Terminal

/// The progress of a run: one line at the foot of a terminal, or else a log line now and then.
final class ProgressLine {
  private enum Style {
    case hidden
    /// Redrawn in place, at most ten times a second.
    case redrawn
    /// For files and dumb terminals.
    case logged
  }

  private let style: Style
  private let limit: Int?
  private let voice: Voice
  private var words = ProgressText()
  private var shownAt: Instant?
  private var isDrawn = false
  private var isNews = false

  /// The progress of a run with so many items at most.
  init(_ options: ReportOptions, limit: Int?, _ voice: Voice) {
    let isTerminal = isatty(STDERR_FILENO) == 1 && getenv("TERM").map { String(cString: $0) } != "dumb"
    let isWanted =
      switch options.progress {
      case .always: true
      case .never: false
      case .auto: options.log.shows(.info)
      }
    let isDrawn = isTerminal && !StandardErrors.areJSON
    style = isWanted ? (isDrawn ? .redrawn : .logged) : .hidden
    self.limit = limit
    self.voice = voice
  }

  /// Records why nothing happens.
  func hear(_ observation: Observation) {
    switch observation {
    case .gateNoted(.closed(let host, let until), _):
      words.waits(for: host, until: until)
      isNews = true
    case .gateNoted(.retrying(_, _, let time, let reason), _): words.retries(at: time, because: reason)
    case .noted(_, .retrying(_, let failure, _, let time), _):
      words.retries(at: time, because: failure.message)
    default: break
    }
  }

  /// Shows how far the run is, if it is time; returns when that is again. Nil is never.
  func show(_ statistics: Statistics, total: @autoclosure () -> Int?, at now: Instant) -> Instant? {
    guard style != .hidden else { return nil }
    // Of partitions only those say how much they have that are read now.
    let total = statistics.partitions.listed > 0 ? nil : total()
    var figures = ProgressText.Figures(
      items: statistics.items, total: total, limit: limit, inFlight: statistics.inFlight,
      retries: statistics.retries)
    figures.partitions = statistics.partitions
    words.note(figures, at: now)
    if isDue(now) {
      shownAt = now
      isNews = false
      show(figures, at: now)
    }
    let clock: Duration = style == .redrawn ? .seconds(1) : Self.pause
    return shownAt.map { $0 + clock } ?? .zero + (style == .redrawn ? .milliseconds(200) : Self.pause)
  }

  /// Removes the line.
  func clear() {
    guard isDrawn else { return }
    isDrawn = false
    StandardErrors.redraw(nil)
  }

  /// Between two log lines.
  private static let pause = Duration.seconds(5)

  private func isDue(_ now: Instant) -> Bool {
    switch style {
    case .hidden: false
    case .redrawn:
      isNews || shownAt.map { now - $0 >= .milliseconds(100) } ?? (now - .zero >= .milliseconds(200))
    case .logged: now - (shownAt ?? .zero) >= Self.pause
    }
  }

  private func show(_ figures: ProgressText.Figures, at now: Instant) {
    guard style == .redrawn else {
      var numbers: [(String, LuaValue)] = [("items", .integer(Int64(figures.items)))]
      if let total = figures.total { numbers.append(("total", .integer(Int64(total)))) }
      if figures.partitions.listed > 0 {
        numbers.append(("partitions", .integer(Int64(figures.partitions.done))))
        if figures.partitions.isListed {
          numbers.append(("partitions_total", .integer(Int64(figures.partitions.listed))))
        }
      }
      numbers.append(("items_per_second", .number((words.rate(figures, at: now) * 10).rounded() / 10)))
      numbers.append(("in_flight", .integer(Int64(figures.inFlight))))
      numbers.append(("retries", .integer(Int64(figures.retries))))
      if let left = words.secondsLeft(figures, at: now) {
        numbers.append(("seconds_left", .number(left.rounded())))
      }
      return voice.progress(words.text(figures, at: now), numbers)
    }
    isDrawn = true
    // The last cell stays empty: some terminals wrap when it is written.
    StandardErrors.redraw(words.text(figures, at: now, within: Self.columns - 1))
  }

  /// The width of the terminal now.
  private static var columns: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return 80 }
    return Int(size.ws_col)
  }
}
