import Paging
import Simulation

/// What a path shows: step by step, and by the formulas of its segments.
extension ScrollPath {
  /// When the reader leaves, in nominal time.
  var end: Instant { Instant(nanoseconds: Int64((segments[segments.count - 1].end * 1e9).rounded(.up))) }

  /// What the reader sees at a nominal time; after the end, what was seen last.
  func viewport(at instant: Instant) -> Viewport {
    let time = instant.seconds
    let segment = segments.last { $0.start <= time } ?? segments[0]
    let place = segment.position(after: time - segment.start)
    let first = Int(place.rounded(.down))
    return Viewport(
      firstVisible: first, lastVisible: max(first, Int((place + segment.length).rounded(.up))) - 1,
      length: segment.length,
      velocity: time < segment.end ? segment.motion.velocity(at: time - segment.start) : 0)
  }

  /// Items per second, positive towards the end.
  func velocity(at instant: Instant) -> Double { viewport(at: instant).velocity }

  /// When an item is visible for the first time; nil if never.
  func time(whenItemVisible item: Int) -> Instant? {
    steps.first { $0.visible?.contains(item) == true }?.at
  }

  /// How many different items are visible at some time.
  var itemsSeen: Int { seenRanges.reduce(0) { $0 + $1.count } }

  /// The items that are visible at some time, as ranges in rising order with gaps between them.
  var seenRanges: [Range<Int>] {
    steps.compactMap(\.visible).map(Range.init).sorted { $0.lowerBound < $1.lowerBound }
      .reduce(into: []) { ranges, range in
        if let last = ranges.last, range.lowerBound <= last.upperBound {
          ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
        } else {
          ranges.append(range)
        }
      }
  }
}
