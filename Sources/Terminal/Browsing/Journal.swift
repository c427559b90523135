internal import Items
public import Paging

/// The machine's activity in readable lines, newest last; equal consecutive decisions are one line.
public struct Journal: Sendable, Hashable {
  /// One line.
  public struct Entry: Sendable, Hashable {
    public let at: Instant
    public let text: String
    /// Consecutive repetitions.
    public var times = 1
  }

  /// A fetch in flight.
  public struct Flight: Sendable, Hashable {
    public let request: String
    public let since: Instant
  }

  /// Maximum lines.
  public static let most = 200
  public private(set) var entries: [Entry] = []
  /// Fetches in flight, by number.
  public private(set) var flights: [Int: Flight] = [:]

  public init() {}

  /// A fetch started.
  public mutating func began(_ request: FetchRequest, at now: Instant) {
    let key = request.key.map { " at \($0)" } ?? ""
    let attempt = request.attempt > 1 ? ", attempt \(request.attempt)" : ""
    flights[request.id.number] = Flight(request: "\(request.direction.rawValue)\(key)\(attempt)", since: now)
    add(
      "fetch \(request.id.number): \(request.direction.rawValue)\(key), \(request.size) items\(attempt)",
      at: now)
  }

  /// Records a note of the machine.
  public mutating func note(_ note: Note, at now: Instant) {
    switch note {
    case .landed(let id, _, _), .retrying(let id, _, _, _), .gaveUp(let id, _), .cancelled(let id),
      .threwAwayPastEnd(let id), .endedPastTotal(let id, _):
      flights[id.number] = nil
    case .decided, .clamped, .delivered, .threwAwayLateAnswer, .fillsGap, .learnedPageSize, .stopped,
      .endedBelowTotal, .disagreedWithTotal, .exhausted, .dropped, .refreshing, .replaced, .keptAll,
      .edited:
      break
    }
    if let text = Self.text(note) { add(text, at: now) }
  }

  /// Adds any other line.
  public mutating func add(_ text: String, at now: Instant) {
    if entries.last?.text == text {
      entries[entries.count - 1].times += 1
      return
    }
    entries.append(Entry(at: now, text: text))
    if entries.count > Self.most { entries.removeFirst(entries.count - Self.most) }
  }

  private static func text(_ note: Note) -> String? {
    switch note {
    case .decided(let view, let verdict):
      let answer = verdict.cancel ? "cancel" : verdict.isYes ? "yes, \(verdict.fetch)" : "no"
      return "\(view.direction.rawValue): \(answer)" + (verdict.reason.isEmpty ? "" : " (\(verdict.reason))")
    case .clamped(let asked, let started): return "asked for \(asked) pages, started \(started)"
    case .landed(let id, let received, let latency):
      return "fetch \(id.number) landed: \(received) items in \(milliseconds(latency)) ms"
    case .delivered(let id, let inserted, let updated, let duplicates):
      let rest =
        (updated > 0 ? ", \(updated) updated" : "") + (duplicates > 0 ? ", \(duplicates) duplicates" : "")
      return "page of fetch \(id.number) in place: \(inserted) new\(rest)"
    case .retrying(let id, let failure, let attempt, _):
      return "fetch \(id.number) failed, attempt \(attempt) follows: \(failure.message)"
    case .gaveUp(let id, let failure): return "fetch \(id.number) gave up: \(failure.message)"
    case .cancelled(let id): return "fetch \(id.number) cancelled"
    case .threwAwayLateAnswer(let id): return "late answer of fetch \(id.number) discarded"
    case .threwAwayPastEnd(let id): return "fetch \(id.number) was past the end"
    case .fillsGap(_, let offset, let size): return "a page was short: \(size) items at \(offset) follow"
    case .learnedPageSize(let size): return "the source sends \(size) items a page"
    case .stopped(let side, .fruitless(let fetches)):
      return "\(side.rawValue) stopped after \(fetches) fruitless fetches"
    case .stopped(let side, .pageLimit(let pages)): return "\(side.rawValue) stopped after \(pages) pages"
    case .endedBelowTotal(let side, let emptyPages, let items, let total):
      return "\(side.rawValue) ended at \(items) of \(total) items: \(emptyPages) pages in a row were empty"
    case .endedPastTotal(let id, let failure):
      return "fetch \(id.number) was past the total, and its failure is the end: \(failure.message)"
    case .disagreedWithTotal(let side, let mismatch):
      let again = mismatch.repeated > 0 ? ", \(mismatch.repeated) of them again" : ""
      let repeated = again + (mismatch.mayMiss > 0 ? ", up to \(mismatch.mayMiss) may be missed" : "")
      return
        "\(side.rawValue) ended after \(mismatch.received) items\(repeated), the total says \(mismatch.total)"
    case .exhausted(let side): return "\(side.rawValue): nothing more"
    case .dropped(let side, let items): return "\(side.rawValue): \(items) items let go"
    case .refreshing(let generation): return "refresh: generation \(generation)"
    case .replaced(let counts):
      return
        "replaced: \(counts.inserted) new, \(counts.removed) gone, \(counts.moved) moved, \(counts.updated) updated"
    case .keptAll(let items): return "the refresh brought nothing: \(items) items stay"
    case .edited: return "edited"
    }
  }

  private static func milliseconds(_ duration: Duration) -> Int { Int((duration.inSeconds * 1000).rounded()) }
}
