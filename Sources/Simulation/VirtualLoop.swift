public import Paging

/// Runs a program in virtual time: the clock jumps from one event to the next, and the world is a function.
///
/// Events at equal times keep the order in which they were made, so equal programs and worlds give equal runs.
public final class VirtualLoop {
  /// What the simulated world does with a call: the reply, and how long it takes. Nil never answers.
  public typealias World = (HostCall, Instant) -> (reply: HostReply, after: Duration)?

  /// When things happen that are asked for at a time; by default exactly then.
  public struct Punctuality {
    /// When the program is started.
    public var start = Instant.zero
    /// How a sleep of that duration ends that begins at a time, and how long it takes.
    public var sleep: (Duration, Instant) -> (reply: HostReply, after: Duration) = { duration, _ in
      (.done, duration)
    }
    /// When a wake comes that is wanted at the first time and asked for at the second.
    public var wake: (Instant, Instant) -> Instant = { wanted, _ in wanted }

    /// In time.
    public init() {}
  }

  private enum Happening {
    case reply(HostCallID, HostReply)
    /// The program wanted to be woken, by its wish of that number.
    case wake(Int)
  }

  private let world: World
  private let punctuality: Punctuality
  /// When somebody asks to stop, earliest first.
  private var interruptions: [Instant] = []
  /// Called before the program is told to stop.
  public var onInterruption: (() -> Void)?
  private var timeline = Timeline<Happening>()
  private var wanted: Set<HostCallID> = []
  private var wakes = 0
  /// The time that the program has reached.
  public private(set) var now = Instant.zero
  /// Whether the program said that it is over.
  public private(set) var isFinished = false

  /// A loop around a world, which is as punctual as a live one was, or perfectly so.
  public init(punctuality: Punctuality = Punctuality(), world: @escaping World) {
    self.punctuality = punctuality
    self.world = world
  }

  /// Asks the program to stop at that time; before anything else that happens then.
  public func interrupt(at time: Instant) {
    interruptions.append(time)
    interruptions.sort()
  }

  /// Starts the program and runs it until it is finished, or nothing is left that could happen.
  public func run(_ program: any Program) {
    now = max(now, punctuality.start)
    send(.started, to: program)
    resume(program)
  }

  /// Tells the program something at the time it has reached, without going on.
  public func send(_ event: ProgramEvent, to program: any Program) {
    for effect in program.handle(event, at: now) { carryOut(effect) }
  }

  /// Goes on until it is finished, or nothing is left that could happen.
  public func resume(_ program: any Program) {
    while !isFinished {
      if interruptIfDue(program) { continue }
      guard let next = timeline.removeFirst() else { return }
      now = max(now, next.at)
      switch next.event {
      case .reply(let id, let reply):
        if wanted.remove(id) != nil { send(.replied(id, reply), to: program) }
      case .wake(let number):
        if number == wakes { send(.woke, to: program) }
      }
    }
  }

  /// Tells the program to stop where nothing else comes before; false when it is not told.
  private func interruptIfDue(_ program: any Program) -> Bool {
    guard let first = interruptions.first else { return false }
    if let next = timeline.next, next.at < first { return false }
    interruptions.removeFirst()
    now = max(now, first)
    onInterruption?()
    send(.interrupted, to: program)
    return true
  }

  private func carryOut(_ effect: ProgramEffect) {
    switch effect {
    case .call(let id, let call):
      wanted.insert(id)
      if case .sleep(let duration) = call {
        let answer = punctuality.sleep(duration, now)
        timeline.add(.reply(id, answer.reply), at: now + answer.after)
      } else if let answer = world(call, now) {
        timeline.add(.reply(id, answer.reply), at: now + answer.after)
      }
    case .cancel(let id): wanted.remove(id)
    case .wake(let at):
      wakes += 1
      timeline.add(.wake(wakes), at: punctuality.wake(at, now))
    case .finished: isFinished = true
    }
  }
}
