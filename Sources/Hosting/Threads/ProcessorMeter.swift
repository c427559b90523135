import Glibc
import Paging
import Synchronization

/// Measures the processor time of a thread that works for a script, and has an account pay for it.
final class ProcessorMeter: Sendable {
  private struct State {
    /// The time of the thread that works; nil while none does.
    var clock: clockid_t?
    var paid = Duration.zero
    var isSpent = false
  }

  private let account: ScriptAccount
  private let state = Mutex(State())

  init(_ account: ScriptAccount) { self.account = account }

  /// Whether the account had none left since the last beginning.
  var isSpent: Bool { state.withLock { $0.isSpent } }

  /// From here on the time of this thread counts. Fails at once when there is none left.
  func begin() throws(HostFailure) {
    state.withLock { state in
      var clock = clockid_t()
      pthread_getcpuclockid(pthread_self(), &clock)
      state = State(clock: clock, paid: ProcessorMeter.time(clock))
    }
    guard pay() else { throw .processorTime("the script") }
  }

  /// Pays for the time since it was last paid; false when there is none left. From any thread.
  func pay() -> Bool {
    let unpaid = state.withLock { state -> Duration in
      guard let clock = state.clock else { return .zero }
      let now = ProcessorMeter.time(clock)
      defer { state.paid = now }
      return now - state.paid
    }
    let isPaid = account.spend(unpaid)
    return state.withLock { state in
      if !isPaid { state.isSpent = true }
      return !state.isSpent
    }
  }

  /// Pays for the last time; from here on none counts.
  func stop() -> Bool {
    defer { state.withLock { $0.clock = nil } }
    return pay()
  }

  private static func time(_ clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}

extension ScriptAccount {
  /// The most bytes of an answer, as a number that can be reckoned with.
  var answerLimit: Int { min(max(largestAnswer, 0), 1 << 40) }

  /// The most bytes of memory, likewise.
  var memoryLimit: Int { min(max(memory, 0), 1 << 50) }
}

extension HostFailure {
  /// The script's budget ends what was done for it.
  static func processorTime(_ work: String) -> HostFailure {
    HostFailure(
      .limit, "\(work) was stopped: the processor time of the script is used up (--max-cpu raises it)")
  }
}
