public import Paging

/// A time at which the visible items or the motion change.
public struct ScrollStep: Sendable, Hashable {
  /// Nominal time.
  public let at: Instant
  /// What is visible from then on.
  public let viewport: Viewport

  /// The visible items; nil for none.
  public var visible: ClosedRange<Int>? {
    viewport.lastVisible < viewport.firstVisible ? nil : viewport.firstVisible...viewport.lastVisible
  }
}

/// The steps of a path, computed on demand.
///
/// The start of a segment is a step, and so is each item that enters or leaves; simultaneous changes are one step. An
/// item that only touches the edge is not visible.
public struct ScrollSteps: Sequence, IteratorProtocol, Sendable {
  private let path: ScrollPath
  private var index = -1
  /// The visible items as integers, so that rounding never hides a step.
  private var visible = 0..<0
  /// The position at the end of the current segment.
  private var target = 0.0

  init(_ path: ScrollPath) { self.path = path }

  public mutating func next() -> ScrollStep? {
    if index >= 0, let step = nextWithin(path.segments[index]) { return step }
    index += 1
    guard index < path.segments.count else {
      index -= 1
      return nil
    }
    let segment = path.segments[index]
    visible = segment.visibleItems(at: segment.origin)
    target = segment.target
    return step(segment, at: segment.start, place: segment.origin)
  }

  private mutating func nextWithin(_ segment: ScrollSegment) -> ScrollStep? {
    if target > segment.origin { return nextForward(segment) }
    return target < segment.origin ? nextBackward(segment) : nil
  }

  private mutating func nextForward(_ segment: ScrollSegment) -> ScrollStep? {
    let entering = Double(visible.upperBound) - segment.length
    let leaving = Double(visible.lowerBound + 1)
    let place = Swift.min(entering, leaving)
    guard place < target, let time = segment.time(whenAt: place) else { return nil }
    let first = visible.lowerBound + (leaving <= place ? 1 : 0)
    visible = first..<visible.upperBound + (entering <= place ? 1 : 0)
    return step(segment, at: time, place: place)
  }

  private mutating func nextBackward(_ segment: ScrollSegment) -> ScrollStep? {
    let entering = Double(visible.lowerBound)
    let leaving = Double(visible.upperBound - 1) - segment.length
    let place = Swift.max(entering, leaving)
    guard place > target, let time = segment.time(whenAt: place) else { return nil }
    let first = visible.lowerBound - (entering >= place ? 1 : 0)
    visible = first..<visible.upperBound - (leaving >= place ? 1 : 0)
    return step(segment, at: time, place: place)
  }

  private func step(_ segment: ScrollSegment, at time: Double, place: Double) -> ScrollStep {
    ScrollStep(
      at: Seconds.instant(time),
      viewport: Viewport(
        firstVisible: visible.lowerBound, lastVisible: visible.upperBound - 1, length: segment.length,
        velocity: segment.motion.velocity(after: place - segment.origin)))
  }
}

extension ScrollPath {
  /// All steps, in time order.
  public var steps: ScrollSteps { ScrollSteps(self) }
}
