import Paging

/// The reader's position over nominal time in one session: a chain of segments with closed forms.
///
/// Nominal time stops while the reader waits. A position is the first visible item as a real number. An item is visible
/// if any part of it is.
public struct ScrollPath: Sendable, Hashable {
  /// Maximum segments of a path: the reader stops there.
  public static let mostSegments = 1_000_000

  /// Items in the source; nil for an endless one.
  public let items: Int?
  /// In time order, contiguous, never empty.
  public let segments: [ScrollSegment]

  /// A path of contiguous segments; at least one.
  init(items: Int?, segments: [ScrollSegment]) {
    precondition(!segments.isEmpty, "a path without segments")
    self.items = items
    self.segments = segments
  }

  /// The path from that time on, if the fling on its way stops: all later movements begin where it has come to. Nil if no
  /// fling is on its way.
  func stopped(at time: Instant) -> ScrollPath? {
    guard let index = segments.lastIndex(where: { Seconds.instant($0.start) <= time }),
      segments[index].isFling
    else {
      return nil
    }
    let fling = segments[index]
    let reached = fling.position(after: time.seconds - fling.start)
    var builder = PathBuilder(items: items, length: fling.length, time: time.seconds, position: reached)
    var end = fling.target
    for segment in segments[(index + 1)...] {
      // A drag of the scroll bar goes to its place from anywhere.
      if abs(segment.origin - end) > 1e-6 { builder.jump(to: segment.origin) }
      builder.follow(segment)
      end = segment.target
    }
    return builder.path()
  }
}
