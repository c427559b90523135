import Glibc
public import Paging

/// Runs a program in real time on the calling thread: one wait for answers, timers, other threads and signals.
///
/// A loop and everything it calls belong to that thread; only its mailbox is for others.
///
/// ```swift
/// let loop = LiveLoop(world: world, catchesSignals: true)
/// loop.run(program)
/// ```
public final class LiveLoop {
  /// Called before each wait, when there is nothing else to do: for drawing and cleanup.
  public var onTurn: ((Instant) -> Void)?
  /// The longest time between two of those calls while nothing happens; nil is any.
  public var longestRest: Duration?
  /// How other threads reach the loop.
  public let mailbox = Mailbox()

  /// Read partitions in the program's place; nil for none.
  public var copies: ProgramCopies?

  private let world: World
  private var alarms = Alarms()
  /// Calls whose answers are still wanted.
  private var wanted: Set<HostCallID> = []
  /// Answers available immediately.
  private var ready: [(HostCallID, HostReply)] = []
  private var isFinished = false
  /// Time of the last event; strictly increasing, so that a recording keeps the order.
  private var told = Instant.zero
  /// Counts the programs run.
  private var run = 0
  /// Whether a signal asked to end, not only to stop what is running.
  public private(set) var isAskedToEnd = false
  /// Called in the signal handler when a signal is caught: reaches a program that keeps the loop busy.
  public var onSignal: SignalAction?
  /// A descriptor that the program reads itself: it gets `.woke` whenever there is input, until it has read everything.
  /// Nil is none.
  public var input: Int32?
  private let catching: SignalCatching
  private var start: Instant?
  private var hasCopies = false
  private var nextWatch = Instant.zero

  /// A loop whose host calls are performed by the world. With `catchesSignals`, SIGINT, SIGTERM and SIGHUP become
  /// `.interrupted` while it runs, and the second one ends the process; only one loop per process may catch them.
  public convenience init(world: World, catchesSignals: Bool = false) {
    self.init(world: world, catching: catchesSignals ? .toEnd : .none)
  }

  /// A loop whose host calls are performed by the world. Caught signals become `.interrupted` while it runs; only one
  /// loop per process may catch them.
  public init(world: World, catching: SignalCatching) {
    self.world = world
    self.catching = catching
    world.wake = { [mailbox] in mailbox.post {} }
  }

  /// Time since the start of the first run.
  public var now: Instant {
    guard let start else { return .zero }
    return .zero + (Instant.ofThisMachine - start)
  }

  /// Runs the program until it is finished; pending calls are abandoned. Afterwards another program may run.
  public func run(_ program: any Program) {
    signal(SIGPIPE, SIG_IGN)
    start = start ?? Instant.ofThisMachine
    let signals =
      catching == .none ? nil : InterruptSignals(catching, waking: mailbox.waker, calling: onSignal)
    isFinished = false
    run += 1
    send(.started, to: program)
    while !isFinished || copies?.areThere ?? false {
      var isIdle = true
      if let signals, signals.consume() {
        isAskedToEnd = signals.asksForEnd
        isIdle = !send(.interrupted, to: program)
      }
      if turn(program) { isIdle = false }
      if isIdle && (!isFinished || copies?.areThere ?? false) { rest() }
    }
    abandonCalls()
  }

  /// Runs the block on the loop's thread, soon.
  public func post(_ block: @escaping @Sendable () -> Void) { mailbox.post(block) }

  /// Does everything that is due; false if there was nothing.
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
    let duration = [alarms.nextTime.map { $0 - now }, world.watchInterval, longestRest].compactMap { $0 }
      .min()
    let waker = mailbox.waker
    if world.http.isActive {
      world.http.wait(
        descriptor: waker.reading, other: input ?? -1, milliseconds: LiveLoop.milliseconds(duration))
    } else {
      waker.wait(or: input ?? -1, duration)
    }
    mailbox.finishWait()
    watch()
  }

  /// Checks on the world's calls, at intervals.
  private func watch() {
    guard now >= nextWatch else { return }
    nextWatch = now + .milliseconds(200)
    world.watch()
  }

  /// Rounded up, so that a timer is never early; nil means a long wait.
  private static func milliseconds(_ duration: Duration?) -> Int32 {
    guard let duration else { return 60_000 }
    return Int32(clamping: (min(max(duration.nanoseconds, 0), .max / 2) + 999_999) / 1_000_000)
  }
}

extension Instant {
  /// The monotonic clock, with an arbitrary start.
  static var ofThisMachine: Instant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}

