import Items
import TestSupport
import Paging
import Testing

@Suite struct FeedOutlineTests {
  private func outline(_ received: Int, next: Int64? = nil, total: Int? = nil, isLast: Bool = false) -> Page {
    Page(PageItems([], received: received), nextKey: next.map { .integer($0) }, total: total, isLast: isLast)
  }

  @Test func `the next cursor is asked for while the items of its page are made`() throws {
    var rig = try Rig(Everything())
    rig.look(at: 0)

    rig.send(.outlined(rig.waiting[0].id, outline(2, next: 2)))
    #expect(rig.keys == [nil, 2])
    #expect(rig.shown.isEmpty)

    rig.answer(.page(.numbers(0..<2, next: 2)))
    #expect(rig.keys == [nil, 2])
    #expect(rig.shown == [0, 1])
  }

  @Test func `a page whose items come late is still delivered before the one behind it`() throws {
    var rig = try Rig(Everything())
    rig.look(at: 0)
    rig.send(.outlined(rig.waiting[0].id, outline(2, next: 2)))

    rig.answer(1, .page(.numbers(2..<4)))
    #expect(rig.shown.isEmpty)

    rig.answer(.page(.numbers(0..<2, next: 2)))
    #expect(rig.shown == [0, 1, 2, 3])
    #expect(rig.feed.state(of: .append) == .exhausted)
  }

  @Test func `an outlined page makes room for another of a counted source`() throws {
    var rig = try Rig(Everything()) {
      $0.keys = .page
      $0.pageSize = 2
      $0.maxInFlight = 2
    }
    rig.look(at: 0)
    rig.send(.outlined(rig.waiting[0].id, outline(2, total: 20)))

    #expect(rig.keys == [1, 2, 3])
    #expect(rig.feed.state(of: .append) == .fetching(inFlight: 2))
  }

  @Test func `an outline that is the end asks for nothing more`() throws {
    var rig = try Rig(Everything()) { $0.keys = .page }
    rig.look(at: 0)

    rig.send(.outlined(rig.waiting[0].id, outline(3, isLast: true)))
    #expect(rig.started.count == 1)

    rig.answer(.page(Page(PageItems(.numbers(0..<3)), isLast: true)))
    #expect(rig.feed.state(of: .append) == .exhausted)
  }

  @Test func `an outline that leads back is not followed before the page is shown`() throws {
    var rig = try Rig(Everything())
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<2, next: 2)))

    rig.send(.outlined(rig.waiting[0].id, outline(2, next: 2)))
    #expect(rig.feed.state(of: .append) == .fetching(inFlight: 1))

    rig.answer(.page(.numbers(2..<4, next: 2)))
    #expect(rig.shown == [0, 1, 2, 3])
  }

  @Test func `an outlined fetch that fails is tried again without counting its page twice`() throws {
    var rig = try Rig(Everything())
    rig.look(at: 0)
    rig.send(.outlined(rig.waiting[0].id, outline(2, next: 2)))
    rig.fail()

    rig.sleep()
    rig.answer(1, .page(.numbers(0..<2, next: 2)))
    rig.answer(.page(.numbers(2..<4)))

    #expect(rig.shown == [0, 1, 2, 3])
    #expect(rig.keys == [nil, 2, nil])
  }
}
