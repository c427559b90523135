/// One event being handled: when, and what is to be done about it.
struct Turn {
  let now: Instant
  private(set) var effects: [Effect] = []

  init(_ now: Instant) { self.now = now }

  mutating func add(_ effect: Effect) { effects.append(effect) }

  mutating func note(_ note: Note) { effects.append(.note(note)) }
}
