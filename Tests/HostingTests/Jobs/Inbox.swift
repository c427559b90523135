import Dispatch
import Synchronization

/// The thread of a test as a loop: blocks that other threads post run when the test comes round to them.
final class Inbox: Sendable {
  private let blocks = Mutex<[@Sendable () -> Void]>([])
  private let count = DispatchSemaphore(value: 0)

  func post(_ block: @escaping @Sendable () -> Void) {
    blocks.withLock { $0.append(block) }
    count.signal()
  }

  /// Runs the next block, waiting for it; false when none comes for a long time.
  func turn() -> Bool {
    guard count.wait(timeout: .now() + 60) == .success else { return false }
    blocks.withLock { $0.removeFirst() }()
    return true
  }

  /// Takes turns until something is so; false when nothing happens any more.
  func turn(until isSo: () -> Bool) -> Bool {
    while !isSo() {
      guard turn() else { return false }
    }
    return true
  }

  /// Runs what is there.
  func drain() {
    while count.wait(timeout: .now()) == .success { blocks.withLock { $0.removeFirst() }() }
  }
}

/// Holds threads up until it is opened.
final class Gate: Sendable {
  private let arrived = DispatchSemaphore(value: 0)
  private let opened = DispatchSemaphore(value: 0)

  /// Waits for the gate to open; false when it does not for a long time.
  @discardableResult
  func pass() -> Bool {
    arrived.signal()
    defer { opened.signal() }
    return opened.wait(timeout: .now() + 60) == .success
  }

  /// Waits until somebody stands before it.
  func waitForArrival() -> Bool { arrived.wait(timeout: .now() + 60) == .success }

  func open() { opened.signal() }
}
