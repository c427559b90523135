public import Paging

/// Runs a program in virtual time: the clock jumps from one event to the next, and the world is a function.
///
/// Events at equal times keep insertion order, so equal programs and worlds give equal runs.
///
/// ```swift
/// let loop = VirtualLoop { call, now in (.done, after: .milliseconds(10)) }
/// loop.run(program)
/// ```
public final class VirtualLoop {
  /// The simulated world's answer to a call: the reply and its delay. Nil means never.
  public typealias World = (HostCall, Instant) -> (reply: HostReply, after: Duration)?

  /// The actual times of timed events; by default exact.
  public struct Punctuality {
    /// The start of the program.
    public var start = Instant.zero
    /// How a sleep of that duration, started at that time, ends, and how long it takes.
    public var sleep: (Duration, Instant) -> (reply: HostReply, after: Duration) = { duration, _ in
      (.done, duration)
    }
    /// The same of a wait until there is nothing else to do.
    public var idle: (Instant) -> (reply: HostReply, after: Duration) = { _ in (.done, .zero) }
    /// When a wake requested for the first time at the second one comes.
    public var wake: (Instant, Instant) -> Instant = { wanted, _ in wanted }

    /// Exact times.
    public init() {}
  }

  private enum Happening {
    case reply(HostCallID, HostReply)
    /// The program's wake request with this number.
    case wake(Int)
  }

  private let world: World
  private let punctuality: Punctuality
  /// Requested interruptions, earliest first.
  private var interruptions: [Instant] = []
  /// Called before the program is interrupted.
  public var onInterruption: (() -> Void)?
  private var timeline = Timeline<Happening>()
  private var wanted: Set<HostCallID> = []
  private var wakes = 0
  /// The current virtual time.
  public private(set) var now = Instant.zero
  /// Whether the program has finished.
  public private(set) var isFinished = false

  /// A loop around a world, with the punctuality of a live one, or exact.
  public init(punctuality: Punctuality = Punctuality(), world: @escaping World) {
    self.punctuality = punctuality
    self.world = world
  }

  /// Interrupts the program at that time, before any other event then.
  public func interrupt(at time: Instant) {
    interruptions.append(time)
    interruptions.sort()
  }

  /// Starts the program and runs it until it is finished or no event is left.
  public func run(_ program: any Program) {
    now = max(now, punctuality.start)
    send(.started, to: program)
    resume(program)
  }

  /// Sends the program an event at the current time, without advancing.
  public func send(_ event: ProgramEvent, to program: any Program) {
    for effect in program.handle(event, at: now) { carryOut(effect) }
  }

  /// Runs until the program is finished or no event is left.
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

  /// Interrupts the program if nothing else comes first; returns whether it did.
  private func interruptIfDue(_ program: any Program) -> Bool {
    guard let first = interruptions.first else { return false }
    if let next = timeline.nextTime, next < first { return false }
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
      if case .idle = call {
        let answer = punctuality.idle(now)
        timeline.add(.reply(id, answer.reply), at: now + answer.after)
      } else if case .sleep(let duration) = call {
        let answer = punctuality.sleep(duration, now)
        timeline.add(.reply(id, answer.reply), at: now + answer.after)
      } else if let answer = world(call, now) {
        timeline.add(.reply(id, answer.reply), at: now + answer.after)
      }
    case .cancel(let id): wanted.remove(id)
    case .wake(let at):
      wakes += 1
      timeline.add(.wake(wakes), at: punctuality.wake(at, now))
    case .answer, .dismiss: break
    case .finished: isFinished = true
    }
  }
}
