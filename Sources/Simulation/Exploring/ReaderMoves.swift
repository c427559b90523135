import Paging

/// How a reader moves through a list: where it is when.
///
/// The movement is looked at sixty times a second. What shows no other items than before is left out.
public struct ReaderMoves: Sendable, Equatable {
  /// A moment at which other items are seen, or the movement begins or ends.
  public struct Move: Sendable, Equatable {
    /// From the beginning of the movement.
    public let after: Duration
    /// The first visible place.
    public let place: Int
    /// Items per second, positive towards the end.
    public let velocity: Double

    public init(after: Duration, place: Int, velocity: Double) {
      self.after = after
      self.place = place
      self.velocity = velocity
    }
  }

  /// In order of time; the last one stands still.
  public private(set) var moves: [Move]

  /// Moves that were recorded, in order of time.
  public init(_ moves: [Move]) { self.moves = moves }

  /// From the first move to the last.
  public var span: Duration { moves.last?.after ?? .zero }
  /// Places between where it begins and where it ends, negative towards the start.
  public var distance: Int { (moves.last?.place ?? 0) - (moves.first?.place ?? 0) }

  private static let framesPerSecond = 60
  /// A list that was flung keeps 0.998 of its speed each millisecond (UIScrollView's normal deceleration rate): so much a frame.
  private static let keptPerFrame = 0.967_183
  /// Items per second below which a list that was flung stands still.
  private static let still = 0.25
  /// Nobody moves longer.
  private static let mostFrames = 3600 * framesPerSecond

  /// Nothing but the place where it begins.
  private init(from place: Int, velocity: Double) {
    moves = [Move(after: .zero, place: place, velocity: velocity)]
  }

  /// A list that was flung from a place, with that many items per second; it stops at the first or last place.
  public static func fling(from start: Int, velocity: Double, lastPlace: Int? = nil) -> ReaderMoves {
    var speed = velocity.isFinite ? min(max(velocity, -1e6), 1e6) : 0
    var result = ReaderMoves(from: start, velocity: speed)
    var place = Double(start)
    var frame = 0
    while abs(speed) >= still, frame < mostFrames {
      frame += 1
      place += speed / Double(framesPerSecond)
      speed *= keptPerFrame
      let isAtWall = place < 0 || lastPlace.map { place > Double($0) } ?? false
      if isAtWall { speed = 0 }
      place = max(0, lastPlace.map { min(place, Double($0)) } ?? place)
      result.add(Int(place), speed, frame)
    }
    result.finish(frame)
    return result
  }

  /// A list that is moved from one place to another in that time, always at the same speed.
  public static func glide(from start: Int, to end: Int, in duration: Duration) -> ReaderMoves {
    let seconds = min(max(duration.inSeconds, 0), 3600)
    let frames = max(1, Int((seconds * Double(framesPerSecond)).rounded(.up)))
    let velocity = seconds > 0 ? Double(end - start) / seconds : 0
    var result = ReaderMoves(from: start, velocity: velocity)
    for frame in 1...frames {
      let part = Double(frame) / Double(frames)
      result.add(start + Int((Double(end - start) * part).rounded(.towardZero)), velocity, frame)
    }
    result.finish(frames)
    return result
  }

  private mutating func add(_ place: Int, _ velocity: Double, _ frame: Int) {
    guard place != moves[moves.count - 1].place else { return }
    moves.append(Move(after: Self.time(of: frame), place: place, velocity: velocity))
  }

  /// Stands still where it is.
  private mutating func finish(_ frame: Int) {
    let last = moves[moves.count - 1]
    if last.velocity == 0, moves.count > 1 { return }
    let after = max(last.after, Self.time(of: frame))
    if last.after == after { moves.removeLast() }
    moves.append(Move(after: after, place: last.place, velocity: 0))
  }

  private static func time(of frame: Int) -> Duration {
    .nanoseconds(Int64(frame) * 1_000_000_000 / Int64(framesPerSecond))
  }
}
