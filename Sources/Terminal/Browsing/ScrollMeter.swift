public import Paging

/// Measures the scroll speed over the last quarter of a second; zero if nothing moved in that time.
public struct ScrollMeter: Sendable, Hashable {
  /// Its memory.
  public static let window = Duration.milliseconds(250)
  private var moves: [Move] = []

  private struct Move: Hashable {
    let place: Int
    let at: Instant
  }

  public init() {}

  /// The reader is at that place now.
  public mutating func note(_ place: Int, at now: Instant) {
    if let last = moves.last, last.place == place { return }
    // The place before a movement counts as of now, since the reader had been there for long.
    if let last = moves.last, now - last.at > Self.window {
      moves = [Move(place: last.place, at: now + .milliseconds(-50))]
    }
    moves.append(Move(place: place, at: now))
    moves.removeFirst(moves.dropLast().prefix { now - $0.at > Self.window }.count)
  }

  /// Clears the movement so far: the next one is a jump.
  public mutating func reset(_ place: Int, at now: Instant) { moves = [Move(place: place, at: now)] }

  /// Items per second, positive towards the end.
  public func velocity(at now: Instant) -> Double {
    guard let first = moves.first, let last = moves.last, last.at > first.at, now - last.at < Self.window
    else { return 0 }
    return Double(last.place - first.place)
      / max(0.001, (max(last.at, now + .milliseconds(-100)) - first.at).inSeconds)
  }

  /// When the measured speed expires; nil if the reader stands still.
  public func endsAt(_ now: Instant) -> Instant? {
    velocity(at: now) == 0 ? nil : moves.last.map { $0.at + Self.window }
  }
}
