import Paging
import Synchronization

/// What any thread leaves for the one that takes it, which sleeps on a descriptor while there is nothing.
final class Letters<Letter: Sendable>: Sendable {
  private struct State {
    var letters: [Letter] = []
    var isTakerWaiting = false
  }

  /// Ends the wait of the one that takes them.
  let waker = Waker()
  private let state = Mutex(State())

  /// Leaves a letter, and wakes the one that takes it if it waits.
  func leave(_ letter: Letter) {
    let isWakeNeeded = state.withLock { state in
      state.letters.append(letter)
      defer { state.isTakerWaiting = false }
      return state.isTakerWaiting
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

  /// Before a wait: false if letters are waiting. Until `finishWait`, leaving one wakes.
  func beginWait() -> Bool {
    state.withLock { state in
      state.isTakerWaiting = state.letters.isEmpty
      return state.isTakerWaiting
    }
  }

  /// After a wait that was ended by a letter or a signal, or not.
  func finishWait(isWoken: Bool) {
    state.withLock { $0.isTakerWaiting = false }
    if isWoken { waker.reset() }
  }
}
