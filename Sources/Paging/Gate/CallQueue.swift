import HeapModule

/// The calls that wait to be sent to one host, in lines: one for each rate limit and width, and one for those without.
///
/// Only the heads of the lines are ever looked at, and the calls whose delay has passed: what a send costs does not depend on
/// how many wait.
struct CallQueue: Sendable {
  /// What the calls of a line wait for.
  struct Line: Hashable, Sendable {
    /// The rate limit's window; nil is none.
    let window: String?
    /// Whether their number in flight is found out.
    let isAutomatic: Bool
  }

  private struct Place: Comparable, Sendable {
    let order: Int
    let id: HostCallID

    static func == (left: Place, right: Place) -> Bool { left.order == right.order }
    static func < (left: Place, right: Place) -> Bool { left.order < right.order }
  }

  private struct Ticket: Sendable {
    let order: Int
    let line: Line
  }

  /// Of each waiting call, its place.
  private var tickets: [HostCallID: Ticket] = [:]
  private var lines: [Line: Heap<Place>] = [:]
  /// Calls that may not be sent before a time.
  private var delayed = Timeline<Place>()
  private var first = 0
  private var last = 0

  var isEmpty: Bool { tickets.isEmpty }
  var count: Int { tickets.count }

  func contains(_ id: HostCallID) -> Bool { tickets[id] != nil }

  /// The waiting calls, in the order in which they may be sent.
  var ids: [HostCallID] { tickets.sorted { $0.value.order < $1.value.order }.map(\.key) }

  /// The first call of each line.
  var heads: [(id: HostCallID, line: Line)] {
    if lines.isEmpty { return [] }
    return lines.compactMap { line, places in places.min.map { ($0, line) } }
      .sorted { $0.0 < $1.0 }
      .map { ($0.0.id, $0.1) }
  }

  /// When the first delay has passed.
  var nextRelease: Instant? { delayed.nextTime }

  /// Adds a call behind the others.
  mutating func append(_ id: HostCallID, in line: Line) {
    last += 1
    stand(in: line, Place(order: last, id: id))
  }

  /// Adds a call before the others, to be sent at that time at the earliest.
  mutating func prepend(_ id: HostCallID, in line: Line, notBefore time: Instant) {
    first -= 1
    tickets[id] = Ticket(order: first, line: line)
    delayed.add(Place(order: first, id: id), at: time)
  }

  /// Removes a call, if it waits.
  mutating func remove(_ id: HostCallID) {
    guard let ticket = tickets.removeValue(forKey: id) else { return }
    while let head = lines[ticket.line]?.min, !isWaiting(head) { lines[ticket.line]?.removeMin() }
    if lines[ticket.line]?.isEmpty == true { lines[ticket.line] = nil }
    dropGone()
  }

  /// Lets the calls whose delay has passed join their lines.
  mutating func release(at now: Instant) {
    while let next = delayed.next, next.at <= now {
      delayed.removeFirst()
      if let ticket = tickets[next.event.id], isWaiting(next.event) { stand(in: ticket.line, next.event) }
    }
    dropGone()
  }

  private mutating func stand(in line: Line, _ place: Place) {
    tickets[place.id] = Ticket(order: place.order, line: line)
    lines[line, default: []].insert(place)
  }

  private func isWaiting(_ place: Place) -> Bool { tickets[place.id]?.order == place.order }

  private mutating func dropGone() {
    while let next = delayed.next, !isWaiting(next.event) { delayed.removeFirst() }
  }
}
