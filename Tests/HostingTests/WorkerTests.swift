import Hosting
import Synchronization
import Testing

@Suite struct WorkerTests {
  @Test func `jobs run one by one in the order in which they came`() {
    let worker = Worker(name: "order")
    let ran = Mutex<[Int]>([])

    for number in 0..<1000 { worker.submit { ran.withLock { $0.append(number) } } }
    worker.finish()

    #expect(ran.withLock { $0 } == Array(0..<1000))
  }

  @Test func `jobs of all threads run, each thread's in its order`() async {
    let worker = Worker(name: "many")
    let ran = Log()

    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          for number in 0..<500 { worker.submit { ran.add(thread, number) } }
        }
      }
    }
    worker.finish()

    for thread in 0..<4 {
      let numbers = ran.numbers(of: thread)
      #expect(numbers == Array(0..<500))
    }
  }

  @Test func `jobs run on one thread that is not the caller's`() {
    let worker = Worker(name: "thread")
    let threads = Mutex<Set<UInt>>([])

    for _ in 0..<10 { worker.submit { threads.withLock { _ = $0.insert(currentThread()) } } }
    worker.finish()

    #expect(threads.withLock { $0 }.count == 1)
    #expect(!threads.withLock { $0 }.contains(currentThread()))
  }

  @Test func `a job for a finished worker is dropped`() {
    let worker = Worker(name: "over")
    let ran = Mutex(0)

    worker.submit { ran.withLock { $0 += 1 } }
    worker.finish()
    worker.submit { ran.withLock { $0 += 1 } }
    worker.finish()

    #expect(ran.withLock { $0 } == 1)
  }

  @Test func `a worker without jobs finishes`() {
    Worker(name: "idle").finish()
  }

  @Test func `a job may finish its own worker`() async {
    await withCheckedContinuation { continuation in
      let worker = Worker(name: "self")
      worker.submit {
        worker.finish()
        continuation.resume()
      }
    }
  }

  @Test func `a worker that is let go runs what it was given`() async {
    let count = await withCheckedContinuation { continuation in
      let ran = Log()
      let worker = Worker(name: "gone")
      for _ in 0..<100 { worker.submit { ran.add(0, 1) } }
      worker.submit { continuation.resume(returning: ran.numbers(of: 0).count) }
    }

    #expect(count == 100)
  }

  private final class Log: Sendable {
    private let entries = Mutex<[(thread: Int, number: Int)]>([])

    func add(_ thread: Int, _ number: Int) { entries.withLock { $0.append((thread, number)) } }

    func numbers(of thread: Int) -> [Int] {
      entries.withLock { $0.filter { $0.thread == thread }.map(\.number) }
    }
  }
}
