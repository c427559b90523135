import Paging

/// One turn of the program: its time, the work that is left to do in it, and the effects that it has.
///
/// Numbers of tasks, readers and host calls come from here too, so that no two of them have the same.
final class Turn {
  private(set) var now = Instant.zero
  private var effects: [ProgramEffect] = []
  private var work: [() -> Void] = []
  private var nextWork = 0
  private var lastNumber = 0

  /// Starts a turn at this time.
  func begin(at now: Instant) { self.now = now }

  /// Gives the effects of the turn, in order, and forgets them.
  func finish() -> [ProgramEffect] {
    defer { effects.removeAll(keepingCapacity: true) }
    return effects
  }

  /// A number that was not used before in this run.
  func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  func append(_ effect: ProgramEffect) { effects.append(effect) }

  /// Does the work later in this turn, behind what was enqueued before.
  func enqueue(_ work: @escaping () -> Void) { self.work.append(work) }

  /// Does all enqueued work, and what that enqueues.
  func drain() {
    while nextWork < work.count {
      let next = work[nextWork]
      nextWork += 1
      next()
      if nextWork == 1024 {
        work.removeFirst(nextWork)
        nextWork = 0
      }
    }
    work.removeAll(keepingCapacity: true)
    nextWork = 0
  }
}
