import Foundation
import Testing

/// For suites whose tests wait for processes. Those of all others share one thread for each core, and hold it while they wait; these
/// have threads of their own, so that something goes on meanwhile.
struct Waiting: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(WaitingThreads.all) { try await function() }
  }
}

extension Trait where Self == Waiting {
  /// The tests of this suite wait for processes.
  static var waiting: Waiting { Waiting() }
}

/// Threads that take what there is to do, in the order in which it came.
private final class WaitingThreads: TaskExecutor {
  /// Most tests wait for one process, which computes for half of the time.
  static let all = WaitingThreads(count: 2 * ProcessInfo.processInfo.activeProcessorCount)

  private let jobs = Jobs()

  private init(count: Int) {
    for _ in 0..<count {
      let thread = Thread { [jobs, executor = asUnownedTaskExecutor()] in
        while true { jobs.next().runSynchronously(on: executor) }
      }
      // As much as the threads of all other tests have.
      thread.stackSize = 1 << 23
      thread.start()
    }
  }

  func enqueue(_ job: consuming ExecutorJob) { jobs.add(UnownedJob(job)) }

  /// What waits for a thread.
  private final class Jobs: @unchecked Sendable {
    private let condition = NSCondition()
    private var waiting: [UnownedJob] = []
    /// How many of them are gone.
    private var taken = 0

    func add(_ job: UnownedJob) {
      condition.withLock {
        waiting.append(job)
        condition.signal()
      }
    }

    func next() -> UnownedJob {
      condition.withLock {
        while taken == waiting.count { condition.wait() }
        taken += 1
        let job = waiting[taken - 1]
        if taken == waiting.count { (waiting, taken) = ([], 0) }
        return job
      }
    }
  }
}
