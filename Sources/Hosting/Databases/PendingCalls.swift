import Paging
import Synchronization

/// The calls that wait for the thread for databases, or are carried out there.
///
/// Most work of SQLite can be interrupted, but not a function of SQL while it runs, and some take the product of two long texts.
/// When a call has used up the processor time of its script and does not end, all calls are answered without the thread, which is
/// then of no use any more.
final class PendingCalls: Sendable {
  typealias Reply = @Sendable (HostReply) -> Void

  private struct State {
    var replies: [Int: Reply] = [:]
    var count = 0
    /// The oldest call, when it was seen to have no time left.
    var overdue: Int?
    var isLost = false
  }

  private let state = Mutex(State())

  /// Whether the thread is held by a call that was given up.
  var isLost: Bool { state.withLock { $0.isLost } }

  var isEmpty: Bool { state.withLock { $0.replies.isEmpty } }

  /// Keeps the reply under a number; nil when no call is answered any more.
  func begin(_ reply: @escaping Reply) -> Int? {
    state.withLock { state in
      guard !state.isLost else { return nil }
      state.count += 1
      state.replies[state.count] = reply
      return state.count
    }
  }

  /// Answers the call, unless it was given up.
  func finish(_ number: Int, _ answer: HostReply) {
    state.withLock { $0.replies.removeValue(forKey: number) }?(answer)
  }

  /// Gives everything up when the oldest call has no time left for the second time.
  func giveUp(unless isPaid: () -> Bool) {
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
    for reply in replies { reply(.failed(.processorTime("the work on databases"))) }
  }
}
