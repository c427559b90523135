import Glibc
import Synchronization

/// What is called in a signal handler, and with what; it may do only what a signal handler may do.
public struct SignalAction {
  let call: @convention(c) (UnsafeMutableRawPointer) -> Void
  let context: UnsafeMutableRawPointer

  /// The context must outlive the run.
  public init(
    context: UnsafeMutableRawPointer, _ call: @escaping @convention(c) (UnsafeMutableRawPointer) -> Void
  ) {
    self.context = context
    self.call = call
  }
}

/// Which signals a loop takes for itself.
public enum SignalCatching: Sendable {
  case none
  /// SIGINT and SIGTERM are told once; the second one ends the process at once.
  case toEnd
  /// Every SIGINT is told, however many there are: a person stops what runs, and goes on.
  case toGoOn

  var watched: [Int32] {
    switch self {
    case .none: []
    case .toEnd: [SIGINT, SIGTERM]
    case .toGoOn: [SIGINT]
    }
  }
}

/// While it lives, signals wake a loop instead of ending the process.
///
/// One at a time: signals belong to the whole process.
final class InterruptSignals {
  private let watched: [Int32]
  private let before: [sigaction]
  private var told = 0

  init(_ catching: SignalCatching, waking waker: Waker, calling action: SignalAction? = nil) {
    received.store(0, ordering: .relaxed)
    endsAtSecond.store(catching != .toGoOn, ordering: .relaxed)
    let watched = catching.watched
    self.watched = watched
    called = action
    InterruptSignals.unblock(watched)
    descriptor.store(waker.writing, ordering: .relaxed)
    before = watched.map { signal in
      var action = sigaction()
      action.__sigaction_handler.sa_handler = receive
      action.sa_flags = SA_RESTART
      var old = sigaction()
      sigaction(signal, &action, &old)
      return old
    }
  }

  /// A parent may have left them blocked, as threads of a pool have them.
  private static func unblock(_ watched: [Int32]) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in watched { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  deinit {
    for (signal, action) in zip(watched, before) {
      var action = action
      sigaction(signal, &action, nil)
    }
    descriptor.store(-1, ordering: .relaxed)
    called = nil
  }

  /// Whether a signal came since the last call.
  func take() -> Bool {
    let count = received.load(ordering: .relaxed)
    defer { told = count }
    return count > told
  }
}

private let received = Atomic<Int>(0)
private let endsAtSecond = Atomic<Bool>(true)
private let descriptor = Atomic<Int32>(-1)

/// Written only while the handler is not installed.
private nonisolated(unsafe) var called: SignalAction?

/// Does only what a signal handler may do; what it reads is initialised before it is installed.
private func receive(_ signal: Int32) {
  let error = errno
  let count = received.add(1, ordering: .relaxed).newValue
  if count > 1 && endsAtSecond.load(ordering: .relaxed) { _exit(128 + signal) }
  if let called { called.call(called.context) }
  var byte: UInt8 = 1
  _ = write(descriptor.load(ordering: .relaxed), &byte, 1)
  errno = error
}
