import Glibc
public import Paging

/// Runs a program in real time on the calling thread: one wait for answers, timers, other threads and signals.
///
/// A loop and all it calls belong to that thread; only its mailbox is for others.
public final class LiveLoop {
  /// Called before each wait, when there is nothing else to do: the place for drawing and cleaning up.
  public var onTurn: ((Instant) -> Void)?
  /// Where other threads reach the loop.
  public let mailbox = Mailbox()

  let world: World
  var alarms = Alarms()
  /// Calls that the program still wants answered.
  var wanted: Set<HostCallID> = []
  /// Answers that were known at once.
  var ready: [(HostCallID, HostReply)] = []
  var isFinished = false
  /// When the program was last told something; never the same time twice, so that a recording keeps the order.
  var told = Instant.zero
  /// Counts the programs that ran.
  var run = 0
  /// Whether a signal has asked for the end, and not only to stop what runs.
  public private(set) var isAskedToEnd = false
  /// Called in the signal handler itself when a signal is caught: the way to a program that keeps the loop busy.
  public var onSignal: SignalAction?
  /// A descriptor that the program reads itself: it is told `.woke` whenever there is something to read, until it has
  /// read all of it. Nil is none.
  public var input: Int32?
  private let catching: SignalCatching
  private var start: Instant?
  private var nextWatch = Instant.zero

  /// A loop whose host calls the world carries out. With `catchesSignals`, SIGINT, SIGTERM and SIGHUP become `.interrupted`
  /// while it runs, and the second one ends the process; only one loop of a process may have them.
  public convenience init(world: World, catchesSignals: Bool = false) {
    self.init(world: world, catching: catchesSignals ? .toEnd : .none)
  }

  /// A loop whose host calls the world carries out. Signals that it catches become `.interrupted` while it runs; only one
  /// loop of a process may have them.
  public init(world: World, catching: SignalCatching) {
    self.world = world
    self.catching = catching
  }

  /// Since the first run began.
  public var now: Instant {
    guard let start else { return .zero }
    return .zero + (Instant.ofThisMachine - start)
  }

  /// Runs the program until it is finished; calls still under way are given up. Afterwards another program may run.
  public func run(_ program: any Program) {
    signal(SIGPIPE, SIG_IGN)
    start = start ?? Instant.ofThisMachine
    let signals =
      catching == .none ? nil : InterruptSignals(catching, waking: mailbox.waker, calling: onSignal)
    isFinished = false
    run += 1
    send(.started, to: program)
    while !isFinished {
      var isIdle = true
      if let signals, signals.take() {
        isAskedToEnd = signals.asksForEnd
        isIdle = !send(.interrupted, to: program)
      }
      if turn(program) { isIdle = false }
      if isIdle && !isFinished { rest() }
    }
    abandonCalls()
  }

  /// Runs the block on the loop's thread, soon.
  public func post(_ block: @escaping @Sendable () -> Void) { mailbox.post(block) }

  /// Does everything that is to be done now; false when that was nothing.
  private func turn(_ program: any Program) -> Bool {
    let answersAtOnce = deliverReady(to: program)
    let letters = readMailbox(to: program)
    let exchanges = deliverExchanges(to: program)
    let alarms = fireAlarms(for: program)
    let input = readInput(to: program)
    return answersAtOnce || letters || exchanges || alarms || input
  }

  private func rest() {
    onTurn?(now)
    guard mailbox.beginWait() else { return }
    let duration = [alarms.nextTime.map { $0 - now }, world.watchInterval].compactMap { $0 }.min()
    let waker = mailbox.waker
    if world.http.isActive {
      world.http.wait(
        descriptor: waker.reading, other: input ?? -1, milliseconds: LiveLoop.milliseconds(duration))
    } else {
      waker.wait(or: input ?? -1, duration)
    }
    mailbox.endWait()
    watch()
  }

  /// Looks after the world's calls, at intervals.
  private func watch() {
    guard now >= nextWatch else { return }
    nextWatch = now + .milliseconds(200)
    world.watch()
  }

  /// Rounded up, so that a timer is never early; nil waits long.
  private static func milliseconds(_ duration: Duration?) -> Int32 {
    guard let duration else { return 60_000 }
    return Int32(clamping: (min(max(duration.nanoseconds, 0), .max / 2) + 999_999) / 1_000_000)
  }
}

extension Instant {
  /// The monotonic clock, which began at some time in the past.
  static var ofThisMachine: Instant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
