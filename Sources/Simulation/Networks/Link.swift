/// A link that carries one answer at a time, in the order of the requests.
///
/// What an earlier request will need is taken; a later one gets the time between, so that an answer that is
/// slow to begin blocks nobody, and no arrival that was announced ever changes.
struct Link {
  private let capacity: any Capacity
  /// Taken times in rising order, with gaps between.
  private var taken: [Range<Double>] = []

  init(_ capacity: any Capacity) { self.capacity = capacity }

  /// When that many bytes are through that can begin at a time. Nothing is asked about times before `now` again.
  mutating func carry(_ bytes: Double, from time: Double, now: Double) -> Double {
    guard bytes > 0 else { return time }
    taken.removeAll { $0.upperBound <= now }
    var left = bytes
    var start = time
    var used: [Range<Double>] = []
    for busy in taken where busy.upperBound > start {
      if busy.lowerBound > start {
        let end = end(of: left, from: start)
        if end <= busy.lowerBound { return take(used + [start..<end]) }
        used.append(start..<busy.lowerBound)
        left -= capacity.bytes(until: busy.lowerBound) - capacity.bytes(until: start)
      }
      start = busy.upperBound
    }
    return take(used + [start..<end(of: left, from: start)])
  }

  private func end(of bytes: Double, from time: Double) -> Double {
    max(time, capacity.time(carrying: capacity.bytes(until: time) + max(0, bytes)))
  }

  private mutating func take(_ used: [Range<Double>]) -> Double {
    var merged: [Range<Double>] = []
    for range in (taken + used).sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    taken = merged
    return used[used.count - 1].upperBound
  }
}
