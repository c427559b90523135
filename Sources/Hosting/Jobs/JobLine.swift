import Listing

/// Waiting jobs, first in, first out; dequeuing takes constant time.
struct JobLine<Source: ElementSource>: Sendable {
  private var jobs: [Job<Source>?] = []
  private var first = 0
  /// Number of waiting jobs.
  private(set) var count = 0

  mutating func append(_ more: [Job<Source>]) {
    jobs += more.map(Optional.some)
    count += more.count
  }

  /// Removes and returns the job that has waited longest.
  mutating func dequeue() -> Job<Source>? {
    while first < jobs.count {
      let job = jobs[first]
      jobs[first] = nil
      first += 1
      guard let job else { continue }
      count -= 1
      dropTaken()
      return job
    }
    return nil
  }

  /// Removes those of the jobs that wait here, and returns them in order.
  mutating func remove(_ ids: Set<JobID>) -> [Job<Source>] {
    var taken: [Job<Source>] = []
    for index in first..<jobs.count {
      guard let job = jobs[index], ids.contains(job.id) else { continue }
      taken.append(job)
      jobs[index] = nil
    }
    count -= taken.count
    return taken
  }

  mutating func removeAll() { self = JobLine() }

  /// Frees the places of dequeued jobs, now and then.
  private mutating func dropTaken() {
    guard first >= 64, first > jobs.count / 2 else { return }
    jobs.removeFirst(first)
    first = 0
  }
}
