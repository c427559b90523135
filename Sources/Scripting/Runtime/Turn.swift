import Paging

/// One turn of the program: its time, its remaining work, and its effects.
///
/// Also issues the numbers of tasks, readers and host calls, so that no two are the same.
final class Turn {
  private(set) var now = Instant.zero
  private var effects: [ProgramEffect] = []
  private var work: [() -> Void] = []
  private var nextWork = 0
  private var lastNumber = 0

  /// Starts a turn at this time.
  func begin(at now: Instant) { self.now = now }

  /// Returns the effects of the turn, in order, and clears them.
  func finish() -> [ProgramEffect] {
    // A list of its own each time: room that is kept is allocated anew for every list that is handed out.
    defer { effects = [] }
    return effects
  }

  /// A number not used before in this run.
  func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// Numbers from here on: those of programs of one run are apart.
  func beginNumbers(at number: Int) { lastNumber = number }

  /// The last number given.
  var number: Int { lastNumber }

  func append(_ effect: ProgramEffect) { effects.append(effect) }

  /// Does the work later in this turn, after what was enqueued before.
  func enqueue(_ work: @escaping () -> Void) { self.work.append(work) }

  /// Does all enqueued work, including what it enqueues.
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
