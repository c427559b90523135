import Paging
import Synchronization

/// Connections to origins that a person allowed, made outside the cage while the loop goes on.
final class LentConnections: Sendable {
  /// One that is there, or not to be had.
  struct Arrival: Sendable {
    let id: HostCallID
    let outcome: Result<FileDescriptor, SystemError>
  }

  private let asker: Asker
  private let wake: @Sendable () -> Void
  private let arrivals = Mutex<[Arrival]>([])
  /// As many as are made at once. They are not waited for in the end.
  private let workers = (0..<8).map { _ in Worker(name: "connections") }

  /// `wake` is called on any thread when something has arrived.
  init(_ asker: Asker, waking wake: @escaping @Sendable () -> Void) {
    self.asker = asker
    self.wake = wake
  }

  /// Begins to connect.
  func begin(_ id: HostCallID, to address: HTTPAddress) {
    workers[id.number % workers.count].submit { [self] in
      let outcome = Result { () throws(SystemError) in try asker.connect(to: address) }
      arrivals.withLock { $0.append(Arrival(id: id, outcome: outcome)) }
      wake()
    }
  }

  /// Removes and returns what has arrived.
  func drain() -> [Arrival] {
    arrivals.withLock { arrivals in
      defer { arrivals = [] }
      return arrivals
    }
  }
}
