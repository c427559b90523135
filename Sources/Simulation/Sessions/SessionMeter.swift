import Glibc
import Paging

/// Charges the processor time of sessions to an account, a few events at a time.
///
/// It belongs to the thread that runs them, whose time it measures.
final class SessionMeter {
  private let account: ScriptAccount
  private var last = Duration.zero
  private var events = 0

  /// Between two looks at the clock, which takes as long as an event.
  private static let stride = 256

  init(_ account: ScriptAccount) { self.account = account }

  /// From here on time counts.
  func begin() { last = Self.now }

  /// One more event; false when there is no time left.
  func allowsEvent() -> Bool {
    events += 1
    return events % Self.stride != 0 || pay()
  }

  /// Pays for what was done since the last time; false when there is no time left.
  func pay() -> Bool {
    let now = Self.now
    defer { last = now }
    return account.spend(now - last)
  }

  private static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}

/// What a session may use.
struct SessionLimits {
  /// Pays for the session; nil where nobody does.
  var meter: SessionMeter?
  /// Items that may be held.
  var mostItems = Int.max
}
