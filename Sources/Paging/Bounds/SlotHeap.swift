/// When each slot is free again, the earliest first: a binary heap of fixed size.
struct SlotHeap {
  private var times: [Int64]

  /// All slots are free from the start.
  init(slots: Int) { times = Array(repeating: 0, count: slots) }

  /// When the first slot is free.
  var earliest: Int64 { times[0] }

  /// Gives the slot that is free first to a fetch that ends at that time.
  mutating func replaceEarliest(with end: Int64) {
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < times.count else { break }
      if child + 1 < times.count, times[child + 1] < times[child] { child += 1 }
      if times[child] >= end { break }
      times[parent] = times[child]
      parent = child
    }
    times[parent] = end
  }
}
