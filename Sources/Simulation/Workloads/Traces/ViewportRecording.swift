public import Paging

/// Records what a reader sees, in the reader's own time: it stands still while visible rows are missing, so that one reader gives
/// the same trace over any network.
///
/// ```swift
/// var recording = ViewportRecording()
/// recording.see(0..<10, at: now)
/// recording.update(isMissing: true, at: now)
/// let trace = recording.trace(items: 200, source: "feed.lua", at: end)
/// ```
public struct ViewportRecording: Sendable {
  private var points: [ViewportTrace.Point] = []
  private var waited = Duration.zero
  private var waitsSince: Instant?
  /// How often the reader had to wait.
  public private(set) var waits = 0

  public init() {}

  /// These places are visible from now on, moving at that many items per second.
  public mutating func see(_ places: Range<Int>, velocity: Double = 0, at now: Instant) {
    let (first, last) = (places.lowerBound, places.upperBound - 1)
    // What only slows down is no point of its own until it stands still.
    if let before = points.last, before.first == first, before.last == last,
      velocity != 0 || before.velocity == 0
    {
      return
    }
    points.append(point(first, last, velocity, now))
  }

  /// Whether a visible row is missing, from now on.
  public mutating func update(isMissing: Bool, at now: Instant) {
    guard isMissing != (waitsSince != nil) else { return }
    if isMissing { waits += 1 }
    waited = waited(at: now)
    waitsSince = isMissing ? now : nil
  }

  /// All that was seen up to now; nil if that is nothing. `items` is the source's total, if known.
  public func trace(items: Int?, source: String, at now: Instant) -> ViewportTrace? {
    guard let last = points.last else { return nil }
    let most = points.map(\.last).max() ?? 0
    return try? ViewportTrace(
      points: points + [point(last.first, last.last, 0, now)], items: items.flatMap { $0 > most ? $0 : nil },
      source: source)
  }

  /// How long the reader has waited so far.
  public func waited(at now: Instant) -> Duration { waited + (waitsSince.map { now - $0 } ?? .zero) }

  private func point(_ first: Int, _ last: Int, _ velocity: Double, _ now: Instant) -> ViewportTrace.Point {
    let own = (now - .zero - waited(at: now)).inSeconds
    return ViewportTrace.Point(
      milliseconds: (own * 1000).rounded(), first: first, last: last, velocity: velocity)
  }
}
