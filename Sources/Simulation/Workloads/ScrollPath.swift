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
}
