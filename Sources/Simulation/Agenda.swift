import Paging

/// What is going to happen, in order of time; at equal times in order of entry.
struct Agenda {
  enum Happening {
    case reply(HostCallID, HostReply)
    case wake(Int)
  }

  struct Entry {
    let at: Instant
    let happening: Happening
    let order: Int
  }

  /// A binary heap, the earliest entry first.
  private var heap: [Entry] = []
  private var entered = 0

  mutating func add(_ happening: Happening, at: Instant) {
    heap.append(Entry(at: at, happening: happening, order: entered))
    entered += 1
    var child = heap.count - 1
    while child > 0, isBefore(child, (child - 1) / 2) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func removeFirst() -> Entry? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      sink()
    }
    return first
  }

  private mutating func sink() {
    var parent = 0
    while true {
      let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < heap.count }
      guard let least = children.min(by: { isBefore($0, $1) }), isBefore(least, parent) else { return }
      heap.swapAt(least, parent)
      parent = least
    }
  }

  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    (heap[left].at, heap[left].order) < (heap[right].at, heap[right].order)
  }
}
