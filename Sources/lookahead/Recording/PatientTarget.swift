import Glibc
import Hosting
import Paging
import Synchronization

/// Waits until a sink has taken a delivery: virtual time does not run ahead of the output.
final class PatientTarget {
  private let target: any DeliveryTarget

  init(_ target: any DeliveryTarget) { self.target = target }

  /// Hands the items over and returns what the sink says.
  func deliver(_ delivery: Delivery) -> HostReply {
    let answer = Answer()
    target.deliver(delivery) { answer.set($0) }
    return answer.wait()
  }
}

/// A reply that another thread gives.
private final class Answer: @unchecked Sendable {
  private let reply = Mutex<HostReply?>(nil)
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func set(_ reply: HostReply) {
    self.reply.withLock { $0 = reply }
    sem_post(semaphore)
  }

  func wait() -> HostReply {
    while sem_wait(semaphore) != 0, errno == EINTR {}
    return reply.withLock { $0 } ?? .done
  }
}
