import Glibc
public import Listing

/// Does the jobs of a data controller on threads of its own, side by side, and answers on the thread that it belongs to.
///
/// Answers come in any order; the controller shows sets in the order in which they were submitted. Everything is called
/// on the thread of the loop, and so is `done`: for jobs in the background when the loop comes round to what was posted,
/// for those that the reader waits for before `perform` or `hurry` returns. A job is answered once, unless it is
/// cancelled or the runner is finished.
public final class JobRunner<Source: ElementSource> {
  /// The result of a job: what was made, or why it was not.
  public typealias Answer = Result<Source.Product, any Error>

  private let shared: SharedJobs<Source>
  private let workers: [Worker]
  private let limit: Int
  private let done: (JobID, Answer) -> Void

  /// A runner whose threads start with the first jobs, as many as the machine has processors, or as `workers` says.
  ///
  /// `limit` bounds the jobs that wait: beyond it, who submits more does some of them first. `post` runs a block on the
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

  /// Does the jobs of a set, side by side; when the reader waits for them, they are done and answered on return.
  public func perform(_ jobs: [Job<Source>], isSynchronous: Bool = false) {
    guard !jobs.isEmpty else { return }
    // Who waits does one of them.
    start(shared.add(jobs, isUrgent: isSynchronous, wake: jobs.count - (isSynchronous ? 1 : 0)))
    if isSynchronous { finish(Set(jobs.map(\.id))) } else { shared.work(downTo: limit) }
  }

  /// The reader waits for jobs that were submitted before: they are done and answered on return.
  public func hurry(_ jobs: [JobID]) {
    let jobs = Set(jobs)
    start(shared.hurry(jobs))
    finish(jobs)
  }

  /// Jobs that nobody wants any more: those that wait are dropped, and so are the answers of the others.
  public func cancel(_ jobs: [JobID]) { shared.cancel(Set(jobs)) }

  /// Drops what waits, and returns when all threads are gone; nothing is answered any more.
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

/// A way to an object for as long as it is there; the object is used on one thread only.
private final class Reference<Object: AnyObject>: @unchecked Sendable {
  weak var object: Object?
}

/// Processors that the process may use, at most 16.
private func processorCount() -> Int { min(16, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
