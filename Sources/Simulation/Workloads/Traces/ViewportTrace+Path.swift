extension ViewportTrace {
  /// Steps further apart than this, in seconds, are no longer one movement.
  private static let pause = 0.5
  /// A tracker's memory in seconds.
  private static let window = 0.25
  /// A finger that rests this long in seconds has stopped, as Android's tracker has it.
  private static let stillness = 0.04

  /// The path that shows exactly the recorded items at the recorded times.
  ///
  /// Between two steps the reader stands still; the reported speed is that of the last 0.25 s of the movement,
  /// and it is over when twice the time of the step before has gone without another, 40 ms at least. What was
  /// there for no time at all was not seen, except at the end.
  public var path: ScrollPath {
    var segments: [ScrollSegment] = []
    for index in points.indices {
      let start = seconds(index)
      let isLast = index == points.count - 1
      let span = isLast ? 0 : seconds(index + 1) - start
      let velocity = isLast ? 0 : speed(at: index)
      let moving = velocity == 0 ? 0 : min(span, max(Self.stillness, 2 * (start - seconds(index - 1))))
      if moving > 0 { segments.append(segment(index, start, moving, velocity)) }
      if moving < span || isLast { segments.append(segment(index, start + moving, span - moving, 0)) }
    }
    return ScrollPath(items: items, segments: segments)
  }

  private func segment(
    _ index: Int, _ start: Double, _ span: Double, _ velocity: Double
  ) -> ScrollSegment {
    let point = points[index]
    return ScrollSegment(
      start: start, span: span, origin: Double(point.first), length: Double(point.last - point.first + 1),
      motion: .rest(reported: velocity))
  }

  private func seconds(_ index: Int) -> Double {
    (points[index].milliseconds - points[0].milliseconds) / 1000
  }

  /// Items per second of the movement that ends in a point; 0 after a pause.
  private func speed(at index: Int) -> Double {
    let now = seconds(index)
    var oldest = index
    while oldest > 0, seconds(oldest) - seconds(oldest - 1) <= Self.pause,
      oldest == index || now - seconds(oldest - 1) <= Self.window
    {
      oldest -= 1
    }
    let span = now - seconds(oldest)
    return span > 0 ? Double(points[index].first - points[oldest].first) / span : 0
  }
}
