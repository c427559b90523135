import Items
import TestSupport
import Paging
import Testing

/// Who goes first.
@Suite struct PrefetcherOrderTests {
  private func busy() -> PrefetchRig {
    var rig = PrefetchRig { $0.maxInFlight = 1 }
    rig.prefetch("busy")
    return rig
  }

  /// The order in which everything begins that waits.
  private func order(_ rig: PrefetchRig) -> [String] {
    var rig = rig
    while let id = rig.fetching.first { rig.answer(id) }
    return Array(rig.begun.dropFirst())
  }

  @Test func `no more are in flight than allowed`() {
    var rig = PrefetchRig { $0.maxInFlight = 2 }

    rig.prefetch("a", "b", "c")
    rig.get("d")

    #expect(rig.fetching == ["a", "b"])
    #expect(rig.prefetcher.queued == 2)
    #expect([rig.state("a"), rig.state("c"), rig.state("e")] == [.fetching, .queued, .none])
  }

  @Test func `readers overtake prefetches`() {
    var rig = busy()
    rig.prefetch("a", "b")

    rig.get("c")

    #expect(order(rig) == ["c", "a", "b"])
  }

  @Test func `a reader lifts the prefetch that he joins`() {
    var rig = busy()
    rig.prefetch("a", "b", "c")

    rig.get("c")

    #expect(order(rig) == ["c", "a", "b"])
  }

  @Test func `readers are served in the order in which they came`() {
    var rig = busy()
    rig.get("b")
    rig.get("a")
    rig.get("b")

    rig.prefetch("a", "c")

    #expect(order(rig) == ["b", "a", "c"])
  }

  @Test func `the last prefetch says what is important now`() {
    var rig = busy()
    rig.prefetch("a", "b", "c")

    rig.prefetch("d", "c", "d")

    #expect(order(rig) == ["d", "c", "a", "b"])
  }

  @Test func `a prefetch whose reader gave up goes behind readers again`() {
    var rig = busy()
    rig.prefetch("a")
    let token = rig.get("a")
    rig.get("b")

    rig.cancel(token, of: "a")

    #expect(order(rig) == ["b", "a"])
  }

  @Test func `a reader who comes back queues up again`() {
    var rig = busy()
    let token = rig.get("a")
    rig.get("b")
    rig.cancel(token, of: "a")

    rig.get("a")

    #expect(order(rig) == ["b", "a"])
  }

  @Test func `invalidating puts back what was in flight and leaves the queue as it is`() {
    var rig = PrefetchRig { $0.maxInFlight = 2 }
    rig.prefetch("c", "b", "z", "a")

    rig.invalidate()

    #expect(rig.takenBack.map(\.number) == [1, 2])
    #expect(rig.begun == ["c", "b", "c", "b"])
    rig.answer("c")
    rig.answer("b")
    #expect(rig.begun.suffix(2) == ["z", "a"])
  }

  @Test func `a queue that is asked for and cancelled for ever does not grow slow`() {
    var rig = busy()
    for number in 0..<20_000 {
      let token = rig.get("a")
      rig.cancel(token, of: "a")
      if number % 100 == 0 { rig.prefetch("b") }
    }

    rig.get("a")

    #expect(order(rig) == ["a", "b"])
  }
}
