import Dispatch
import Synchronization

/// Blocks that other threads post, for the thread that waits for them.
final class Inbox: Sendable {
  private let blocks = Mutex<[@Sendable () -> Void]>([])
  private let count = DispatchSemaphore(value: 0)

  func post(_ block: @escaping @Sendable () -> Void) {
    blocks.withLock { $0.append(block) }
    count.signal()
  }

  /// Waits for the next block and runs it.
  func turn() {
    count.wait()
    blocks.withLock { $0.removeFirst() }()
  }

  /// Runs what is there until the time is over.
  func run(until end: DispatchTime) {
    while count.wait(timeout: end) == .success { blocks.withLock { $0.removeFirst() }() }
  }
}
