import Items
import TestSupport
import Paging
import Testing

/// A refresh shows the difference, and keeps the reader's place.
@Suite struct FeedReplacingTests {
  @Test func `what is the same stays, what changed is an update, what moved is moved`() throws {
    var rig = try Rig { $0.keys = .page }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<20)))
    let changed = [Item].numbers([3], version: 2) + [Item].numbers([0, 1, 2] + Array(4..<20))

    rig.send(.refreshed(.start))
    rig.answer(.page(Page(PageItems(changed))))

    let change = try #require(rig.changes.last)
    #expect(!change.isReload)
    #expect(change.moves.map { [$0.from.item, $0.to.item] } == [[3, 0]])
    #expect(change.updates.map(\.item) == [Item].numbers([3], version: 2))
    #expect(change.insertions.isEmpty && change.removals.isEmpty)
    #expect(rig.screen[0] == changed)
    #expect(rig.notes.contains(.replaced(EditCounts(change))))
  }

  @Test func `a refresh that brings the same again changes nothing`() throws {
    var rig = try Rig { $0.keys = .page }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<20, total: 20)))

    rig.send(.refreshed(.start))
    rig.answer(.page(.numbers(0..<20, total: 20)))

    #expect(rig.changes.count == 1)
    #expect(rig.shifts.isEmpty)
  }

  @Test(arguments: [
    ([5, 6, 7, 8], 0), ([90, 91, 5, 6], 2), ([6, 7], 0), ([90, 3, 7, 8], 2), ([0, 1, 2, 3], 4), ([], 0),
  ])
  func `the first visible item stays, or the nearest that is left`(_ new: [Int], place: Int) throws {
    var rig = try Rig { $0.keys = .page }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<20, total: 20)))
    rig.look(at: 5, length: 3)

    rig.send(.refreshed(.start))
    rig.answer(.page(.numbers(new, isLast: true)))

    #expect(rig.feed.viewport?.firstVisible == place)
    #expect(rig.feed.viewport?.lastVisible == place + 2)
    #expect(rig.shifts == (place == 5 ? [] : [place - 5]))
  }

  @Test func `beyond 30 items the place is not looked for any more`() throws {
    var rig = try Rig {
      $0.keys = .page
      $0.pageSize = 200
    }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<200, total: 200)))
    rig.look(at: 100)

    rig.send(.refreshed(.start))
    rig.answer(.page(.numbers(Array(0..<69) + Array(500..<600), isLast: true)))

    #expect(rig.feed.viewport?.firstVisible == 100)
  }

  @Test func `a handler's appends are shown together when they are a refresh`() throws {
    var rig = try Rig()
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<5)))
    rig.send(.refreshed(.start))
    let id = rig.waiting[0].id

    rig.send(.appended(id, .numbers([7]), received: 1))
    #expect(rig.shown == Array(0..<5))
    rig.send(.appended(id, .numbers([8]), received: 1))
    rig.send(.answered(id, .completed(more: false)))

    #expect(rig.shown == [7, 8])
    #expect(rig.changes.count == 2)
  }

  @Test func `a whole refresh reads to the end before it shows anything, and asks no policy`() throws {
    struct Never: FetchPolicy {
      mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict { Verdict(view.itemCount == 0) }
    }
    var rig = try Rig(Never()) {
      $0.keys = .offset
      $0.pageSize = 10
      $0.maxInFlight = 2
      $0.refreshExtent = .everything
    }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<10, total: 30)))

    rig.send(.refreshed(.start))
    rig.answer(.page(.numbers(100..<110, total: 30)))
    #expect(rig.waiting.map { $0.key?.number } == [10, 20])
    rig.answer(.page(.numbers(110..<120, total: 30)))
    #expect(rig.shown == Array(0..<10))
    rig.answer(.page(.numbers(120..<130, total: 30)))

    #expect(rig.shown == Array(100..<130))
    #expect(rig.changes.count == 2)
  }

  @Test func `a whole refresh that fails leaves the old data, and goes on where it failed`() throws {
    var rig = try Rig {
      $0.keys = .offset
      $0.pageSize = 10
      $0.maxInFlight = 1
      $0.retry = .never
      $0.refreshExtent = .everything
    }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<10, total: 10)))
    rig.send(.refreshed(.start))
    rig.answer(.page(.numbers(50..<60, total: 20)))

    rig.fail()
    #expect(rig.shown == Array(0..<10))
    rig.look(at: 3)
    #expect(rig.waiting.isEmpty)
    rig.send(.retried)
    #expect(rig.waiting.map { $0.key?.number } == [10])
    rig.answer(.page(.numbers(60..<70, total: 20)))

    #expect(rig.shown == Array(50..<70))
  }

  @Test func `a second refresh takes the place of one that is under way`() throws {
    var rig = try Rig {
      $0.keys = .page
      $0.refreshExtent = .everything
    }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<20, total: 20)))
    rig.send(.refreshed(.start))
    rig.answer(.page(.numbers(20..<40, total: 60)))
    let late = rig.waiting[0].id

    rig.send(.refreshed(.start))
    rig.send(.answered(late, .page(.numbers(40..<60, total: 60))))
    rig.answer(.page(.numbers(70..<73, total: 3)))

    #expect(rig.shown == [70, 71, 72])
    #expect(rig.notes.contains(.threwAwayLateAnswer(late)))
  }

  @Test func `a refresh that was cancelled begins again when the reader moves`() throws {
    var rig = try Rig { $0.keys = .page }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<20, total: 20)))
    rig.send(.refreshed(.start))

    rig.send(.cancelled)
    #expect(rig.waiting.isEmpty)
    rig.look(at: 1)
    rig.answer(.page(.numbers(1..<5, total: 4)))

    #expect(rig.shown == [1, 2, 3, 4])
  }

  @Test func `what was released is not known any more, so its refresh is a reload`() throws {
    var rig = try Rig {
      $0.keys = .page
      $0.releasesPassedItems = true
    }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<20, total: 20)))
    rig.look(at: 10)

    rig.send(.refreshed(.start))
    rig.answer(.page(.numbers(0..<20, total: 20)))

    #expect(rig.changes.last?.isReload == true)
    #expect(rig.shown == Array(0..<20))
  }

  @Test func `more changes than allowed are a reload`() throws {
    var rig = try Rig {
      $0.keys = .page
      $0.reloadThreshold = 3
    }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<20, total: 20)))

    rig.send(.refreshed(.start))
    rig.answer(.page(.numbers(2..<22, total: 20)))

    #expect(rig.changes.last?.isReload == true)
    #expect(rig.shown == Array(2..<22))
  }

  @Test func `memory that is short during a refresh takes nothing that is shown`() throws {
    var rig = try Rig.paging3(from: 50)
    rig.answer(.page(.numbers([50, 51])))
    rig.send(.refreshed(.anchor))

    rig.send(.memoryShort)
    rig.answer(.page(.numbers([50, 51])))

    #expect(rig.shown == [50, 51])
  }

  @Test func `a refresh at a page that was read backwards begins there, where keys are counted`() throws {
    var rig = try Rig { ($0.keys, $0.pageSize, $0.firstKey) = (.offset, 10, .integer(0)) }
    rig.look(at: 0)
    rig.send(.refreshed(.key(.integer(30))))
    rig.answer(.page(.numbers(30..<40, total: 100)))
    rig.send(.pageRequested(.prepend))
    rig.answer(.page(.numbers(20..<30, total: 100)))
    #expect(rig.shown == Array(20..<40))
    rig.look(at: 2)

    rig.send(.refreshed(.anchor))

    #expect(rig.started.last?.key == .integer(20))
  }
}
