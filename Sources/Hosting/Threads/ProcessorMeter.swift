import Glibc
import Paging
import Synchronization

/// Measures the processor time of a thread that works for a script, and charges it to an account.
final class ProcessorMeter: Sendable {
  private struct State {
    /// The clock of the working thread; nil while there is none.
    var clock: clockid_t?
    var paid = Duration.zero
    var isSpent = false
  }

  private let account: ScriptAccount
  private let state = Mutex(State())

  init(_ account: ScriptAccount) { self.account = account }

  /// Whether the account was exhausted since the last `begin`.
  var isSpent: Bool { state.withLock { $0.isSpent } }

  /// Starts counting this thread's time. Throws if none is left.
  func begin() throws(HostFailure) {
    state.withLock { state in
      var clock = clockid_t()
      pthread_getcpuclockid(pthread_self(), &clock)
      state = State(clock: clock, paid: ProcessorMeter.time(clock))
    }
    guard pay() else { throw .processorTime("the script") }
  }

  /// Charges for the time since the last call; false if none is left. Callable from any thread.
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

  /// Charges for the remaining time and stops counting.
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
  /// Maximum bytes of an answer, clamped for arithmetic.
  var answerLimit: Int { min(max(largestAnswer, 0), 1 << 40) }

  /// Maximum bytes of memory, clamped likewise.
  var memoryLimit: Int { min(max(memory, 0), 1 << 50) }
}

extension HostFailure {
  /// The script's budget ended the work.
  static func processorTime(_ work: String) -> HostFailure {
    HostFailure(
      .limit, "\(work) was stopped: the processor time of the script is used up (--max-cpu raises it)")
  }
}
