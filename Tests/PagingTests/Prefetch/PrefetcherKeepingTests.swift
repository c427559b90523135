import Items
import Paging
import Testing

/// What is held, for how long, and what is counted.
@Suite struct PrefetcherKeepingTests {
  @Test func `a failure reaches every waiter and is not kept`() {
    var rig = PrefetchRig()
    rig.get("a")
    rig.get("a")

    rig.fail("a", "broken")
    rig.get("a")
    rig.answer("a")

    #expect(rig.told == ["1 failed: broken", "2 failed: broken", "3 = a"])
    #expect(rig.prefetcher.statistics.failed == 1)
  }

  @Test func `a failed prefetch is not tried again at once, except by a reader`() {
    var rig = PrefetchRig()
    rig.prefetch("a")
    rig.fail("a")

    rig.prefetch("a")
    #expect(rig.fetching == [])
    #expect(rig.state("a") == .failed)
    rig.get("a")

    #expect(rig.fetching == ["a"])
    #expect(rig.prefetcher.attempt(of: .text("a")) == 2)
  }

  @Test func `a failed prefetch is tried again after a while`() {
    var rig = PrefetchRig { $0.failureDelay = .seconds(5) }
    rig.prefetch("a")
    rig.fail("a")

    rig.sleep(4)
    rig.prefetch("a")
    #expect(rig.fetching == [])
    rig.sleep(1)
    rig.prefetch("a")

    #expect(rig.fetching == ["a"])
  }

  @Test func `attempts are counted until one succeeds`() {
    var rig = PrefetchRig()
    for _ in 0..<3 {
      rig.get("a")
      rig.fail("a")
    }
    #expect(rig.prefetcher.attempt(of: .text("a")) == 4)

    rig.get("a")
    rig.answer("a")

    #expect(rig.prefetcher.attempt(of: .text("a")) == 1)
  }

  @Test func `a stale value is fetched again and can be seen meanwhile`() {
    var rig = PrefetchRig { $0.staleAfter = .seconds(10) }
    rig.get("a")
    rig.answer("a", "old")

    rig.sleep(9)
    rig.get("a")
    rig.sleep(1)
    rig.get("a")

    #expect(rig.told == ["1 = old", "at once = old"])
    #expect(rig.peek("a") == "old")
    rig.answer("a", "new")
    #expect(rig.told.last == "2 = new")
    #expect(rig.peek("a") == "new")
  }

  @Test func `a failed fetch leaves the stale value`() {
    var rig = PrefetchRig { $0.staleAfter = .seconds(1) }
    rig.prefetch("a")
    rig.answer("a", "old")
    rig.sleep(1)

    rig.get("a")
    rig.fail("a")

    #expect(rig.peek("a") == "old")
  }

  @Test func `the value that was not used for longest goes first`() {
    var rig = PrefetchRig { $0.capacity = 3 }
    for id in ["a", "b", "c"] {
      rig.get(id)
      rig.answer(id)
    }
    rig.get("a")
    _ = rig.peek("b")

    rig.get("d")
    rig.answer("d")

    #expect(rig.prefetcher.count == 3)
    #expect(["a", "b", "c", "d"].map { rig.peek($0) } == ["a", "b", nil, "d"])
    #expect(rig.prefetcher.statistics.evicted == 1)
    #expect(rig.prefetcher.statistics.wasted == 0)
  }

  @Test func `what is prefetched again goes after what is not`() {
    var rig = PrefetchRig { $0.capacity = 3 }
    rig.prefetch("a", "b", "c")
    for id in ["a", "b", "c"] { rig.answer(id) }

    rig.prefetch("a", "d")
    rig.answer("d")

    #expect(["a", "b", "c", "d"].map { rig.peek($0) } == ["a", nil, "c", "d"])
  }

  @Test func `no more is prefetched than can be held`() {
    var rig = PrefetchRig {
      $0.capacity = 2
      $0.maxInFlight = 9
    }

    rig.prefetch("a", "a", "b", "c", "d")

    #expect(rig.fetching == ["a", "b"])
  }

  @Test func `values that go unread are waste`() {
    var rig = PrefetchRig { $0.capacity = 1 }
    rig.prefetch("a")
    rig.answer("a")
    rig.prefetch("b")
    rig.answer("b")

    rig.get("b")
    rig.invalidate("b")

    #expect(rig.prefetcher.statistics.evicted == 1)
    #expect(rig.prefetcher.statistics.wasted == 1)
    #expect(rig.prefetcher.statistics.fetches == 2)
  }

  @Test func `what was invalidated is fetched again`() {
    var rig = PrefetchRig()
    rig.get("a")
    rig.answer("a", "old")

    rig.invalidate("a")
    #expect(rig.peek("a") == nil)
    rig.get("a")
    rig.answer("a", "new")

    #expect(rig.told == ["1 = old", "2 = new"])
  }

  @Test func `a waiter whose item is invalidated meanwhile gets what is true afterwards`() {
    var rig = PrefetchRig()
    rig.get("a")
    let before = rig.flying[0].name

    rig.invalidate("a", "b")
    rig.take(rig.prefetcher.answered(before, with: "old", at: rig.now))
    #expect(rig.told == [])
    rig.answer("a", "new")

    #expect(rig.takenBack == [before])
    #expect(rig.told == ["1 = new"])
    #expect(rig.prefetcher.count == 1)
  }

  @Test func `invalidating lets a failed prefetch be tried again`() {
    var rig = PrefetchRig()
    rig.prefetch("a")
    rig.fail("a")

    rig.invalidate()
    rig.prefetch("a")

    #expect(rig.fetching == ["a"])
  }

  @Test func `hits, joins and misses add up to the reads`() {
    var rig = PrefetchRig()
    rig.prefetch("a")
    rig.get("a")
    rig.get("b")
    rig.get("b")
    rig.answer("b")
    rig.get("b")

    let statistics = rig.prefetcher.statistics
    #expect([statistics.hits, statistics.joins, statistics.misses] == [1, 2, 1])
  }
}
