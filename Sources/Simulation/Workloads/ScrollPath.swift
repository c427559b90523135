/// Where a reader is at every nominal time of one session: a chain of segments, each with closed formulas.
///
/// Nominal time stops while the reader waits. A place is the first visible item as a real number. An item
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
}
