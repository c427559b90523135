import Glibc

/// Threads that run sessions, each with its own experiment. One thread owns the pool and waits for its results.
final class SessionPool: SessionExecutor, @unchecked Sendable {
  private typealias Results = [Int: [SessionOutcome?]]

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let open: @Sendable () throws -> SessionRunner
  // Everything below is guarded by the mutex.
  private var threads: [pthread_t] = []
  private var order: SessionOrder?
  /// The next session to run.
  private var next = 0
  /// Number of busy threads.
  private var busy = 0
  private var done: Results = [:]
  private var failure: (any Error)?
  private var isOver = false

  init(threads count: Int, open: @escaping @Sendable () throws -> SessionRunner) {
    self.open = open
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
    // With fewer threads it takes longer, and the results are the same.
    while threads.count < count, let thread = startThread() { threads.append(thread) }
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  func run(_ order: SessionOrder) throws -> [(session: Int, outcomes: [SessionOutcome?])] {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    self.order = order
    next = order.sessions.lowerBound
    done = [:]
    pthread_cond_broadcast(changed)
    while busy > 0 || (failure == nil && done.count < order.sessions.count) {
      pthread_cond_wait(changed, mutex)
    }
    self.order = nil
    if let failure { throw failure }
    return order.sessions.map { (session: $0, outcomes: done[$0] ?? []) }
  }

  /// Stops the threads and waits for them.
  func stop() {
    pthread_mutex_lock(mutex)
    isOver = true
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
    for thread in threads { pthread_join(thread, nil) }
  }

  /// Whether the system had no thread for it.
  var isEmpty: Bool { threads.isEmpty }

  /// Nil where the system has none.
  private func startThread() -> pthread_t? {
    var thread = pthread_t()
    let me = Unmanaged.passRetained(self)
    let status = pthread_create(
      &thread, nil,
      { argument in
        Unmanaged<SessionPool>.fromOpaque(argument!).takeRetainedValue().serve()
        return nil
      }, me.toOpaque())
    guard status != 0 else { return thread }
    me.release()
    return nil
  }

  private func serve() {
    let runner: SessionRunner
    do { runner = try open() } catch { return fail(error, whileBusy: false) }
    while let (order, session) = nextSession() {
      do { finish(session, try runner.run(order, session: session)) } catch { fail(error, whileBusy: true) }
    }
  }

  /// The next session to run; nil at the end.
  private func nextSession() -> (SessionOrder, Int)? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !isOver {
      if let order, next < order.sessions.upperBound, failure == nil {
        next += 1
        busy += 1
        return (order, next - 1)
      }
      pthread_cond_wait(changed, mutex)
    }
    return nil
  }

  private func finish(_ session: Int, _ outcomes: [SessionOutcome?]) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    done[session] = outcomes
    order?.drop(outcomes)
    busy -= 1
    if busy == 0 { pthread_cond_broadcast(changed) }
  }

  private func fail(_ error: any Error, whileBusy: Bool) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    failure = failure ?? error
    if whileBusy { busy -= 1 }
    pthread_cond_broadcast(changed)
  }
}
