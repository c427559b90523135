/// A link that carries one response at a time, in request order.
///
/// The time of an earlier request is reserved; a later one gets the gaps, so that a slow response blocks no other, and
/// announced arrivals never change.
struct Link {
  private let capacity: any Capacity
  /// Reserved intervals, ascending, with gaps.
  private var reserved: [Range<Double>] = []

  init(_ capacity: any Capacity) { self.capacity = capacity }

  /// When `bytes` available at `time` have been transferred. Times before `now` are never needed again.
  mutating func carry(_ bytes: Double, from time: Double, now: Double) -> Double {
    guard bytes > 0 else { return time }
    reserved.removeAll { $0.upperBound <= now }
    var left = bytes
    var start = time
    var used: [Range<Double>] = []
    for busy in reserved where busy.upperBound > start {
      if busy.lowerBound > start {
        let end = end(of: left, from: start)
        if end <= busy.lowerBound { return reserve(used + [start..<end]) }
        used.append(start..<busy.lowerBound)
        left -= capacity.bytes(until: busy.lowerBound) - capacity.bytes(until: start)
      }
      start = busy.upperBound
    }
    return reserve(used + [start..<end(of: left, from: start)])
  }

  private func end(of bytes: Double, from time: Double) -> Double {
    max(time, capacity.time(carrying: capacity.bytes(until: time) + max(0, bytes)))
  }

  private mutating func reserve(_ used: [Range<Double>]) -> Double {
    var merged: [Range<Double>] = []
    for range in (reserved + used).sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    reserved = merged
    return used[used.count - 1].upperBound
  }
}
