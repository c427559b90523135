import Paging
import Synchronization

/// Where other threads leave what the loop shall do next; any thread may post.
public final class Mailbox: Sendable {
  /// One thing that was left.
  enum Letter: Sendable {
    /// The run tells late answers of an earlier program from those of this one.
    case reply(run: Int, HostCallID, HostReply)
    case block(@Sendable () -> Void)
    case interrupt
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

  /// Tells the program that a person asked to stop.
  public func interrupt() { leave(.interrupt) }

  /// Leaves a letter, and ends the loop's wait if it waits.
  func leave(_ letter: Letter) {
    let isWakeNeeded = state.withLock { state in
      state.letters.append(letter)
      defer { state.isLoopWaiting = false }
      return state.isLoopWaiting
    }
    if isWakeNeeded { waker.wake() }
  }

  /// Everything that was left, in its order.
  func drain() -> [Letter] {
    state.withLock { state in
      defer { state.letters = [] }
      return state.letters
    }
  }

  /// Before a wait: false when something was left meanwhile. Until `finishWait`, posting wakes the loop.
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
