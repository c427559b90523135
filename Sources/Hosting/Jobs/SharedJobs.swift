import Listing

/// The shared state of a runner's threads: waiting jobs, running jobs, and undelivered answers.
final class SharedJobs<Source: ElementSource>: Sendable {
  private struct State: Sendable {
    /// Jobs that the reader waits for.
    var urgent = JobLine<Source>()
    var waiting = JobLine<Source>()
    /// Running jobs whose answers are wanted.
    var underWay: Set<JobID> = []
    var answers: ArraySlice<(JobID, JobRunner<Source>.Answer)> = []
    /// Numbers of idle workers.
    var idle: [Int]
    var isAnnounced = false
    var isClosed = false

    /// Removes and returns up to `limit` idle workers, to be started.
    mutating func dequeueIdle(_ limit: Int) -> [Int] {
      defer { idle.removeLast(min(idle.count, max(0, limit))) }
      return Array(idle.suffix(max(0, limit)))
    }

    mutating func begin() -> Job<Source>? {
      guard let job = urgent.dequeue() ?? waiting.dequeue() else { return nil }
      underWay.insert(job.id)
      return job
    }

    /// Marks the worker idle; there is nothing to do.
    mutating func rest(_ worker: Int) -> Job<Source>? {
      idle.append(worker)
      return nil
    }
  }

  private let monitor: Monitor<State>
  private let work: @Sendable (Job<Source>.Work) throws -> Source.Product
  private let announce: @Sendable () -> Void

  /// `announce` is called on any thread when there are answers, and again after they were fetched.
  init(
    workers: Int, work: @escaping @Sendable (Job<Source>.Work) throws -> Source.Product,
    announce: @escaping @Sendable () -> Void
  ) {
    monitor = Monitor(State(idle: Array((0..<workers).reversed())))
    self.work = work
    self.announce = announce
  }

  /// Adds jobs, and returns up to `limit` workers to start.
  func add(_ jobs: [Job<Source>], isUrgent: Bool, wake limit: Int) -> [Int] {
    monitor.withLock { state in
      guard !state.isClosed else { return [] }
      if isUrgent { state.urgent.append(jobs) } else { state.waiting.append(jobs) }
      return state.dequeueIdle(limit)
    }
  }

  /// Moves waiting jobs to the front, and returns the workers to start.
  func hurry(_ ids: Set<JobID>) -> [Int] {
    monitor.withLock { state in
      let jobs = state.waiting.remove(ids)
      state.urgent.append(jobs)
      return state.dequeueIdle(jobs.count - 1)
    }
  }

  /// Drops jobs, including the answers of running and finished ones.
  func cancel(_ ids: Set<JobID>) {
    monitor.withLock { state in
      _ = state.urgent.remove(ids)
      _ = state.waiting.remove(ids)
      state.underWay.subtract(ids)
      if state.answers.contains(where: { ids.contains($0.0) }) {
        state.answers.removeAll { ids.contains($0.0) }
      }
    }
  }

  /// Drops everything, permanently.
  func close() {
    monitor.withLock { state in
      state.urgent.removeAll()
      state.waiting.removeAll()
      state.underWay = []
      state.answers = []
      state.isClosed = true
    }
  }

  /// Removes and returns the next answer.
  func dequeueAnswer() -> (JobID, JobRunner<Source>.Answer)? {
    monitor.withLock { state in
      state.isAnnounced = false
      return state.answers.popFirst()
    }
  }
}

extension SharedJobs {
  /// Runs jobs until none wait; then the worker is idle.
  func work(as worker: Int) {
    while let job = monitor.withLock({ $0.begin() ?? $0.rest(worker) }) { perform(job) }
  }

  /// Runs urgent jobs, and waits for those running elsewhere.
  func finish(_ ids: Set<JobID>) {
    while let job = monitor.withLock({ $0.urgent.count > 0 ? $0.begin() : nil }) { perform(job) }
    monitor.wait { $0.underWay.isDisjoint(with: ids) ? () : nil }
  }

  /// Runs jobs until at most `limit` wait.
  func work(downTo limit: Int) {
    while let job = monitor.withLock({ $0.waiting.count > limit ? $0.begin() : nil }) { perform(job) }
  }

  private func perform(_ job: Job<Source>) {
    let answer = Result { try work(job.work) }
    let isNews = monitor.withLock { state in
      guard state.underWay.remove(job.id) != nil else { return false }
      state.answers.append((job.id, answer))
      defer { state.isAnnounced = true }
      return !state.isAnnounced
    }
    monitor.wakeAll()
    if isNews { announce() }
  }
}
