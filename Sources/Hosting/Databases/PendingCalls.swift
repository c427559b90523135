import Paging
import Synchronization

/// Calls that wait for the database thread or run there.
///
/// Most work of SQLite can be interrupted, but not a running SQL function, and some take time in the product of two
/// long texts. When a call has used up the script's processor time and does not end, all calls are answered without the
/// thread, which is abandoned.
final class PendingCalls: Sendable {
  typealias Reply = @Sendable (HostReply) -> Void

  private struct State {
    var replies: [Int: Reply] = [:]
    var count = 0
    /// The oldest call, once seen without time left.
    var overdue: Int?
    var isLost = false
  }

  private let state = Mutex(State())

  /// Whether the thread is blocked by an abandoned call.
  var isLost: Bool { state.withLock { $0.isLost } }

  var isEmpty: Bool { state.withLock { $0.replies.isEmpty } }

  /// Registers the reply under a number; nil if calls are no longer answered.
  func begin(_ reply: @escaping Reply) -> Int? {
    state.withLock { state in
      guard !state.isLost else { return nil }
      state.count += 1
      state.replies[state.count] = reply
      return state.count
    }
  }

  /// Answers the call, unless it was abandoned.
  func finish(_ number: Int, _ answer: HostReply) {
    state.withLock { $0.replies.removeValue(forKey: number) }?(answer)
  }

  /// Abandons everything when the oldest call is without time for the second time, and answers with the failure.
  func giveUp(with failure: HostFailure = .processorTime("the work on databases"), unless isPaid: () -> Bool)
  {
    guard !isEmpty, !isPaid() else { return }
    let replies = state.withLock { state -> [Reply] in
      let oldest = state.replies.keys.min()
      guard state.overdue == oldest else {
        state.overdue = oldest
        return []
      }
      state.isLost = true
      defer { state.replies = [:] }
      return Array(state.replies.values)
    }
    for reply in replies { reply(.failed(failure)) }
  }
}
