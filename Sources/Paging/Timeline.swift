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
  /// A place in the order, of which copies cost nothing.
  @usableFromInline
  struct Entry: Comparable, Sendable {
    @usableFromInline let at: Instant
    @usableFromInline let order: Int
    /// Where the event is.
    @usableFromInline let slot: Int

    @inlinable
    init(at: Instant, order: Int, slot: Int) {
      self.at = at
      self.order = order
      self.slot = slot
    }

    @inlinable
    static func == (left: Entry, right: Entry) -> Bool { left.order == right.order }

    @inlinable
    static func < (left: Entry, right: Entry) -> Bool {
      left.at == right.at ? left.order < right.order : left.at < right.at
    }
  }

  @usableFromInline var heap = Heap<Entry>()
  /// The events; nil where none is.
  @usableFromInline var slots: [Happening?] = []
  @usableFromInline var freeSlots: [Int] = []
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
  public var next: (at: Instant, event: Happening)? {
    heap.min.flatMap { entry in slots[entry.slot].map { (entry.at, $0) } }
  }

  /// The time of the earliest event; nil if empty.
  @inlinable
  public var nextTime: Instant? { earliest }

  /// All future events, in order.
  @inlinable
  public var events: [(at: Instant, event: Happening)] {
    heap.unordered.sorted().compactMap { entry in slots[entry.slot].map { (at: entry.at, event: $0) } }
  }

  /// Adds an event, behind those of the same time.
  @inlinable
  public mutating func add(_ event: consuming Happening, at time: Instant) {
    let slot = freeSlots.popLast() ?? slots.count
    if slot < slots.count { slots[slot] = event } else { slots.append(event) }
    heap.insert(Entry(at: time, order: added, slot: slot))
    added += 1
    earliest = earliest.map { min($0, time) } ?? time
  }

  /// Removes the earliest event and returns it with its time; nil if empty.
  @inlinable
  @discardableResult
  public mutating func removeFirst() -> (at: Instant, event: Happening)? {
    guard let first = heap.popMin() else { return nil }
    earliest = heap.min?.at
    return take(first.slot).map { (first.at, $0) }
  }

  /// Removes all matching events; the others keep their order.
  @inlinable
  public mutating func removeAll(where isUnwanted: (Happening) -> Bool) {
    let unwanted = slots.indices.filter { slots[$0].map(isUnwanted) ?? false }
    guard !unwanted.isEmpty else { return }
    for slot in unwanted { _ = take(slot) }
    heap = Heap(heap.unordered.filter { slots[$0.slot] != nil })
    earliest = heap.min?.at
  }

  @inlinable
  mutating func take(_ slot: Int) -> Happening? {
    freeSlots.append(slot)
    return slots[slot].take()
  }
}

extension Timeline: Sendable where Happening: Sendable {}
