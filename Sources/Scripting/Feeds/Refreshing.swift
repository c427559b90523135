import Lua
import Paging

/// The readings of a source that is read again and again.
struct Refreshing {
  private let rule: RefreshRule
  /// Readings that are over, failed ones too.
  private var readings = 0
  /// Whether a reading is under way, or its end was not seen yet.
  private(set) var isReading = true
  /// When the next one begins, once that is known.
  private(set) var dueAt: Instant?
  /// Whether the sink has taken the first one.
  private(set) var isFirstTaken = false
  /// Why the newest one failed.
  private(set) var failure: LuaError?

  init(_ rule: RefreshRule) { self.rule = rule }

  /// Whether the source has not been read to its end yet.
  var isFirst: Bool { readings == 0 }

  /// Whether there will be no other reading.
  var isLast: Bool { !isReading && rule.times.map { readings > $0 } ?? false }

  /// From a reading to the next.
  var pause: Duration { rule.every }

  mutating func finish(_ failure: LuaError?) {
    isReading = false
    self.failure = failure
    readings += 1
  }

  /// The sink has taken the reading that is over.
  mutating func rest(from now: Instant) {
    isFirstTaken = true
    if dueAt == nil { dueAt = now + rule.every }
  }

  mutating func begin() {
    dueAt = nil
    isReading = true
  }
}

/// Sources that are read again and again: their readings follow each other, with pauses between them.
final class Readings {
  private let turn: Turn
  private let fetches: FetchHost
  private let run: RunState
  private let tally: Tally
  private let options: FeedHost.Options
  /// The sink has a whole reading of every source that is read again.
  private var areFirstTaken = false
  /// Why the last reading of a source failed.
  private var lastFailure: LuaError?

  init(_ turn: Turn, _ fetches: FetchHost, _ run: RunState, _ tally: Tally, _ options: FeedHost.Options) {
    self.turn = turn
    self.fetches = fetches
    self.run = run
    self.tally = tally
    self.options = options
  }

  /// Whether a source is open that is read again.
  var areOpen: Bool { fetches.open.contains { ($0 as? FeedReader)?.refreshing != nil } }

  /// A reading has come to its end, or could not. When the sink has taken it, the pause before the next begins.
  ///
  /// Without a first reading there is nothing to keep, so its failure is the run's; a later one is tried again.
  func finished(_ reader: FeedReader, _ ending: FeedReader.Ending) {
    guard var refreshing = reader.refreshing else { return }
    if refreshing.isReading {
      let isFirst = refreshing.isFirst
      switch ending {
      case .failed(let error) where isFirst: return run.fail(error)
      case .failed(let error): refreshing.finish(error)
      case .exhausted, .cut:
        refreshing.finish(nil)
        if !isFirst { tally.statistics.refreshes += 1 }
        if let bookmark = reader.newBookmark { reader.begun?.bookmark = bookmark }
      }
      reader.refreshing = refreshing
      if let error = refreshing.failure, !refreshing.isLast { warn(error, of: reader, refreshing) }
    }
    if refreshing.isLast {
      // What its handlers go on with belongs to the last reading.
      if !reader.goesOn(behind: ending) { leave(reader, refreshing.failure) }
      return
    }
    guard reader.hasAppliedAll else { return }
    reader.refreshing?.rest(from: turn.now)
    fetches.noteWake(of: reader)
    let areAllTaken = fetches.open.allSatisfy { ($0 as? FeedReader)?.refreshing?.isFirstTaken != false }
    guard areAllTaken, !areFirstTaken, tally.coverage.missing == 0 else { return }
    areFirstTaken = true
    options.firstReadingsTaken()
  }

  /// Closes a source after its last reading; if that failed, the run has failed, once the others are through too.
  private func leave(_ reader: FeedReader, _ failure: LuaError?) {
    fetches.close(reader)
    lastFailure = lastFailure ?? failure
    if !areOpen, let lastFailure { run.fail(lastFailure) }
  }

  private func warn(_ error: LuaError, of reader: FeedReader, _ refreshing: Refreshing) {
    options.observe(
      .logged(
        level: "warn", message: "a refresh failed: what was read before stays",
        fields: [
          ("source", .string(reader.name)), ("reason", .string(error.message)),
          ("seconds", .number(refreshing.pause.inSeconds)),
        ]))
  }
}
