public import Paging

/// Where a reader is at every nominal time of one session: a chain of segments, each with closed formulas.
///
/// Nominal time stands still while the reader waits. A place is the first visible item as a real number. An item
/// is visible when any part of it is.
public struct ScrollPath: Sendable, Hashable {
  /// Segments of a path at most: a reader who would go on for longer is left there.
  public static let mostSegments = 1_000_000

  /// Items that the source has; nil for an endless one.
  public let items: Int?
  /// In order of time, each beginning where the one before ends in time, never empty.
  public let segments: [ScrollSegment]

  /// A path of segments that follow each other in time; at least one.
  init(items: Int?, segments: [ScrollSegment]) {
    precondition(!segments.isEmpty, "a path without segments")
    self.items = items
    self.segments = segments
  }

  /// When the reader leaves, in nominal time.
  public var end: Instant { Seconds.instant(segments[segments.count - 1].end) }

  /// What the reader sees at a nominal time; after the end, what was seen last.
  public func viewport(at instant: Instant) -> Viewport {
    let time = instant.seconds
    let segment = segments[segmentIndex(at: time)]
    let visible = segment.visibleItems(at: segment.position(after: time - segment.start))
    return Viewport(
      firstVisible: visible.lowerBound, lastVisible: visible.upperBound - 1, length: segment.length,
      velocity: time < segment.end ? segment.motion.velocity(at: time - segment.start) : 0)
  }

  /// The first visible item as a real number.
  public func position(at instant: Instant) -> Double {
    let time = instant.seconds
    let segment = segments[segmentIndex(at: time)]
    return segment.position(after: time - segment.start)
  }

  /// Items per second, positive towards the end.
  public func velocity(at instant: Instant) -> Double { viewport(at: instant).velocity }

  /// The last segment that begins at or before a time.
  func segmentIndex(at time: Double) -> Int {
    var low = 0
    var high = segments.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if segments[middle].start <= time { low = middle } else { high = middle }
    }
    return low
  }
}
