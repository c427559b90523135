import Paging

/// Moments to come, earliest first; equal ones in the order in which they were added.
struct TimerQueue<Value> {
  private struct Timer {
    let time: Instant
    let order: Int
    let value: Value

    func isBefore(_ other: Timer) -> Bool { time == other.time ? order < other.order : time < other.time }
  }

  /// A binary heap: no timer is before its parent, which is at half its index.
  private var heap: [Timer] = []
  private var added = 0

  /// The earliest one.
  var next: (time: Instant, value: Value)? { heap.first.map { ($0.time, $0.value) } }

  var count: Int { heap.count }

  mutating func add(_ value: Value, at time: Instant) {
    insert(Timer(time: time, order: added, value: value))
    added += 1
  }

  /// Forgets those whose value fits.
  mutating func removeAll(where isUnwanted: (Value) -> Bool) {
    let kept = heap.filter { !isUnwanted($0.value) }
    heap = []
    for timer in kept { insert(timer) }
  }

  mutating func removeNext() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var index = 0
    while let child = earlierChild(of: index), heap[child].isBefore(heap[index]) {
      heap.swapAt(index, child)
      index = child
    }
  }

  private mutating func insert(_ timer: Timer) {
    heap.append(timer)
    var index = heap.count - 1
    while index > 0, heap[index].isBefore(heap[(index - 1) / 2]) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private func earlierChild(of index: Int) -> Int? {
    let left = 2 * index + 1
    guard left < heap.count else { return nil }
    return left + 1 < heap.count && heap[left + 1].isBefore(heap[left]) ? left + 1 : left
  }
}
