/// How fast a reader goes that says where it is and not how fast: each new speed counts for a fifth.
struct VelocityEstimate: Sendable {
  private var last: (position: Int, at: Instant)?
  /// Items per second; zero before the second position.
  private(set) var velocity = 0.0

  /// The reader is there now.
  mutating func move(to position: Int, at now: Instant) {
    if let last, position > last.position {
      let seconds = (now - last.at).inSeconds
      let current = seconds > 0 ? Double(position - last.position) / seconds : velocity
      velocity = velocity == 0 ? current : velocity * 0.8 + current * 0.2
    }
    if position != last?.position { last = (position, now) }
  }
}