extension LiveLoop {
  /// Sends an event and carries out the effects; false if the program is already finished.
  @discardableResult
  private func send(_ event: ProgramEvent, to program: any Program) -> Bool {
    guard !isFinished else { return false }
    told = max(now, told + .nanoseconds(1))
    for effect in program.handle(event, at: told) {
      switch effect {
      case .call(let id, let call): begin(id, call)
      case .cancel(let id): abandon(id)
      case .wake(let time): alarms.setWake(at: time)
      case .answer(let id, let reply): _ = copies?.pass(reply, to: id)
      case .finished:
        isFinished = true
        copies?.dismiss()
        return true
      }
    }
    world.endMoment()
    world.http.sendUnsent()
    return true
  }

  /// Delivers the available answers; those that result from them wait for the next turn.
  private func deliverReady(to program: any Program) -> Bool {
    let replies = ready
    ready = []
    return deliver(replies, to: program)
  }

  private func deliverExchanges(to program: any Program) -> Bool {
    deliver(world.advance(), to: program)
  }

  private func readMailbox(to program: any Program) -> Bool {
    let letters = mailbox.drain()
    for letter in letters {
      switch letter {
      case .reply(let run, let id, let reply):
        if run == self.run { deliver(reply, of: id, to: program) }
      case .block(let block): block()
      case .interrupt: send(.interrupted, to: program)
      case .event(let event): send(event, to: program)
      case .effects(let effects, let number): carryOut(effects, ofCopy: number, for: program)
      }
    }
    return !letters.isEmpty
  }

  private func fireAlarms(for program: any Program) -> Bool {
    let due = alarms.dequeueDue(at: now)
    for alarm in due where alarms.claim(alarm) {
      switch alarm {
      case .reply(let id): deliver(.done, of: id, to: program)
      case .wake: send(.woke, to: program)
      }
    }
    return !due.isEmpty
  }

  /// Lets the program read available input.
  private func readInput(to program: any Program) -> Bool {
    guard let input, Waker.isReadable(input) else { return false }
    return send(.woke, to: program)
  }

  /// Abandons all pending calls and clears all alarms.
  private func abandonCalls() {
    for id in wanted { _ = world.cancel(id) }
    wanted = []
    ready = []
    alarms = Alarms()
  }

  private func begin(_ id: HostCallID, _ call: HostCall) {
    wanted.insert(id)
    if case .read(let partition) = call { return read(partition, answering: id) }
    let start = world.start(id, call) { [mailbox, run] reply in
      mailbox.leave(.reply(run: run, id, reply))
    }
    switch start {
    case .answered(let reply): ready.append((id, reply))
    case .underWay: break
    case .asleep(let duration): alarms.addReply(id, at: now + duration)
    }
  }

  private func abandon(_ id: HostCallID) {
    guard wanted.remove(id) != nil else { return }
    if !world.cancel(id) { _ = alarms.cancelReply(id) }
  }

  private func deliver(_ replies: [(HostCallID, HostReply)], to program: any Program) -> Bool {
    for (id, reply) in replies { deliver(reply, of: id, to: program) }
    return !replies.isEmpty
  }

  private func deliver(_ reply: HostReply, of id: HostCallID, to program: any Program) {
    guard wanted.remove(id) != nil else { return }
    if copies?.pass(reply, to: id) != true { send(.replied(id, reply), to: program) }
  }

  /// Has a copy of the program read a partition.
  private func read(_ partition: Partition, answering id: HostCallID) {
    guard let copies, let start else { preconditionFailure("nobody reads \(partition.source)") }
    if !hasCopies { copies.start(since: start, mailbox) }
    hasCopies = true
    if !copies.read(partition, answering: id) { ready.append((id, .failed(.copyIsGone))) }
  }

  /// Does what a copy asks for.
  private func carryOut(_ effects: [ProgramEffect], ofCopy number: Int, for program: any Program) {
    guard let copies else { return }
    for effect in effects {
      switch effect {
      case .call(let id, .request(let request, let terms)):
        copies.noteCaller(number, of: id)
        send(.called(id, .request(request, terms)), to: program)
      case .call(let id, let call):
        copies.noteCaller(number, of: id)
        begin(id, call)
      case .cancel(let id):
        guard copies.forgetCaller(of: id) else { continue }
        if wanted.contains(id) { abandon(id) } else { send(.calledOff(id), to: program) }
      case .answer(let id, let reply):
        copies.finished(id)
        deliver(reply, of: id, to: program)
      case .finished:
        for id in copies.left(number) { deliver(.failed(.copyIsGone), of: id, to: program) }
      case .wake: break
      }
    }
    world.endMoment()
  }
}
