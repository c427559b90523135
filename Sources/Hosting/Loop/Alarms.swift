import Paging

/// The timers of a loop: answer a `.sleep`, or wake the program, for which only the latest request counts.
struct Alarms {
  /// What is due.
  enum Alarm {
    case reply(HostCallID)
    case wake(number: Int)
  }

  private var queue = Timeline<Alarm>()
  private var sleeping: Set<HostCallID> = []
  private var wake: (number: Int, time: Instant)?
  private var wakesAsked = 0

  /// The earliest due time.
  var nextTime: Instant? { queue.nextTime }

  /// Answers the call at that time.
  mutating func addReply(_ id: HostCallID, at time: Instant) {
    sleeping.insert(id)
    queue.add(.reply(id), at: time)
  }

  /// Wakes the program at that time, replacing the earlier request.
  mutating func setWake(at time: Instant) {
    if wake?.time == time { return }
    wakesAsked += 1
    wake = (wakesAsked, time)
    queue.add(.wake(number: wakesAsked), at: time)
    dropForgotten()
  }

  /// Removes the call; false if it does not sleep.
  mutating func cancelReply(_ id: HostCallID) -> Bool {
    guard sleeping.remove(id) != nil else { return false }
    dropForgotten()
    return true
  }

  /// Removes and returns what is due, in order. Each alarm has to be claimed before it is handled, as one may cancel
  /// another.
  mutating func dequeueDue(at now: Instant) -> [Alarm] {
    var due: [Alarm] = []
    while let next = queue.next, next.at <= now {
      queue.removeFirst()
      due.append(next.event)
    }
    return due
  }

  /// Whether the alarm is still valid; consumes it.
  mutating func claim(_ alarm: Alarm) -> Bool {
    guard isWanted(alarm) else { return false }
    switch alarm {
    case .reply(let id): sleeping.remove(id)
    case .wake: wake = nil
    }
    return true
  }

  private func isWanted(_ alarm: Alarm) -> Bool {
    switch alarm {
    case .reply(let id): sleeping.contains(id)
    case .wake(let number): wake?.number == number
    }
  }

  /// Keeps cancelled entries from filling the queue and waking the loop.
  private mutating func dropForgotten() {
    while let next = queue.next, !isWanted(next.event) { queue.removeFirst() }
    if queue.count > 64 && queue.count > 2 * (sleeping.count + 1) {
      let book = self
      queue.removeAll { !book.isWanted($0) }
    }
  }
}
