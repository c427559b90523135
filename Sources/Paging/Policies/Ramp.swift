/// Linux readahead in pages: the window grows while the reader moves sequentially, and collapses on a jump.
///
/// The next window is requested as soon as the reader touches the last one.
public struct Ramp: FetchPolicy, Sendable {
  /// The largest window, in pages.
  public let maxPages: Int
  private var sides = PerSide(Side())

  private struct Side: Sendable {
    /// In pages.
    var window = 0
    /// Pages of the window that could not be started yet.
    var owed = 0
    var lastPosition = 0
  }

  public init(maxPages: Int = 8) { self.maxPages = max(1, maxPages) }

  public mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    var side = sides[view.direction]
    defer { sides[view.direction] = side }
    if hasJumped(view, &side) {
      side.window = 0
      side.owed = 0
    }
    if side.owed == 0, view.isUnfilled || hasTouchedLastWindow(view, side) {
      side.window = nextWindow(after: side.window)
      side.owed = side.window
    }
    guard !view.isFull else { return Verdict(false, reason: "a fetch is in flight") }
    guard side.owed > 0 else { return Verdict(false, reason: "the last window is untouched") }
    let pages = min(side.owed, view.freeSlots)
    side.owed -= pages
    return Verdict(fetch: pages, reason: "reading in order: a window of pages")
  }

  private func hasJumped(_ view: PolicyView, _ side: inout Side) -> Bool {
    let moved = abs(view.firstVisible - side.lastPosition)
    side.lastPosition = view.firstVisible
    return Double(moved) > max(2 * view.viewportLength, Double(view.pageSize))
  }

  private func hasTouchedLastWindow(_ view: PolicyView, _ side: Side) -> Bool {
    side.window > 0 && view.expectedItems == 0 && view.remainingItems < side.window * view.pageSize
  }

  private func nextWindow(after window: Int) -> Int {
    if window == 0 { return 1 }
    if window < maxPages / 16 { return window * 4 }
    return window <= maxPages / 2 ? window * 2 : maxPages
  }
}
