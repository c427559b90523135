/// Anything a loop can run: it handles events and returns effects.
///
/// The live loop and the virtual one interpret the same effects. A program belongs to one thread.
///
/// ```swift
/// final class Pause: Program {
///   func handle(_ event: ProgramEvent, at now: Instant) -> [ProgramEffect] {
///     if case .woke = event { [.finished] } else { [.wake(at: now + .seconds(1))] }
///   }
/// }
/// ```
public protocol Program: AnyObject {
  /// Handles one event; the effects are to be carried out in order.
  func handle(_ event: ProgramEvent, at now: Instant) -> [ProgramEffect]
}

/// The events of a program.
public enum ProgramEvent: Sendable {
  case started
  case replied(HostCallID, HostReply)
  /// The time requested with `.wake` has come.
  case woke
  /// The user asked to stop: finish cleanly, soon.
  case interrupted
  /// Another program of the run has a call that this one answers with `.answer`: a partition to read, a request for its gate.
  case called(HostCallID, HostCall)
  /// The answer to such a call is no longer wanted.
  case calledOff(HostCallID)
  /// No more calls come: finish when everything is done.
  case dismissed
}

/// The effects of a program.
public enum ProgramEffect: Sendable {
  case call(HostCallID, HostCall)
  /// The answer is no longer wanted; the loop drops a late reply.
  case cancel(HostCallID)
  /// Send `.woke` at this time; replaces any earlier request.
  case wake(at: Instant)
  /// The answer to a call of another program.
  case answer(HostCallID, HostReply)
  /// The programs that read partitions in this one's place get no more: they end when they are done with everything, and
  /// then this one is `.dismissed` too.
  case dismiss
  /// The program is finished and returns no more effects; those that still read in its place are stopped.
  case finished
}
