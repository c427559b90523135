import Items
import TestSupport
import Paging
import Testing

@Suite struct FeedRefreshTests {
  @Test func `what is held stays until the first new page arrives`() throws {
    var rig = try Rig { $0.keys = .page }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<20)))

    rig.send(.refreshed(.start))
    #expect(rig.shown == Array(0..<20))
    #expect(rig.waiting.map(\.direction) == [.refresh])
    rig.answer(.page(.numbers(5..<25)))

    #expect(rig.shown == Array(5..<25))
    #expect(rig.changes.last?.removals.map(\.range) == [0..<5])
    #expect(rig.changes.last?.insertedItems.ids == Array(20..<25))
  }

  @Test func `a refresh fetches at once, whatever the policy says`() throws {
    struct Never: FetchPolicy {
      mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict { Verdict(false) }
    }
    var rig = try Rig(Never())

    rig.send(.refreshed(.start))

    #expect(rig.waiting.count == 1)
  }

  @Test func `answers of an older generation are thrown away, visibly`() throws {
    var rig = try Rig(Everything())
    rig.look(at: 0)
    let old = rig.waiting[0].id

    rig.send(.refreshed(.start))
    rig.send(.answered(old, .page(.numbers(90..<99))))

    #expect(rig.cancelled == [old])
    #expect(rig.shown.isEmpty)
    #expect(rig.notes.contains(.threwAwayLateAnswer(old)))
    #expect(rig.waiting[0].id.generation == old.generation + 1)
  }

  @Test func `a refresh that fails leaves what is held`() throws {
    var rig = try Rig { $0.retry = .never }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<20)))
    rig.send(.refreshed(.start))

    rig.fail()
    #expect(rig.shown == Array(0..<20))
    rig.send(.retried)
    rig.answer(.page(.numbers(7..<9)))

    #expect(rig.shown == [7, 8])
  }

  @Test func `a refresh to nothing empties the screen`() throws {
    var rig = try Rig { $0.keys = .page }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<20)))

    rig.send(.refreshed(.start))
    rig.answer(.page(.numbers([])))

    #expect(rig.shown.isEmpty)
    #expect(rig.feed.state(of: .append) == .exhausted)
  }

  @Test func `cancelling stops everything until the reader moves`() throws {
    var rig = try Rig(Everything()) { $0.keys = .page }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<20, total: 100)))
    let ids = rig.waiting.map(\.id)

    rig.send(.cancelled)
    #expect(Set(rig.cancelled) == Set(ids))
    #expect(rig.feed.state(of: .append) == .idle)
    rig.send(.answered(ids[0], .page(.numbers(20..<40))))
    #expect(rig.shown == Array(0..<20))
    #expect(rig.waiting.isEmpty)

    rig.look(at: 1)
    #expect(rig.waiting.map { $0.key?.number } == [2, 3, 4, 5])
  }

  @Test func `cancelling the first fetch leaves nothing behind`() throws {
    var rig = try Rig(Everything())
    rig.look(at: 0)

    rig.send(.cancelled)

    #expect(rig.changes.isEmpty)
    #expect(rig.feed.isQuiet)
    rig.look(at: 0)
    #expect(rig.started.map(\.direction) == [.refresh, .refresh])
  }

  @Test func `a policy may cancel what is in flight`() throws {
    struct Fickle: FetchPolicy {
      mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
        view.velocity < 0 ? Verdict(cancel: true, reason: "turned back") : Verdict(true)
      }
    }
    var rig = try Rig(Fickle())
    rig.look(at: 0)

    rig.look(at: 0, velocity: -1)

    #expect(rig.cancelled == [rig.started[0].id])
    #expect(rig.waiting.isEmpty)
  }

  @Test func `a policy may ask not to be asked for a while`() throws {
    struct Slow: FetchPolicy {
      var asked = 0
      mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
        asked += 1
        return asked == 1 ? Verdict(wait: .seconds(2), reason: "later") : Verdict(true)
      }
    }
    var rig = try Rig(Slow())
    rig.look(at: 0)
    rig.look(at: 1)
    #expect(rig.started.isEmpty)
    #expect(rig.wakeAt == .zero + .seconds(2))

    rig.sleep()

    #expect(rig.started.count == 1)
  }
}
