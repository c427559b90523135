/// Builds a path from a reader's actions: rest, fling, glide, jump. The reader never leaves the list.
struct PathBuilder {
  private let items: Int?
  private let length: Double
  private var segments: [ScrollSegment] = []
  private(set) var time = 0.0
  /// The first visible item as a real number.
  private(set) var position = 0.0

  /// In a list of `items`, nil for an endless one; `length` of them are visible.
  init(items: Int?, length: Double, time: Double = 0, position: Double = 0) {
    self.items = items
    self.length = length
    self.time = time
    self.position = position
  }

  /// The position from which the last item is fully visible.
  private var lastPosition: Double { items.map { max(0, Double($0) - length) } ?? 1e12 }

  var isAtEnd: Bool { position >= lastPosition }

  /// Whether the path has its maximum length.
  var isFull: Bool { segments.count >= ScrollPath.mostSegments }

  /// Stands still, for an hour at most.
  mutating func rest(for span: Double) {
    add(.rest(reported: 0), for: min(span, 3600))
  }

  /// Moves at constant speed, in items per second, over a signed distance in items.
  mutating func glide(by distance: Double, speed: Double) {
    guard distance != 0, speed > 0 else { return }
    add(.glide(velocity: distance < 0 ? -speed : speed), for: abs(distance) / speed)
  }

  /// Lets a fling run out.
  mutating func fling(_ fling: Fling, itemHeight: Double) {
    let (motion, span) = fling.inItems(of: itemHeight)
    add(motion, for: span)
  }

  /// Moves as in that segment, wherever it was.
  mutating func follow(_ segment: ScrollSegment) { add(segment.motion, for: segment.span) }

  /// Jumps to another position.
  mutating func jump(to place: Double) { position = max(0, min(place, lastPosition)) }

  /// The path so far.
  func path() -> ScrollPath {
    let last = ScrollSegment(
      start: time, span: 0, origin: position, length: length, motion: .rest(reported: 0))
    return ScrollPath(items: items, segments: segments + [last])
  }

  private mutating func add(_ motion: Motion, for span: Double) {
    guard span > 0, !isFull else { return }
    let target = position + motion.distance(at: span)
    let wall = max(0, min(target, lastPosition))
    let free = wall == target ? span : motion.time(toTravel: wall - position) ?? 0
    if free > 0 {
      segments.append(
        ScrollSegment(start: time, span: free, origin: position, length: length, motion: motion))
      time += free
      position = wall
    }
  }
}
