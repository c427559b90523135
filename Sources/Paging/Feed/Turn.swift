/// One event being handled: when, where it came from, and what is to be done about it.
struct Turn {
  /// Where an event came from.
  enum Cause {
    /// The reader moved.
    case move
    /// A fetch handler brought something, or ended.
    case handler
    case other
  }

  let now: Instant
  var cause = Cause.other
  private(set) var effects: [Effect] = []
  /// Whether nothing came of it so far.
  private(set) var isIdle = true
  /// Whether anyone reads what is noted.
  private let isNoted: Bool

  init(_ now: Instant, isNoted: Bool) {
    self.now = now
    self.isNoted = isNoted
  }

  mutating func add(_ effect: consuming Effect) {
    isIdle = false
    if effects.isEmpty { effects.reserveCapacity(4) }
    effects.append(effect)
  }

  mutating func prefetch(_ change: PrefetchRange.Change?) {
    if let change, !change.isEmpty { add(.prefetch(change)) }
  }

  mutating func note(_ note: @autoclosure () -> Note) {
    isIdle = false
    if isNoted { add(.note(note())) }
  }
}
