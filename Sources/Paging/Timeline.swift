public import HeapModule

/// Future events, earliest first; at equal times in the order of insertion.
///
/// Used by the live loop's timers, the virtual loop's replies, the lab's sessions and explorations. Adding and removing the
/// earliest are O(log n); everything else is O(n).
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
  @usableFromInline var earliest: Instant?

  /// An empty timeline.
  @inlinable
  public init() {}

  /// Number of future events.
  @inlinable
  public var count: Int { heap.count }

  /// The earliest event and its time; nil if empty.
  @inlinable
  public var next: (at: Instant, event: Happening)? { heap.min.map { ($0.at, $0.event) } }

  /// The time of the earliest event; nil if empty.
  @inlinable
  public var nextTime: Instant? { earliest }

  /// All future events, in order.
  @inlinable
  public var events: [(at: Instant, event: Happening)] {
    heap.unordered.sorted().map { (at: $0.at, event: $0.event) }
  }

  /// Adds an event, behind those of the same time.
  @inlinable
  public mutating func add(_ event: Happening, at time: Instant) {
    heap.insert(Entry(at: time, order: added, event: event))
    added += 1
    earliest = earliest.map { min($0, time) } ?? time
  }

  /// Removes the earliest event and returns it with its time; nil if empty.
  @inlinable
  @discardableResult
  public mutating func removeFirst() -> (at: Instant, event: Happening)? {
    let first = heap.popMin()
    earliest = heap.min?.at
    return first.map { ($0.at, $0.event) }
  }

  /// Removes all matching events; the others keep their order.
  @inlinable
  public mutating func removeAll(where isUnwanted: (Happening) -> Bool) {
    guard heap.unordered.contains(where: { isUnwanted($0.event) }) else { return }
    heap = Heap(heap.unordered.filter { !isUnwanted($0.event) })
    earliest = heap.min?.at
  }
}

extension Timeline.Entry: Sendable where Happening: Sendable {}
extension Timeline: Sendable where Happening: Sendable {}
