import Glibc
import Synchronization

/// A callback for the signal handler, with an object that it keeps alive; it must be async-signal-safe.
public struct SignalAction {
  /// Called with the object, and whether the signal asks to end rather than to pause.
  public typealias Call = @convention(c) (UnsafeMutableRawPointer, Bool) -> Void

  let call: Call
  private let owner: AnyObject
  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(owner).toOpaque() }

  /// For this object.
  public init(on owner: AnyObject, _ call: @escaping Call) {
    self.owner = owner
    self.call = call
  }
}

/// Which signals a loop catches.
public enum SignalCatching: Sendable {
  case none
  /// SIGINT, SIGTERM and SIGHUP are reported once; a later one ends the process immediately.
  case toEnd
  /// Every SIGINT is reported: the user stops what is running, and continues. Of the others, a later one ends the
  /// process.
  case toGoOn

  var watched: [Int32] {
    switch self {
    case .none: []
    case .toEnd, .toGoOn: [SIGINT, SIGTERM, SIGHUP]
    }
  }
}

/// While alive, signals wake a loop instead of ending the process.
///
/// They stay caught to the end of the process: what is done behind a loop, and what is over already, is not cut by the first
/// signal; a later one ends the process then too. Those that come with the first one are the same request: `timeout` sends its
/// signal to its child, and then to the group in which that is. One instance at a time: signals belong to the process.
final class InterruptSignals {
  private let action: SignalAction?
  private var told = 0

  init(_ catching: SignalCatching, waking waker: Waker, calling action: SignalAction? = nil) {
    received.store(0, ordering: .relaxed)
    firstEnd.store(0, ordering: .relaxed)
    endsAtSecond.store(catching != .toGoOn, ordering: .relaxed)
    self.action = action
    called = action.map { ($0.call, $0.context) }
    InterruptSignals.unblock(catching.watched)
    descriptor.store(waker.descriptor, ordering: .relaxed)
    for signal in catching.watched {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = receive
      action.sa_flags = SA_RESTART
      var old = sigaction()
      sigaction(signal, &action, &old)
      // Under `nohup` the process is to outlive the terminal.
      if signal == SIGHUP && InterruptSignals.isIgnored(old) { sigaction(signal, &old, nil) }
    }
  }

  /// A parent may have left them blocked, as thread pools do.
  private static func unblock(_ watched: [Int32]) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in watched { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  deinit {
    descriptor.store(-1, ordering: .relaxed)
    endsAtSecond.store(true, ordering: .relaxed)
    called = nil
  }

  /// Whether a signal arrived since the last call.
  func consume() -> Bool {
    let count = received.load(ordering: .relaxed)
    defer { told = count }
    return count > told
  }

  /// Whether one of them asked to end.
  var asksForEnd: Bool { firstEnd.load(ordering: .relaxed) > 0 }
}

private let received = Atomic<Int>(0)
/// When the first signal came that asks to end, which SIGINT does only if the loop ends on it: in nanoseconds of the monotonic clock.
private let firstEnd = Atomic<Int64>(0)
private let endsAtSecond = Atomic<Bool>(true)
private let descriptor = Atomic<Int32>(-1)

/// Read by the handler: what it names is there before it is set, and goes only after it is unset.
private nonisolated(unsafe) var called: (call: SignalAction.Call, context: UnsafeMutableRawPointer)?

/// Must be async-signal-safe; everything it reads is initialised before it is installed.
private func receive(_ signal: Int32) {
  let error = errno
  received.add(1, ordering: .relaxed)
  let isEnd = signal != SIGINT || endsAtSecond.load(ordering: .relaxed)
  let isLater = isEnd && comesLater()
  if let (call, context) = called { call(context, isEnd) }
  if isLater { _exit(128 + signal) }
  Waker.wake(descriptor.load(ordering: .relaxed))
  errno = error
}

/// Whether a signal that asks to end comes behind another one, and not with it: 0.3 s later or more. Async-signal-safe.
private func comesLater() -> Bool {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  let now = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  let (isFirst, first) = firstEnd.compareExchange(expected: 0, desired: now, ordering: .relaxed)
  return !isFirst && now - first >= 300_000_000
}
