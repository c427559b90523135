import Glibc
public import Listing

/// Runs the jobs of a data controller concurrently on its own threads, and answers on the owner's thread.
///
/// Answers come in any order; the controller applies sets in the order they were submitted. All methods are called on
/// the loop's thread, and so is `done`: for background jobs when the loop handles its mailbox, for those the reader
/// waits for before `perform` or `hurry` returns. A job is answered once, unless it is cancelled or the runner is
/// finished.
public final class JobRunner<Source: ElementSource> {
  /// The result of a job: the product or an error.
  public typealias Answer = Result<Source.Product, any Error>

  private let shared: SharedJobs<Source>
  private let workers: [Worker]
  private let limit: Int
  private let done: (JobID, Answer) -> Void

  /// A runner whose threads start with the first jobs, as many as the machine has processors, or `workers`. `limit` is
  /// the maximum number of waiting jobs: beyond it, the submitter runs some of them first. `post` runs a block on the
  /// loop's thread, soon, as `Mailbox.post` does; `work` is called on any thread.
  public init(
    name: String, workers count: Int? = nil, limit: Int = 1024,
    post: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
    work: @escaping @Sendable (Job<Source>.Work) throws -> Source.Product,
    done: @escaping (JobID, Answer) -> Void
  ) {
    let count = count ?? processorCount()
    precondition(count > 0 && limit > 0, "\(count) workers and \(limit) jobs that may wait")
    let me = Reference<JobRunner<Source>>()
    shared = SharedJobs(workers: count, work: work) { post { me.object?.deliver() } }
    workers = (0..<count).map { Worker(name: "\(name) \($0 + 1)") }
    self.limit = limit
    self.done = done
    me.object = self
  }

  deinit { shared.close() }

  /// Runs the jobs of a set concurrently; if the reader waits for them, they are answered on return.
  public func perform(_ jobs: [Job<Source>], isSynchronous: Bool = false) {
    guard !jobs.isEmpty else { return }
    // The waiting thread runs one of them.
    start(shared.add(jobs, isUrgent: isSynchronous, wake: jobs.count - (isSynchronous ? 1 : 0)))
    if isSynchronous { finish(Set(jobs.map(\.id))) } else { shared.work(downTo: limit) }
  }

  /// The reader waits for jobs submitted earlier: they are answered on return.
  public func hurry(_ jobs: [JobID]) {
    let jobs = Set(jobs)
    start(shared.hurry(jobs))
    finish(jobs)
  }

  /// Cancels jobs: waiting ones are dropped, and so are the answers of the others.
  public func cancel(_ jobs: [JobID]) { shared.cancel(Set(jobs)) }

  /// Drops waiting jobs, and returns when all threads are gone; nothing is answered any more.
  public func finish() {
    shared.close()
    for worker in workers { worker.finish() }
  }

  private func start(_ idle: [Int]) {
    for number in idle { workers[number].submit { [shared] in shared.work(as: number) } }
  }

  private func finish(_ jobs: Set<JobID>) {
    shared.finish(jobs)
    deliver()
  }

  private func deliver() {
    while let (job, answer) = shared.dequeueAnswer() { done(job, answer) }
  }
}

/// A weak reference to an object that is used on one thread only.
private final class Reference<Object: AnyObject>: @unchecked Sendable {
  weak var object: Object?
}

/// Available processors, at most 16.
private func processorCount() -> Int { min(16, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
