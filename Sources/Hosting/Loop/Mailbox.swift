import Paging

/// Where other threads leave work for the loop; any thread may post.
public final class Mailbox: Sendable {
  /// One message.
  enum Letter: Sendable {
    /// The run number tells late answers of an earlier program from current ones.
    case reply(run: Int, HostCallID, HostReply)
    case block(@Sendable () -> Void)
    case interrupt
    /// Something for the program.
    case event(ProgramEvent)
    /// What a copy of the program asks for.
    case effects([ProgramEffect], ofCopy: Int)
  }

  let letters = Letters<Letter>()

  init() {}

  /// Runs the block on the loop's thread, soon.
  public func post(_ block: @escaping @Sendable () -> Void) { letters.leave(.block(block)) }

  /// Tells the program that the user asked to stop.
  public func interrupt() { letters.leave(.interrupt) }

  /// Wakes the program, as if a time had come that it asked for.
  public func wakeProgram() { letters.leave(.event(.woke)) }
}
