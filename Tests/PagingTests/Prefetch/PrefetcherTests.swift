import Items
import Paging
import Testing

/// What is wrong with UIKit's AsyncFetcher sample does not happen here (specs/paging.md 2.4).
@Suite struct PrefetcherTests {
  @Test func `an id is fetched once, however many ask for it`() {
    var rig = PrefetchRig()

    rig.prefetch("a", "a")
    rig.get("a")
    rig.get("a")
    rig.prefetch("a")

    #expect(rig.begun == ["a"])
    #expect(rig.prefetcher.statistics.joins == 2)
  }

  @Test func `every waiter is told, in the order in which they came`() {
    var rig = PrefetchRig()
    rig.get("a")
    rig.get("a")
    rig.get("a")

    rig.answer("a")

    #expect(rig.told == ["1 = a", "2 = a", "3 = a"])
  }

  @Test func `a value that is held is there at once`() {
    var rig = PrefetchRig()
    rig.prefetch("a")
    rig.answer("a")

    rig.get("a")

    #expect(rig.told == ["at once = a"])
    #expect(rig.prefetcher.statistics.hits == 1)
    #expect(rig.begun == ["a"])
  }

  @Test func `between the end of a fetch and its keeping there is no gap for a second one`() {
    var rig = PrefetchRig()
    rig.get("a")

    rig.answer("a")
    rig.prefetch("a")
    rig.get("a")

    #expect(rig.begun == ["a"])
    #expect(rig.told == ["1 = a", "at once = a"])
  }

  @Test func `a cancelled prefetch takes nothing from a waiting reader`() {
    var rig = PrefetchRig()
    rig.prefetch("a")
    rig.get("a")

    rig.cancelPrefetch("a")
    rig.answer("a")

    #expect(rig.takenBack == [])
    #expect(rig.told == ["1 = a"])
  }

  @Test func `a prefetch that nobody waits for is taken back`() {
    var rig = PrefetchRig()
    rig.prefetch("a", "b")

    rig.cancelPrefetch("a", "c")

    #expect(rig.fetching == ["b"])
    #expect(rig.prefetcher.statistics.cancelled == 1)
    #expect(rig.state("a") == .none)
  }

  @Test func `a prefetch taken back before it began costs nothing`() {
    var rig = PrefetchRig { $0.maxInFlight = 1 }
    rig.prefetch("a", "b", "c")

    rig.cancelPrefetch("b")
    rig.answer("a")

    #expect(rig.begun == ["a", "c"])
    #expect(rig.takenBack == [])
  }

  @Test func `a reader who gives up leaves the others waiting`() {
    var rig = PrefetchRig()
    let first = rig.get("a")
    rig.get("a")

    rig.cancel(first, of: "a")
    rig.answer("a")

    #expect(rig.told == ["2 = a"])
  }

  @Test func `a reader who gives up leaves the prefetch`() {
    var rig = PrefetchRig()
    rig.prefetch("a")
    let token = rig.get("a")

    rig.cancel(token, of: "a")

    #expect(rig.fetching == ["a"])
  }

  @Test func `the last reader to give up ends the fetch`() {
    var rig = PrefetchRig()
    let first = rig.get("a")
    let second = rig.get("a")

    rig.cancel(first, of: "a")
    rig.cancel(second, of: "a")
    rig.cancel(second, of: "a")

    #expect(rig.fetching == [])
    #expect(rig.takenBack.count == 1)
  }

  @Test func `a late answer to a fetch that was taken back changes nothing`() {
    var rig = PrefetchRig()
    rig.prefetch("a")
    let name = rig.flying[0].name
    rig.cancelPrefetch("a")

    let late = rig.prefetcher.answered(name, with: "late", at: rig.now)

    #expect(late.isEmpty)
    #expect(rig.peek("a") == nil)
    #expect(rig.prefetcher.count == 0)
  }

  @Test func `a late answer does not end the fetch that came after it`() {
    var rig = PrefetchRig()
    rig.prefetch("a")
    let name = rig.flying[0].name
    rig.cancelPrefetch("a")
    rig.get("a")

    rig.take(rig.prefetcher.answered(name, with: "late", at: rig.now))
    rig.take(rig.prefetcher.failed(name, with: FetchFailure(code: "x", message: "late"), at: rig.now))
    rig.answer("a", "new")

    #expect(rig.told == ["1 = new"])
  }

  @Test func `an answer is for the item that was asked for, not for the row that showed it`() {
    var rig = PrefetchRig()
    let ofFirst = rig.get("a")
    rig.prefetch("a")
    rig.cancel(ofFirst, of: "a")
    rig.get("b")

    rig.answer("a")
    #expect(rig.told == [])
    rig.answer("b")

    #expect(rig.told == ["2 = b"])
    #expect(rig.peek("a") == "a")
  }

  @Test func `integers and texts that look alike are different ids`() {
    var prefetcher = Prefetcher<String>()

    let effects = prefetcher.prefetch([.integer(1), .text("1")], at: .zero)

    #expect(effects.count == 2)
    #expect(prefetcher.inFlight == 2)
  }

  @Test func `options below one are one`() {
    var rig = PrefetchRig {
      $0.maxInFlight = 0
      $0.capacity = -3
    }

    rig.get("a")
    rig.get("b")
    rig.answer("a")
    rig.answer("b")

    #expect(rig.told == ["1 = a", "2 = b"])
    #expect(rig.prefetcher.count == 1)
  }
}
