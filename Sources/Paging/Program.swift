/// Anything that a loop can run: told what happened and when, it says what to do next.
///
/// The live loop and the virtual one are two interpreters of the same effects. A program belongs to one thread.
public protocol Program: AnyObject {
  /// Takes one event; the effects are to be carried out in order.
  func handle(_ event: ProgramEvent, at now: Instant) -> [ProgramEffect]
}

/// What a loop tells a program.
public enum ProgramEvent: Sendable {
  case started
  case replied(HostCallID, HostReply)
  /// The moment asked for with `.wake` has arrived.
  case woke
  /// A person asked to stop: end in good order, soon.
  case interrupted
}

/// What a program asks of its loop.
public enum ProgramEffect: Sendable {
  case call(HostCallID, HostCall)
  /// The answer is no longer wanted; a reply that still comes is dropped by the loop.
  case cancel(HostCallID)
  /// Send `.woke` at this time; the newest one holds, earlier ones are forgotten.
  case wake(at: Instant)
  /// The program is over; nothing more will be asked.
  case finished
}
