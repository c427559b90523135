/// When each of many is to be woken: to know the earliest time, and to take those that are due, costs the same however many
/// wait.
///
///     var wakes = Wakes<String>()
///     wakes.set("a", to: Instant(seconds: 2))
///     wakes.set("a", to: Instant(seconds: 3))  // instead
///     wakes.takeDue(at: Instant(seconds: 3))  // ["a"]
public struct Wakes<Sleeper: Hashable & Comparable & Sendable>: Sendable {
  struct Entry: Sendable {
    let sleeper: Sleeper
    let number: Int
  }

  private var timeline = Timeline<Entry>()
  /// Of each that is to be woken, when, and which entry says so.
  private var wanted: [Sleeper: (at: Instant, number: Int)] = [:]
  private var added = 0

  public init() {}

  /// The earliest time; nil if nobody is to be woken.
  public var next: Instant? { timeline.nextTime }

  /// Has one woken at that time instead of another; nil: not at all.
  public mutating func set(_ sleeper: Sleeper, to time: Instant?) {
    guard wanted[sleeper]?.at != time else { return }
    wanted[sleeper] = time.map { ($0, added) }
    if let time {
      timeline.add(Entry(sleeper: sleeper, number: added), at: time)
      added += 1
    }
    dropForgotten()
  }

  /// Removes and returns those that are due, in their own order.
  public mutating func takeDue(at now: Instant) -> [Sleeper] {
    var due: [Sleeper] = []
    while let next = timeline.next, next.at <= now {
      timeline.removeFirst()
      guard isWanted(next.event) else { continue }
      wanted[next.event.sleeper] = nil
      due.append(next.event.sleeper)
    }
    dropForgotten()
    return due.sorted()
  }

  private func isWanted(_ entry: Entry) -> Bool { wanted[entry.sleeper]?.number == entry.number }

  /// The earliest entry is wanted, and most of the others are.
  private mutating func dropForgotten() {
    while let next = timeline.next, !isWanted(next.event) { timeline.removeFirst() }
    if timeline.count > 64 && timeline.count > 2 * wanted.count {
      let wanted = wanted
      timeline.removeAll { wanted[$0.sleeper]?.number != $0.number }
    }
  }
}
