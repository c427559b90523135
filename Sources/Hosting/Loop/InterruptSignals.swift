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

/// While it lives, SIGINT and SIGTERM wake a loop instead of ending the process; the second one ends it at once.
///
/// One at a time: signals belong to the whole process.
final class InterruptSignals {
  private static let watched = [SIGINT, SIGTERM]
  private let before: [sigaction]
  private var told = 0

  init(waking waker: Waker, calling action: SignalAction? = nil) {
    received.store(0, ordering: .relaxed)
    called = action
    InterruptSignals.unblock()
    descriptor.store(waker.writing, ordering: .relaxed)
    before = InterruptSignals.watched.map { signal in
      var action = sigaction()
      action.__sigaction_handler.sa_handler = receive
      action.sa_flags = SA_RESTART
      var old = sigaction()
      sigaction(signal, &action, &old)
      return old
    }
  }

  /// A parent may have left them blocked, as threads of a pool have them.
  private static func unblock() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in watched { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  deinit {
    for (signal, action) in zip(InterruptSignals.watched, before) {
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
private let descriptor = Atomic<Int32>(-1)

/// Written only while the handler is not installed.
private nonisolated(unsafe) var called: SignalAction?

/// Does only what a signal handler may do; what it reads is initialised before it is installed.
private func receive(_ signal: Int32) {
  let error = errno
  if received.add(1, ordering: .relaxed).newValue > 1 { _exit(128 + signal) }
  if let called { called.call(called.context) }
  var byte: UInt8 = 1
  _ = write(descriptor.load(ordering: .relaxed), &byte, 1)
  errno = error
}
