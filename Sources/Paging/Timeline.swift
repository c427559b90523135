public import HeapModule

/// What is going to happen, the earliest first; at equal times in the order in which it was added.
///
/// The one queue of times: the live loop's timers, the virtual loop's replies, the lab's sessions and explorations all run
/// on it. Adding and removing the earliest take logarithmic time; everything else is linear in what it holds.
///
///     var timeline = Timeline<String>()
///     timeline.add("late", at: Instant(seconds: 2))
///     timeline.add("early", at: Instant(seconds: 1))
///     timeline.removeFirst()?.event  // "early"
public struct Timeline<Happening> {
  @usableFromInline
  struct Entry: Comparable {
    @usableFromInline let at: Instant
    @usableFromInline let order: Int
    @usableFromInline let event: Happening

    @inlinable
    init(at: Instant, order: Int, event: Happening) {
      self.at = at
      self.order = order
      self.event = event
    }

    @inlinable
    static func == (left: Entry, right: Entry) -> Bool { left.order == right.order }

    @inlinable
    static func < (left: Entry, right: Entry) -> Bool {
      left.at == right.at ? left.order < right.order : left.at < right.at
    }
  }

  @usableFromInline var heap = Heap<Entry>()
  @usableFromInline var added = 0

  /// Nothing is going to happen.
  @inlinable
  public init() {}

  /// Events to come.
  @inlinable
  public var count: Int { heap.count }

  /// The earliest event and its time; nil when nothing is to come.
  @inlinable
  public var next: (at: Instant, event: Happening)? { heap.min.map { ($0.at, $0.event) } }

  /// All that is to come, in order.
  @inlinable
  public var events: [(at: Instant, event: Happening)] {
    heap.unordered.sorted().map { (at: $0.at, event: $0.event) }
  }

  /// Adds an event; it comes behind those of the same time that were added before.
  @inlinable
  public mutating func add(_ event: Happening, at time: Instant) {
    heap.insert(Entry(at: time, order: added, event: event))
    added += 1
  }

  /// Removes the earliest event and returns it with its time; nil when nothing is to come.
  @inlinable
  @discardableResult
  public mutating func removeFirst() -> (at: Instant, event: Happening)? {
    heap.popMin().map { ($0.at, $0.event) }
  }

  /// Removes all events that fit; the order of the others stays.
  @inlinable
  public mutating func removeAll(where isUnwanted: (Happening) -> Bool) {
    guard heap.unordered.contains(where: { isUnwanted($0.event) }) else { return }
    heap = Heap(heap.unordered.filter { !isUnwanted($0.event) })
  }
}

extension Timeline.Entry: Sendable where Happening: Sendable {}
extension Timeline: Sendable where Happening: Sendable {}
