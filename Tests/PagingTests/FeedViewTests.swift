import TestSupport
import Paging
import Testing

@Suite struct FeedViewTests {
  private struct Never: FetchPolicy {
    mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict { Verdict(false) }
  }

  @Test func `remaining distances are those of items held beyond the visible ones`() throws {
    var rig = try Rig(Never()) { $0.keys = .page }
    rig.send(.refreshed(.start))
    rig.answer(.page(.numbers(0..<20, total: 100)))

    rig.look(at: 4, length: 6, velocity: 5)

    let view = try #require(rig.feed.view(of: .append))
    #expect(view.remainingItems == 10)
    #expect(view.remainingScreens == 10.0 / 6)
    #expect(view.remainingTime == 2)
    #expect(view.totalCount == 100)
    #expect(view.itemCount == 20)
    #expect(view.freeSlots == 4)
    #expect(!view.isFetching)
    let front = try #require(rig.feed.view(of: .prepend))
    #expect(front.remainingItems == 4)
    #expect(front.remainingTime == .infinity)
  }

  @Test func `a viewport past the edge has nothing remaining`() throws {
    var rig = try Rig(Never())

    rig.look(at: 0, length: 10)

    #expect(rig.feed.view(of: .append)?.remainingItems == 0)
    #expect(rig.feed.view(of: .append)?.remainingTime == .infinity)
  }

  @Test func `pages in flight and pages that wait for their turn are expected`() throws {
    let source = NumberSource(count: 1000, keys: .page)
    var rig = try Rig(Everything()) { $0.keys = .page }
    rig.look(at: 0)
    rig.answer(from: source)

    rig.answer(1, .page(.numbers(40..<47, total: 1000)))

    let view = try #require(rig.feed.view(of: .append))
    #expect(view.inFlight == 4)
    #expect(view.expectedItems == 20 + 7 + 20 + 20 + 20)
    #expect(view.isFetching)
    #expect(view.hintReason == .alreadyFetching)
  }

  @Test func `latencies are summed up over the last 64 fetches`() throws {
    var rig = try Rig(Everything())
    rig.look(at: 0)

    for milliseconds in 1...100 {
      rig.now = rig.now + .milliseconds(milliseconds)
      rig.answer(.page(.numbers(milliseconds..<milliseconds + 1, next: milliseconds)))
    }

    let latency = rig.feed.latency
    #expect(latency.count == 64)
    #expect(latency.last == 0.1)
    #expect(abs(latency.mean - 0.0685) < 1e-9)
    #expect(latency.p50 == 0.068)
    #expect(latency.p95 == 0.097)
  }

  @Test func `the yield is the mean of new items per page`() throws {
    var rig = try Rig(Everything()) { $0.keys = .page }
    rig.look(at: 0)
    #expect(rig.feed.view(of: .append)?.pageYield == 20)

    rig.answer(.page(.numbers(0..<20)))
    rig.answer(0, .page(.numbers(10..<30)))

    #expect(rig.feed.view(of: .append)?.pageYield == 15)
  }

  @Test func `a distance in items takes the place of the screens in the hint`() throws {
    var rig = try Rig(Never()) {
      $0.prefetchDistance = 3
      $0.keys = .page
    }
    rig.send(.refreshed(.start))
    rig.answer(.page(.numbers(0..<20)))

    rig.look(at: 10, length: 7)
    #expect(rig.feed.view(of: .append)?.hint == false)
    rig.look(at: 11, length: 7)
    #expect(rig.feed.view(of: .append)?.hint == true)
  }

  @Test func `every decision is noted only when asked for, those with consequences always`() throws {
    for (isAsked, notes) in [(false, 1), (true, 3)] {
      var rig = try Rig { $0.notesEveryDecision = isAsked }

      for index in 0..<3 { rig.look(at: index) }

      #expect(rig.noteNames.count { $0 == "decided" } == notes)
    }
  }
}
