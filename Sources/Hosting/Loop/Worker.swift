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

  /// Returns when every job has run and the thread is gone; asked for by a job of its own, it does not wait.
  public func finish() { jobs.close(isWaiting: true) }
}

/// The jobs of a worker and the thread that runs them.
private final class JobQueue: @unchecked Sendable {
  typealias Job = @Sendable () -> Void

  private let name: String
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var waiting: [Job] = []
  private var isClosed = false
  private var thread: pthread_t?

  init(name: String) {
    self.name = name
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  func append(_ job: @escaping Job) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    guard !isClosed else { return }
    if thread == nil { thread = startThread() }
    waiting.append(job)
    if waiting.count == 1 { pthread_cond_signal(changed) }
  }

  func close(isWaiting: Bool) {
    pthread_mutex_lock(mutex)
    isClosed = true
    let thread = self.thread
    self.thread = nil
    pthread_cond_signal(changed)
    pthread_mutex_unlock(mutex)

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
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while waiting.isEmpty && !isClosed { pthread_cond_wait(changed, mutex) }
    guard !waiting.isEmpty else { return nil }
    defer { waiting = [] }
    return waiting
  }
}
