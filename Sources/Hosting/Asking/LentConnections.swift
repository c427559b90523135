import Paging
import Synchronization

/// Connections to origins that a person allowed, made outside the cage while the loop goes on.
final class LentConnections: Sendable {
  /// One that is there for a request, or not to be had.
  struct Arrival: Sendable {
    let request: OutgoingRequest
    let outcome: Result<FileDescriptor, SystemError>
  }

  private struct State {
    /// Requests whose answers are waited for.
    var wanted: Set<HostCallID> = []
    var arrivals: [Arrival] = []
  }

  private let asker: Asker
  private let wake: @Sendable () -> Void
  private let state = Mutex(State())
  /// As many as are made at once. They are not waited for in the end.
  private let workers = (0..<8).map { _ in Worker(name: "connections") }

  /// `wake` is called on any thread when something has arrived.
  init(_ asker: Asker, waking wake: @escaping @Sendable () -> Void) {
    self.asker = asker
    self.wake = wake
  }

  /// From here on connections for that request may be asked for.
  func want(_ id: HostCallID) { state.withLock { _ = $0.wanted.insert(id) } }

  /// Nobody waits for that request any more.
  func forget(_ id: HostCallID) { state.withLock { _ = $0.wanted.remove(id) } }

  /// Begins to connect for a request that found no free connection.
  func begin(_ request: OutgoingRequest) {
    workers[request.id.number % workers.count].submit { [self] in
      let outcome = Result { () throws(SystemError) in try asker.connect(to: request.address) }
      state.withLock { $0.arrivals.append(Arrival(request: request, outcome: outcome)) }
      wake()
    }
  }

  /// Removes and returns what has arrived for requests that are waited for.
  func drain() -> [Arrival] {
    state.withLock { state in
      defer { state.arrivals = [] }
      return state.arrivals.filter { [wanted = state.wanted] in wanted.contains($0.request.id) }
    }
  }
}
