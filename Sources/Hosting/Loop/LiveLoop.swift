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
  /// Called before each wait, when there is nothing else to do: for drawing and cleanup. Returns when it wants to be called
  /// again at the latest, even if nothing happens; nil is no such time.
  public var onTurn: ((Instant) -> Instant?)?
  /// How other threads reach the loop.
  public let mailbox = Mailbox()

  /// Read partitions in the program's place; nil for none.
  public var copies: ProgramCopies?

  private let world: World
  private var alarms = Alarms()
  /// Calls whose answers are still wanted.
  private var wanted: Set<HostCallID> = []
  /// Calls that are answered, one by one, when there is nothing else to do.
  private var idling: [HostCallID] = []
  /// Times that there was something to do since such a call was answered, or nothing was to be done.
  private var busyTurns = 0
  /// So often such a call is passed over: other work must not keep it for ever.
  private static let mostBusyTurns = 128
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
  /// From the first run on.
  private var signals: InterruptSignals?
  private var start: Instant?
  private var nextWatch = Instant.zero

  /// A loop whose host calls are performed by the world. With `catchesSignals`, SIGINT, SIGTERM and SIGHUP become
  /// `.interrupted` while it runs, and a later one ends the process; only one loop per process may catch them.
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
    if catching != .none, signals == nil {
      signals = InterruptSignals(catching, waking: mailbox.letters.waker, calling: onSignal)
    }
    isFinished = false
    run += 1
    if let start { copies?.start(since: start, mailbox) }
    send(.started, to: program)
    while !isFinished || copies?.areThere ?? false {
      var isIdle = true
      if let signals, signals.consume() {
        isAskedToEnd = signals.asksForEnd
        isIdle = !send(.interrupted, to: program)
      }
      if turn(program) { isIdle = false }
      if answerIdling(isIdle, to: program) { isIdle = false }
      if isIdle && (!isFinished || copies?.areThere ?? false) { rest() }
    }
    abandonCalls()
  }

  /// Runs the block on the loop's thread, soon.
  public func post(_ block: @escaping @Sendable () -> Void) { mailbox.post(block) }

  /// Does everything that is due; false if there was nothing.
  private func turn(_ program: any Program) -> Bool {
    world.advance()
    let answersAtOnce = deliverReady(to: program)
    let letters = readMailbox(to: program)
    let alarms = fireAlarms(for: program)
    let input = readInput(to: program)
    return answersAtOnce || letters || alarms || input
  }

  private func rest() {
    let turn = onTurn?(now)
    let letters = mailbox.letters
    guard letters.beginWait() else { return }
    let nextTime = [alarms.nextTime, turn].compactMap { $0 }.min()
    let duration = [nextTime.map { $0 - now }, world.watchInterval].compactMap { $0 }.min()
    letters.finishWait(isWoken: world.wait(for: letters.waker, or: input ?? -1, duration))
    watch()
  }

  /// Checks on the world's calls, at intervals.
  private func watch() {
    guard now >= nextWatch else { return }
    nextWatch = now + .milliseconds(200)
    world.watch()
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
      case .dismiss:
        copies?.dismiss()
        tellIfAlone()
      case .finished:
        isFinished = true
        copies?.stop()
        return true
      }
    }
    world.endMoment()
    return true
  }

  /// Answers a call that waits until there is nothing else to do, or has waited for long; false if there is none.
  private func answerIdling(_ isIdle: Bool, to program: any Program) -> Bool {
    busyTurns = isIdle ? 0 : busyTurns + 1
    guard !idling.isEmpty, isIdle || busyTurns >= Self.mostBusyTurns else { return false }
    busyTurns = 0
    deliver(.done, of: idling.removeFirst(), to: program)
    return true
  }

  /// Delivers the available answers; those that result from them wait for the next time.
  @discardableResult
  private func deliverReady(to program: any Program) -> Bool {
    let replies = ready
    ready = []
    return deliver(replies, to: program)
  }

  private func readMailbox(to program: any Program) -> Bool {
    let letters = mailbox.letters.drain()
    for letter in letters {
      switch letter {
      case .reply(let run, let id, let reply):
        if run == self.run { deliver(reply, of: id, to: program) }
      case .block(let block): block()
      case .interrupt: send(.interrupted, to: program)
      case .event(let event): send(event, to: program)
      case .effects(let effects, let number): carryOut(effects, ofCopy: number, for: program)
      }
      // Of thousands at once, what the first one brings does not wait for the last one.
      deliverReady(to: program)
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
      deliverReady(to: program)
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
    for id in wanted { world.cancel(id) }
    wanted = []
    ready = []
    idling = []
    alarms = Alarms()
  }

  private func begin(_ id: HostCallID, _ call: HostCall) {
    wanted.insert(id)
    if case .read(let partition) = call { return read(partition, answering: id) }
    if call == .idle { return idling.append(id) }
    let start = world.start(id, call) { [mailbox, run] reply in
      mailbox.letters.leave(.reply(run: run, id, reply))
    }
    switch start {
    case .answered(let reply): ready.append((id, reply))
    case .underWay: break
    case .asleep(let duration): alarms.addReply(id, at: now + duration)
    }
  }

  private func abandon(_ id: HostCallID) {
    guard wanted.remove(id) != nil else { return }
    world.cancel(id)
    _ = alarms.cancelReply(id)
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
    guard let copies else { preconditionFailure("nobody reads \(partition.source)") }
    if !copies.read(partition, answering: id) { ready.append((id, .failed(.copyIsGone))) }
  }

  /// Tells the program when nobody reads in its place any more.
  private func tellIfAlone() {
    if !(copies?.areThere ?? false) { mailbox.letters.leave(.event(.dismissed)) }
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
        if copies.areDismissed { tellIfAlone() }
      case .wake, .dismiss: break
      }
    }
    world.endMoment()
  }
}
