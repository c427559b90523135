/// When a feed wants to be woken, as it has last announced.
struct Alarm: Sendable {
  private var time: Instant?

  /// Whether that moment has come.
  func isDue(at now: Instant) -> Bool { time.map { $0 <= now } ?? false }

  /// Sets it to the next moment at which something is due; returns that moment if it has to be announced.
  mutating func set(to next: Instant?) -> Instant? {
    guard let next, next != time else { return nil }
    time = next
    return next
  }

  /// The feed has been woken.
  mutating func clear() { time = nil }
}
