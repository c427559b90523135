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

  mutating func end(_ failure: LuaError?) {
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
