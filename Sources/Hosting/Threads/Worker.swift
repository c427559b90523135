import Glibc

/// One thread that runs jobs in order of submission: for calls that can block.
///
/// The thread starts with the first job. A worker released without `finish()` still runs its jobs.
///
/// ```swift
/// let worker = Worker(name: "files")
/// worker.submit { synchronize() }
/// worker.finish()
/// ```
public final class Worker: Sendable {
  private let jobs: JobQueue

  /// A worker; the name is used in the error if the system has no thread for it.
  public init(name: String) { jobs = JobQueue(name: name) }

  deinit { jobs.close(isWaiting: false) }

  /// Runs the job after all earlier ones; once the worker is finished, jobs are dropped.
  public func submit(_ job: @escaping @Sendable () -> Void) { jobs.append(job) }

  /// Abandons the running job and those behind it, with the thread.
  func abandon() { jobs.close(isWaiting: false) }

  /// Returns when every job has run and the thread is gone; does not wait if called by one of its own jobs.
  public func finish() { jobs.close(isWaiting: true) }
}

/// The jobs of a worker and its thread.
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
    guard status == 0 else { SystemShortage.end(without: "thread for \(name)", "ulimit -u", error: status) }
    return thread
  }

  private func run() {
    while var batch = nextBatch() {
      batch.reverse()
      while let job = batch.popLast() { job() }
    }
  }

  /// Everything that waits, as soon as there is something; nil at the end.
  private func nextBatch() -> [Job]? {
    let batch: [Job] = monitor.wait { state in
      guard !state.waiting.isEmpty || state.isClosed else { return nil }
      defer { state.waiting = [] }
      return state.waiting
    }
    return batch.isEmpty ? nil : batch
  }
}
