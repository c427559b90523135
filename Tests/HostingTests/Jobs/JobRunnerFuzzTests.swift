import Glibc
import Hosting
import Items
import Listing
import Paging
import Synchronization
import Testing

@Suite struct JobRunnerFuzzTests {
  @Test(arguments: UInt64(1)...40)
  func `whatever finishes first, sets become visible as they were submitted`(seed: UInt64) throws {
    var random = RandomStream(seed: seed)
    let rig = JobRig(workers: Int.random(in: 1...4, using: &random), coalesces: seed % 2 == 0) { work in
      let text = NumberRows.text(of: work)
      for _ in 0..<(text.hashValue & 63) { sched_yield() }
      return text
    }
    var submitted: [[Int]] = []
    var numbers: [Int] = []

    for round in 1...40 {
      rig.controller.processingMode =
        Int.random(in: 0..<5, using: &random) == 0 ? .alwaysSynchronous : .alwaysAsynchronous
      numbers = edited(numbers, round, &random)
      submitted.append(numbers)
      try rig.show(numbers, completion: round, remakes: Int.random(in: 0..<4, using: &random) == 0)
      if Bool.random(using: &random) { rig.inbox.drain() }
    }

    #expect(rig.inbox.turn { rig.completed.count == 40 }, "seed \(seed)")
    #expect(rig.completed == Array(1...40), "seed \(seed)")
    var rest = submitted.map { $0.map(String.init) }[...]
    for shown in rig.shown {
      guard let next = rest.firstIndex(of: shown) else {
        Issue.record("seed \(seed): \(shown) was shown, which is none of the sets that are left")
        return
      }
      rest = rest[(next + 1)...]
    }
    #expect(rig.visible == numbers.map(String.init), "seed \(seed)")
  }

  @Test(arguments: UInt64(1)...20)
  func `every job is answered once, unless it was cancelled`(seed: UInt64) {
    var random = RandomStream(seed: seed)
    let inbox = Inbox()
    var answered: Set<Int> = []
    var cancelled: Set<Int> = []
    var last = 0
    let runner = JobRunner<NumberRows>(
      name: "thrash", workers: Int.random(in: 1...4, using: &random),
      limit: Int.random(in: 1...50, using: &random), post: inbox.post, work: NumberRows.text
    ) { job, answer in
      #expect((try? answer.get()) == "\(job.number)", "seed \(seed)")
      #expect(!cancelled.contains(job.number), "seed \(seed): job \(job.number) was cancelled")
      #expect(answered.insert(job.number).inserted, "seed \(seed): job \(job.number) was answered twice")
    }

    for _ in 0..<300 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0...4:
        let jobs = (last + 1...last + Int.random(in: 1...30, using: &random)).map {
          Job<NumberRows>(id: JobID(number: $0), element: ElementID(number: $0), work: .make($0))
        }
        last += jobs.count
        let waits = Int.random(in: 0..<3, using: &random) == 0
        runner.perform(jobs, isSynchronous: waits)
        if waits { #expect(jobs.allSatisfy { answered.contains($0.id.number) }, "seed \(seed)") }
      case 5:
        let open = (max(1, last - 40)...max(1, last)).filter { !answered.contains($0) && $0 <= last }
        let chosen = open.filter { _ in Bool.random(using: &random) }
        cancelled.formUnion(chosen)
        runner.cancel(chosen.map { JobID(number: $0) })
      case 6:
        let open = (max(1, last - 20)...max(1, last)).filter {
          !answered.contains($0) && !cancelled.contains($0) && $0 <= last
        }
        runner.hurry(open.map { JobID(number: $0) })
        #expect(open.allSatisfy { answered.contains($0) }, "seed \(seed)")
      default: inbox.drain()
      }
    }

    #expect(inbox.turn { answered.count + cancelled.count == last }, "seed \(seed)")
    runner.finish()
  }

  private func edited(_ numbers: [Int], _ round: Int, _ random: inout RandomStream) -> [Int] {
    var result = numbers.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
    if Int.random(in: 0..<3, using: &random) == 0 { result.shuffle(using: &random) }
    for number in 0..<Int.random(in: 0..<6, using: &random) {
      result.insert(round * 100 + number, at: Int.random(in: 0...result.count, using: &random))
    }
    return result
  }
}
