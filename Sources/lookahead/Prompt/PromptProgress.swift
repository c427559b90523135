import Paging
import Scripting

/// What is shown above the prompt while a line waits.
struct PromptProgress {
  /// A line that is quicker than this shows nothing.
  private static let patience = Duration.milliseconds(200)
  private static let pause = Duration.milliseconds(100)

  /// When there is something new to show.
  func next(since began: Instant, at now: Instant) -> Instant {
    max(began + Self.patience, now + Self.pause)
  }

  /// Nil while it is not worth it.
  func text(_ statistics: Statistics, since began: (at: Instant, statistics: Statistics), at now: Instant)
    -> String?
  {
    guard now - began.at >= Self.patience else { return nil }
    let before = began.statistics
    var parts: [String] = []
    if statistics.inFlight > 0 { parts.append("\(statistics.inFlight) in flight") }
    add(statistics.requests - before.requests, "request", to: &parts)
    add(statistics.pages - before.pages, "page", to: &parts)
    add(statistics.items - before.items, "item", to: &parts)
    let retries = statistics.retries - before.retries
    if retries > 0 { parts.append(retries == 1 ? "1 retry" : "\(retries) retries") }
    parts.append(Amount.duration((now - began.at).inSeconds))
    return "waiting: " + parts.joined(separator: " · ") + " (Ctrl-C stops it)"
  }

  private func add(_ count: Int, _ word: String, to parts: inout [String]) {
    if count > 0 { parts.append("\(Amount.count(count)) \(word)\(count == 1 ? "" : "s")") }
  }
}
