import Hosting
import Items
import Listing
import Paging
import Synchronization
import Testing

@Suite struct JobRunnerTests {
  typealias Runner = JobRunner<NumberRows>

  @Test func `jobs of one set run side by side`() throws {
    let begun = Mutex(0)
    let both = Gate()
    let rig = JobRig(workers: 2) { work in
      let isLast = begun.withLock { count in
        count += 1
        return count == 2
      }
      if isLast { both.open() }
      #expect(both.pass(), "no second job began while the first was under way")
      return NumberRows.text(of: work)
    }

    try rig.show([1, 2], completion: 1)

    #expect(rig.inbox.turn { rig.completed == [1] })
    #expect(rig.visible == ["1", "2"])
  }

  @Test func `the thread that submits does not do what runs in the background`() throws {
    let threads = Mutex<Set<UInt>>([])
    let rig = JobRig(workers: 2) { work in
      threads.withLock { _ = $0.insert(currentThread()) }
      return NumberRows.text(of: work)
    }

    try rig.show(Array(0..<100), completion: 1)

    #expect(rig.inbox.turn { rig.completed == [1] })
    #expect(!threads.withLock { $0 }.contains(currentThread()))
  }

  @Test func `a reader who waits is answered before the call returns, whatever is queued before`() throws {
    let gate = Gate()
    let rig = JobRig(workers: 1) { work in
      if case .make(0) = work { gate.pass() }
      return NumberRows.text(of: work)
    }
    try rig.show([0, 1, 2, 3], completion: 1)
    #expect(gate.waitForArrival())
    var made: [Int: String] = [:]
    let other = Runner(name: "other", workers: 1, post: rig.inbox.post, work: NumberRows.text) {
      job, answer in
      made[job.number] = try? answer.get()
    }

    other.perform((10..<20).map(job), isSynchronous: true)

    #expect(made.count == 10)
    #expect(made[15] == "15")
    gate.open()
    #expect(rig.inbox.turn { rig.completed == [1] })
    other.finish()
  }

  @Test func `jobs that are hurried are done on return, and those behind them are not waited for`() {
    let gate = Gate()
    let inbox = Inbox()
    var answered: [Int] = []
    let runner = Runner(name: "hurry", workers: 1, post: inbox.post) { work in
      if case .make(0) = work { gate.pass() }
      return NumberRows.text(of: work)
    } done: { job, _ in
      answered.append(job.number)
    }
    runner.perform((0..<10).map(job))
    #expect(gate.waitForArrival())

    runner.hurry([JobID(number: 7), JobID(number: 8)])

    #expect(answered == [7, 8])
    gate.open()
    #expect(inbox.turn { answered.count == 10 })
    runner.finish()
  }

  @Test func `what is cancelled is not begun, and not answered where it was`() {
    let gate = Gate()
    let inbox = Inbox()
    let began = Mutex<[Int]>([])
    var answered: [Int] = []
    let runner = Runner(name: "cancel", workers: 1, post: inbox.post) { work in
      guard case .make(let number) = work else { return "" }
      began.withLock { $0.append(number) }
      if number == 0 { gate.pass() }
      return "\(number)"
    } done: { job, _ in
      answered.append(job.number)
    }
    runner.perform((0..<6).map(job))
    #expect(gate.waitForArrival())

    runner.cancel([0, 2, 4].map { JobID(number: $0) })
    gate.open()

    #expect(inbox.turn { answered.count == 3 })
    #expect(answered == [1, 3, 5])
    runner.finish()
    #expect(began.withLock { $0 } == [0, 1, 3, 5])
  }

  @Test func `who submits more than may wait does some of it`() {
    let gate = Gate()
    let inbox = Inbox()
    let mine = Mutex<[Int]>([])
    let here = currentThread()
    var answered: Set<Int> = []
    let runner = Runner(name: "limit", workers: 1, limit: 3, post: inbox.post) { work in
      guard case .make(let number) = work else { return "" }
      if number == 0 { gate.pass() }
      if currentThread() == here { mine.withLock { $0.append(number) } }
      return "\(number)"
    } done: { job, _ in
      answered.insert(job.number)
    }
    runner.perform([job(0)])
    #expect(gate.waitForArrival())

    runner.perform((1...8).map(job))

    #expect(mine.withLock { $0 } == [1, 2, 3, 4, 5])
    gate.open()
    #expect(inbox.turn { answered.count == 9 })
    runner.finish()
  }

  @Test func `a runner that finishes waits for what is under way and drops the rest`() {
    let gate = Gate()
    let inbox = Inbox()
    let began = Mutex<[Int]>([])
    var answered = 0
    let runner = Runner(name: "finish", workers: 1, post: inbox.post) { work in
      guard case .make(let number) = work else { return "" }
      began.withLock { $0.append(number) }
      gate.pass()
      return "\(number)"
    } done: { _, _ in
      answered += 1
    }
    runner.perform((0..<5).map(job))
    #expect(gate.waitForArrival())

    gate.open()
    runner.finish()
    runner.perform([job(9)])
    runner.perform([job(10)], isSynchronous: true)
    inbox.drain()

    #expect(began.withLock { $0 }.first == 0)
    #expect(!began.withLock { $0 }.contains(9))
    #expect(!began.withLock { $0 }.contains(10))
    #expect(answered == 0)
  }

  @Test func `a job that fails leaves its item unmade and holds nothing up`() throws {
    struct Failure: Error {}
    let rig = JobRig(workers: 2) { work in
      if case .make(2) = work { throw Failure() }
      return NumberRows.text(of: work)
    }

    try rig.show([1, 2, 3], completion: 1)
    try rig.show([1, 2, 3, 4], completion: 2)

    #expect(rig.inbox.turn { rig.completed == [1, 2] })
    #expect(rig.visible == ["1", "unmade", "3", "4"])
    #expect(rig.failed == 1)
  }

  @Test func `an answer that comes when the runner is gone is nobody's`() {
    let inbox = Inbox()
    let gate = Gate()
    var runner: Runner? = Runner(name: "gone", workers: 1, post: inbox.post) { work in
      gate.pass()
      return NumberRows.text(of: work)
    } done: { _, _ in
      Issue.record("answered by a runner that is gone")
    }
    runner?.perform([job(1)])
    #expect(gate.waitForArrival())

    runner = nil
    gate.open()

    inbox.drain()
  }

  private func job(_ number: Int) -> Job<NumberRows> {
    Job(id: JobID(number: number), element: ElementID(number: number), work: .make(number))
  }
}
