import Items
import Paging
import TestSupport
import Testing

/// What follows where a policy withdraws what is in flight.
@Suite struct WithdrawalTests {
  /// Withdraws so many fetches, and wants a page whenever none is in flight.
  struct GivingUp: FetchPolicy {
    var rest: Int

    mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
      guard view.isFetching else { return Verdict(fetch: 1, reason: "none is in flight") }
      guard rest > 0 else { return Verdict(fetch: 0, reason: "one is in flight") }
      rest -= 1
      return Verdict(fetch: 0, cancel: true, reason: "too slow")
    }
  }

  @Test(arguments: [KeyKind.cursor, .page, .offset])
  func `the policy is asked again at once, so that the list does not stand still`(keys: KeyKind) throws {
    var rig = try Rig(GivingUp(rest: 1)) { $0.keys = keys }
    rig.look(at: 0)

    rig.look(at: 1)

    #expect(rig.started.count == 2)
    #expect(rig.waiting.count == 1)
  }

  @Test func `one that withdraws everything gets somewhere in the end`() throws {
    let source = NumberSource(count: 100, keys: .cursor)
    var rig = try Rig(GivingUp(rest: .max))
    rig.look(at: 0)
    for place in 1...300 where !rig.waiting.isEmpty {
      rig.answer(from: source)
      rig.look(at: place % 90)
    }

    #expect(rig.shown == Array(0..<100))
  }

  @Test func `a view says whether a page is in flight, and beside it whether there is room for another`()
    throws
  {
    var rig = try Rig(GivingUp(rest: 0)) { ($0.keys, $0.maxInFlight) = (.page, 4) }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<20, total: 1000)))
    rig.look(at: 10)

    let view = try #require(rig.feed.view(of: .append))
    #expect(view.inFlight == 1 && view.isFetching && !view.isFull)
  }

  @Test
  func `a page that lands behind the one whose turn it is does not let everything be withdrawn for ever`()
    throws
  {
    let source = NumberSource(count: 100, keys: .page)
    var rig = try Rig(GivingUp(rest: .max)) { ($0.keys, $0.maxInFlight) = (.page, 2) }
    rig.look(at: 0)
    for _ in 0..<2000 where rig.shown.isEmpty {
      guard !rig.waiting.isEmpty else { break }
      rig.answer(rig.waiting.count - 1, from: source)
    }

    #expect(!rig.shown.isEmpty)
  }
}
