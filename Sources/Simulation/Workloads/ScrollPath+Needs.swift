public import Paging

extension ScrollPath {
  /// When an item is visible for the first time; nil if never.
  public func time(whenItemVisible item: Int) -> Instant? {
    for segment in segments {
      if segment.visibleItems(at: segment.origin).contains(item) { return Seconds.instant(segment.start) }
      let isBehind = Double(item) < segment.origin
      let entry = isBehind ? Double(item + 1) : Double(item) - segment.length
      let passes = isBehind ? segment.target < entry : segment.target > entry
      if passes, let time = segment.time(whenAt: entry) { return Seconds.instant(time) }
    }
    return nil
  }

  /// The pages that are ever needed, and when; of a size from 1 on.
  public func needs(pageSize: Int) -> PageNeeds {
    var needs = PageNeeds(pageSize: pageSize)
    for step in steps {
      if let visible = step.visible { needs.see(Range(visible), at: step.at) }
    }
    return needs
  }

  /// How many different items are visible at some time.
  public var itemsSeen: Int { seenRanges.reduce(0) { $0 + $1.count } }

  /// The items that are visible at some time, as ranges in rising order with gaps between them.
  public var seenRanges: [Range<Int>] {
    let swept = segments.map { segment in
      let (from, to) = (segment.visibleItems(at: segment.origin), segment.visibleItems(at: segment.target))
      return min(from.lowerBound, to.lowerBound)..<max(from.upperBound, to.upperBound)
    }
    var ranges: [Range<Int>] = []
    for range in swept.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = ranges.last, range.lowerBound <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        ranges.append(range)
      }
    }
    return ranges
  }
}
