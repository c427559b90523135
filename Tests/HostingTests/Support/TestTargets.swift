import Glibc
import Hosting
import Paging
import Synchronization

/// Answers a delivery when it is told to.
final class LateTarget: DeliveryTarget {
  private let replies = Mutex<[@Sendable (HostReply) -> Void]>([])

  func accept(_ delivery: Delivery, reply: @escaping @Sendable (HostReply) -> Void) -> HostReply? {
    replies.withLock { $0.append(reply) }
    return nil
  }

  func answer() {
    for reply in replies.withLock({ $0 }) { reply(.count(1)) }
  }
}

/// Answers the n-th delivery with n, on another thread.
final class WorkerTarget: DeliveryTarget {
  private let worker = Worker(name: "target")
  private let deliveries = Mutex(0)

  func accept(_ delivery: Delivery, reply: @escaping @Sendable (HostReply) -> Void) -> HostReply? {
    worker.submit { [self] in
      reply(
        .count(
          deliveries.withLock {
            $0 += 1
            return $0
          }))
    }
    return nil
  }
}

/// Names the thread that asks.
func currentThread() -> UInt { pthread_self() }

/// As Control-C does.
func interruptThisProcess() { kill(getpid(), SIGINT) }
