public import Paging

/// Runs a program in virtual time: the clock jumps from one event to the next, and the world is a function.
///
/// Events at equal times keep the order in which they were made, so equal programs and worlds give equal runs.
public final class VirtualLoop {
  /// What the simulated world does with a call: the reply, and how long it takes. Nil never answers.
  public typealias World = (HostCall, Instant) -> (reply: HostReply, after: Duration)?

  private let world: World
  private var agenda = Agenda()
  private var wanted: Set<HostCallID> = []
  private var wakes = 0
  /// The time that the program has reached.
  public private(set) var now = Instant.zero
  /// Whether the program said that it is over.
  public private(set) var isFinished = false

  /// A loop around a world.
  public init(world: @escaping World) { self.world = world }

  /// Starts the program and runs it until it is finished, or nothing is left that could happen.
  public func run(_ program: any Program) {
    tell(program, .started)
    goOn(program)
  }

  /// Tells the program something at the time it has reached, without going on.
  public func tell(_ program: any Program, _ event: ProgramEvent) {
    for effect in program.handle(event, at: now) { carryOut(effect) }
  }

  /// Goes on until it is finished, or nothing is left that could happen.
  public func goOn(_ program: any Program) {
    while !isFinished, let next = agenda.removeFirst() {
      now = max(now, next.at)
      switch next.happening {
      case .reply(let id, let reply):
        if wanted.remove(id) != nil { tell(program, .replied(id, reply)) }
      case .wake(let number):
        if number == wakes { tell(program, .woke) }
      }
    }
  }

  private func carryOut(_ effect: ProgramEffect) {
    switch effect {
    case .call(let id, let call):
      wanted.insert(id)
      if case .sleep(let duration) = call {
        agenda.add(.reply(id, .done), at: now + duration)
      } else if let answer = world(call, now) {
        agenda.add(.reply(id, answer.reply), at: now + answer.after)
      }
    case .cancel(let id): wanted.remove(id)
    case .wake(let at):
      wakes += 1
      agenda.add(.wake(wakes), at: at)
    case .finished: isFinished = true
    }
  }
}
