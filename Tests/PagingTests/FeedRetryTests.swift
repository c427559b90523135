import TestSupport
import Paging
import Testing

@Suite struct FeedRetryTests {
  @Test func `a passing failure is tried again when the wait is over`() throws {
    var rig = try Rig(Everything()) { $0.retry.jitter = .none }
    rig.look(at: 0)

    rig.fail()
    guard case .failed(_, let retryAt) = rig.feed.state(of: .append) else {
      Issue.record("not failed")
      return
    }
    #expect(retryAt == .zero + .milliseconds(500))
    #expect(rig.wakeAt == retryAt)
    rig.sleep()

    #expect(rig.started.map(\.attempt) == [1, 2])
    #expect(rig.started[1].id != rig.started[0].id)
    rig.answer(.page(.numbers(0..<3)))
    #expect(rig.shown == [0, 1, 2])
  }

  @Test func `waking too early does nothing`() throws {
    var rig = try Rig(Everything()) { $0.retry.jitter = .none }
    rig.look(at: 0)
    rig.fail()

    rig.now = .zero + .milliseconds(499)
    rig.send(.woke)

    #expect(rig.waiting.isEmpty)
    #expect(rig.effects.contains(.wake(at: .zero + .milliseconds(500))))
  }

  @Test func `after the last attempt the feed gives up until retried`() throws {
    var rig = try Rig(Everything()) { $0.retry = RetryRule(count: 2) }
    rig.look(at: 0)
    for _ in 0..<2 {
      rig.fail()
      rig.sleep()
    }
    rig.fail()

    #expect(rig.started.count == 3)
    guard case .gaveUp = rig.feed.state(of: .append) else {
      Issue.record("not given up")
      return
    }
    rig.look(at: 3)
    #expect(rig.waiting.isEmpty)

    rig.send(.retried)
    #expect(rig.waiting.map(\.attempt) == [1])
  }

  @Test func `what will not pass is not tried again`() throws {
    var rig = try Rig(Everything())
    rig.look(at: 0)

    rig.fail(code: "script", isTransient: false)

    #expect(rig.wakeAt == nil)
    #expect(rig.noteNames.contains("gaveUp"))
  }

  @Test func `Retry-After is the least wait there is`() throws {
    var rig = try Rig(Everything())
    rig.look(at: 0)

    rig.fail(isTransient: false, retryAfter: .seconds(90))

    #expect(rig.wakeAt == .zero + .seconds(90))
  }

  @Test func `a wait longer than allowed is a failure`() throws {
    var rig = try Rig(Everything())
    rig.look(at: 0)

    rig.fail(retryAfter: .seconds(301))

    #expect(rig.wakeAt == nil)
    #expect(rig.noteNames.contains("gaveUp"))
  }

  @Test func `pages behind a failed one go on and wait, and nothing new is started`() throws {
    let source = NumberSource(count: 1000)
    var rig = try Rig(Everything()) { $0.keys = .offset }
    rig.look(at: 0)
    rig.answer(from: source)

    rig.fail(0)
    for _ in 0..<3 { rig.answer(from: source) }
    #expect(rig.waiting.isEmpty)
    #expect(rig.shown == Array(0..<20))
    rig.sleep()
    rig.answer(from: source)

    #expect(rig.shown == Array(0..<100))
    #expect(rig.waiting.count == 4)
  }

  @Test func `a retry after items were appended shows nothing twice`() throws {
    var rig = try Rig(Everything()) { $0.keys = .page }
    rig.look(at: 0)
    rig.send(.appended(rig.waiting[0].id, .numbers(0..<3), received: 3))

    rig.fail()
    rig.sleep()
    rig.send(.appended(rig.waiting[0].id, .numbers(0..<5), received: 5))
    rig.answer(.completed(more: false))

    #expect(rig.shown == [0, 1, 2, 3, 4])
    #expect(rig.feed.state(of: .append) == .exhausted)
  }

  @Test func `an attempt past its deadline is cancelled and tried again, and its answer thrown away`() throws
  {
    var rig = try Rig(Everything()) {
      $0.deadline = .seconds(10)
      $0.retry.jitter = .none
    }
    rig.look(at: 0)
    let first = rig.waiting[0].id
    #expect(rig.wakeAt == .zero + .seconds(10))

    rig.sleep()
    #expect(rig.cancelled == [first])
    rig.send(.answered(first, .page(.numbers(0..<3))))
    #expect(rig.notes.contains(.threwAwayLateAnswer(first)))
    #expect(rig.shown.isEmpty)
    rig.sleep()

    #expect(rig.started.map(\.attempt) == [1, 2])
  }

  @Test func `failures in a row are counted until something lands`() throws {
    var rig = try Rig(Everything())
    rig.look(at: 0)
    rig.fail()
    rig.sleep()
    rig.fail()
    #expect(rig.feed.view(of: .append)?.errorStreak == 2)
    rig.sleep()

    rig.answer(.page(.numbers(0..<3)))

    #expect(rig.feed.view(of: .append)?.errorStreak == 0)
  }

  @Test func `full jitter stays below its limit and differs`() {
    var random = RandomStream(seed: 1)
    let rule = RetryRule(count: 10, base: .seconds(1), cap: .seconds(8))

    let delays = (1...10).map { rule.delay(afterAttempt: $0, random: &random)! }

    for (index, delay) in delays.enumerated() { #expect(delay <= .seconds(min(8, 1 << index))) }
    #expect(Set(delays).count == 10)
    #expect(rule.delay(afterAttempt: 11, random: &random) == nil)
  }

  @Test func `pages before one that failed for good are still delivered`() throws {
    var rig = try Rig(Everything()) {
      $0.keys = .page
      $0.pageSize = 2
      $0.maxInFlight = 3
    }
    rig.look(at: 0)
    rig.answer(.page(Page(PageItems(.numbers(0..<2)), total: 20)))

    rig.fail(1, code: "script", isTransient: false)
    #expect(rig.feed.state(of: .append) == .fetching(inFlight: 2))
    #expect(rig.started.count == 4)

    rig.answer(.page(Page(PageItems(.numbers(2..<4)), total: 20)))
    #expect(rig.shown == [0, 1, 2, 3])
    guard case .gaveUp = rig.feed.state(of: .append) else {
      Issue.record("not given up")
      return
    }
  }
}
