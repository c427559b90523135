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
  /// A new generation that was on its way has taken the place of the old one.
  var hasReplaced = false
  private(set) var effects: [Effect] = []

  init(_ now: Instant) { self.now = now }

  mutating func add(_ effect: Effect) { effects.append(effect) }

  mutating func note(_ note: Note) { effects.append(.note(note)) }
}
