import Paging
import Synchronization

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

  private struct State {
    var letters: [Letter] = []
    var isLoopWaiting = false
  }

  let waker = Waker()
  private let state = Mutex(State())

  init() {}

  /// Runs the block on the loop's thread, soon.
  public func post(_ block: @escaping @Sendable () -> Void) { leave(.block(block)) }

  /// Tells the program that the user asked to stop.
  public func interrupt() { leave(.interrupt) }

  /// Wakes the program, as if a time had come that it asked for.
  public func wakeProgram() { leave(.event(.woke)) }

  /// Posts a letter, and wakes the loop if it waits.
  func leave(_ letter: Letter) {
    let isWakeNeeded = state.withLock { state in
      state.letters.append(letter)
      defer { state.isLoopWaiting = false }
      return state.isLoopWaiting
    }
    if isWakeNeeded { waker.wake() }
  }

  /// Removes and returns all letters, in order.
  func drain() -> [Letter] {
    state.withLock { state in
      defer { state.letters = [] }
      return state.letters
    }
  }

  /// Before a wait: false if letters are waiting. Until `finishWait`, posting wakes the loop.
  func beginWait() -> Bool {
    state.withLock { state in
      state.isLoopWaiting = state.letters.isEmpty
      return state.isLoopWaiting
    }
  }

  /// After a wait.
  func finishWait() {
    state.withLock { $0.isLoopWaiting = false }
    waker.reset()
  }
}
