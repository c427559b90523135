import Glibc

/// One thread that runs jobs in the order in which they were submitted: a place for calls that can block.
///
/// The thread starts with the first job. A worker that is let go without `finish()` still runs what it was given.
public final class Worker: Sendable {
  private let jobs: JobQueue

  /// A worker that says by this name what is wrong, when the system has no thread for it.
  public init(name: String) { jobs = JobQueue(name: name) }

  deinit { jobs.close(isWaiting: false) }

  /// Runs the job after all that were submitted before; once the worker is finished, jobs are dropped.
  public func submit(_ job: @escaping @Sendable () -> Void) { jobs.append(job) }

  /// Leaves the job that runs and those behind it to themselves, with the thread.
  func abandon() { jobs.close(isWaiting: false) }

  /// Returns when every job has run and the thread is gone; asked for by a job of its own, it does not wait.
  public func finish() { jobs.close(isWaiting: true) }
}

/// The jobs of a worker and the thread that runs them.
private final class JobQueue: Sendable {
  typealias Job = @Sendable () -> Void

  private struct State: Sendable {
    var waiting: [Job] = []
    var isClosed = false
    var thread: pthread_t?
  }

  private let name: String
  private let monitor = Monitor(State())

  init(name: String) { self.name = name }

  func append(_ job: @escaping Job) {
    monitor.withLock { state in
      guard !state.isClosed else { return }
      if state.thread == nil { state.thread = startThread() }
      state.waiting.append(job)
    }
    monitor.wakeAll()
  }

  func close(isWaiting: Bool) {
    let thread = monitor.withLock { state in
      state.isClosed = true
      defer { state.thread = nil }
      return state.thread
    }
    monitor.wakeAll()
    guard let thread else { return }
    if isWaiting && pthread_equal(thread, pthread_self()) == 0 {
      pthread_join(thread, nil)
    } else {
      pthread_detach(thread)
    }
  }

  private func startThread() -> pthread_t {
    var thread = pthread_t()
    let me = Unmanaged.passRetained(self)
    let status = pthread_create(
      &thread, nil,
      { argument in
        Unmanaged<JobQueue>.fromOpaque(argument!).takeRetainedValue().run()
        return nil
      }, me.toOpaque())
    guard status == 0 else { preconditionFailure("no thread for \(name): error \(status)") }
    return thread
  }

  private func run() {
    while var batch = nextBatch() {
      batch.reverse()
      while let job = batch.popLast() { job() }
    }
  }

  /// Everything that waits, once something does; nil at the end.
  private func nextBatch() -> [Job]? {
    let batch: [Job] = monitor.wait { state in
      guard !state.waiting.isEmpty || state.isClosed else { return nil }
      defer { state.waiting = [] }
      return state.waiting
    }
    return batch.isEmpty ? nil : batch
  }
}
