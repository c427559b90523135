/// How fast a reader goes that says where it is and not how fast: each new speed counts for a fifth.
struct VelocityEstimate: Sendable {
  private var last: (position: Int, at: Instant)?
  /// Items per second; zero before the second position.
  private var velocity = 0.0

  /// What a reader sees who is there now, and needs so many items at once.
  mutating func viewport(at position: Int, length: Int, _ now: Instant) -> Viewport {
    move(to: position, at: now)
    return Viewport(
      firstVisible: position, lastVisible: position, length: Double(length), velocity: velocity)
  }

  private mutating func move(to position: Int, at now: Instant) {
    if let last, position > last.position {
      let seconds = (now - last.at).inSeconds
      let current = seconds > 0 ? Double(position - last.position) / seconds : velocity
      velocity = velocity == 0 ? current : velocity * 0.8 + current * 0.2
    }
    if position != last?.position { last = (position, now) }
  }
}
