import Glibc
import Paging

/// Measures the processor time of the thread that it is used on, and has an account pay for it.
final class ProcessorMeter {
  private let account: ScriptAccount
  private var paid = Duration.zero
  /// Whether the account had none left since the last beginning.
  private(set) var isSpent = false

  init(_ account: ScriptAccount) { self.account = account }

  /// From here on the time counts. Fails at once when there is none left.
  func begin() throws(HostFailure) {
    paid = ProcessorMeter.now
    isSpent = !account.spend(.zero)
    if isSpent { throw .processorTime("the script") }
  }

  /// Pays for the time since it was last paid; false when there is none left.
  func pay() -> Bool {
    let now = ProcessorMeter.now
    defer { paid = now }
    if !account.spend(now - paid) { isSpent = true }
    return !isSpent
  }

  private static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}

extension HostFailure {
  /// The script's budget ends what was done for it.
  static func processorTime(_ work: String) -> HostFailure {
    HostFailure(
      .limit, "\(work) was stopped: the processor time of the script is used up (--max-cpu raises it)")
  }
}
