import Items
import TestSupport
import Paging
import Testing

@Suite struct FeedDeliveryTests {
  @Test func `appended items are shown at once, as a change set of their own`() throws {
    var rig = try Rig(Everything()) { $0.keys = .page }
    rig.look(at: 0)
    let id = rig.waiting[0].id

    rig.send(.appended(id, .numbers(0..<2), received: 2))
    #expect(rig.shown == [0, 1])
    rig.send(.appended(id, .numbers(2..<4), received: 2))
    rig.answer(.completed(more: false))

    #expect(rig.changes.map { $0.insertedItems.count } == [2, 2])
    #expect(rig.notes.contains(.delivered(id, inserted: 4, updated: 0, duplicates: 0)))
    #expect(rig.feed.state(of: .append) == .exhausted)
  }

  @Test func `items appended out of turn wait, and are shown when their turn has come`() throws {
    let source = NumberSource(count: 60)
    var rig = try Rig(Everything()) { $0.keys = .offset }
    rig.look(at: 0)
    rig.answer(from: source)

    rig.send(.appended(rig.waiting[1].id, .numbers(40..<45), received: 5))
    #expect(rig.shown == Array(0..<20))
    rig.answer(0, from: source)

    #expect(rig.shown == Array(0..<45))
    rig.send(.appended(rig.waiting[0].id, .numbers(45..<60), received: 15))
    rig.answer(.completed(more: true))
    #expect(rig.shown == Array(0..<60))
    #expect(rig.feed.state(of: .append) == .exhausted)
  }

  @Test func `a handler that ends without completing is a failure, and can be retried`() throws {
    var rig = try Rig(Everything())
    rig.look(at: 0)
    let id = rig.waiting.removeFirst().id

    rig.send(.endedWithoutCompleting(id))
    guard case .gaveUp(let failure) = rig.feed.state(of: .append) else {
      Issue.record("not given up")
      return
    }
    #expect(failure.code == "notCompleted")

    rig.send(.retried)
    #expect(rig.waiting.count == 1)
  }

  @Test func `keep drops what is held, replace updates it`() throws {
    for (merge, updates) in [(Merge.keep, 0), (.replace, 1)] {
      var rig = try Rig(Everything()) { $0.merge = merge }
      rig.look(at: 0)
      rig.answer(.page(.numbers(0..<3, next: 3)))
      let items: [Item] = .numbers([2], version: 2) + .numbers([3, 4])

      rig.answer(.page(Page(PageItems(items))))

      #expect(rig.shown == [0, 1, 2, 3, 4])
      #expect(rig.screen[0][2].bytes.string == (updates == 1 ? "2.2" : "2.1"))
      #expect(rig.feed.statistics.updated == updates)
      #expect(rig.feed.statistics.duplicates == 1)
    }
  }

  @Test func `a page that says it is last throws later ones away`() throws {
    let source = NumberSource(count: 1000, keys: .page)
    var rig = try Rig(Everything()) { $0.keys = .page }
    rig.look(at: 0)
    rig.answer(from: source)
    rig.answer(2, from: source)
    #expect(rig.keys == [1, 2, 3, 4, 5, 6])

    rig.answer(0, .page(.numbers(20..<40, isLast: true)))

    #expect(rig.shown == Array(0..<40))
    #expect(rig.waiting.isEmpty)
    #expect(rig.cancelled.count == 3)
    #expect(rig.noteNames.count { $0 == "threwAwayPastEnd" } == 4)
    #expect(rig.feed.state(of: .append) == .exhausted)
  }

  @Test func `an empty page in the middle is not the end while the total says more`() throws {
    let source = NumberSource(count: 60, keys: .page)
    var rig = try Rig(Everything()) {
      $0.keys = .page
      $0.maxInFlight = 1
    }
    rig.look(at: 0)
    rig.answer(from: source)

    rig.answer(.page(.numbers([], total: 60)))
    rig.answer(from: source)

    #expect(rig.shown == Array(0..<20) + Array(40..<60))
    #expect(rig.feed.state(of: .append) == .exhausted)
  }

  @Test func `a short page alone is not the end`() throws {
    var rig = try Rig(Everything()) { $0.keys = .page }
    rig.look(at: 0)

    rig.answer(.page(.numbers(0..<3)))
    rig.answer(.page(.numbers(20..<23)))
    rig.answer(.page(.numbers([])))

    #expect(rig.shown == [0, 1, 2, 20, 21, 22])
    #expect(rig.keys.prefix(3) == [1, 2, 3])
  }

  @Test func `the newest total wins, also when it shrinks below what is there`() throws {
    var rig = try Rig(Everything()) {
      $0.keys = .page
      $0.maxInFlight = 1
    }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<20, total: 100)))

    rig.answer(.page(.numbers(20..<40, total: 30)))

    #expect(rig.feed.totalCount == 30)
    #expect(rig.feed.state(of: .append) == .exhausted)
    #expect(rig.started.count == 2)
  }

  @Test
  func `a total that shrinks takes back what is in flight past it, and one that grows asks for it again`()
    throws
  {
    var rig = try Rig(Everything()) { $0.keys = .page }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<20, total: 100)))
    #expect(rig.keys == [1, 2, 3, 4, 5])

    rig.answer(.page(.numbers(20..<40, total: 60)))
    #expect(rig.waiting.map { $0.key?.number } == [3])
    rig.answer(.page(.numbers(40..<60, total: 80)))
    rig.answer(.page(.numbers(60..<80, total: 80)))

    #expect(rig.shown == Array(0..<80))
    #expect(rig.feed.state(of: .append) == .exhausted)
  }

  @Test func `offsets follow what was received, so a server that caps its pages loses nothing`() throws {
    for tellsTotal in [true, false] {
      let source = NumberSource(count: 95, tellsTotal: tellsTotal, cap: 7)
      var rig = try Rig(Everything()) { $0.keys = .offset }
      rig.look(at: 0)

      rig.answerAll(from: source)

      #expect(rig.shown == Array(0..<95))
      #expect(rig.feed.statistics.duplicates == 0)
      #expect(rig.feed.state(of: .append) == .exhausted)
    }
  }

  @Test func `a gap between pages in flight is fetched on its own`() throws {
    let source = NumberSource(count: 60)
    var rig = try Rig(Everything()) { $0.keys = .offset }
    rig.look(at: 0)
    rig.answer(from: source)

    let first = rig.waiting[0].id
    rig.answer(0, .page(.numbers(20..<32, total: 60)))
    #expect(rig.notes.contains(.fillsGap(first, offset: 32, size: 8)))
    rig.answer(0, from: source)
    #expect(rig.shown == Array(0..<32))
    rig.answer(0, from: source)

    #expect(rig.shown == Array(0..<60))
  }

  @Test func `page numbers with a capped page size find the end all the same`() throws {
    let source = NumberSource(count: 95, keys: .page, cap: 30)
    var rig = try Rig(Everything()) {
      $0.keys = .page
      $0.pageSize = 100
    }
    rig.look(at: 0)

    rig.answerAll(from: source)

    #expect(rig.shown == Array(0..<95))
    #expect(rig.started.count == 4)
  }

  @Test func `a large first page counts as several page numbers`() throws {
    let source = NumberSource(count: 25, keys: .page)
    var rig = try Rig(Everything()) {
      $0.keys = .page
      $0.pageSize = 5
      $0.initialPageSize = 15
    }
    rig.look(at: 0)

    rig.answerAll(from: source)

    #expect(rig.keys == [1, 4, 5])
    #expect(rig.shown == Array(0..<25))
  }

  @Test func `items that move while paging are shown once`() throws {
    var rig = try Rig(Everything()) { $0.keys = .page }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<20, total: 41)))

    rig.answer(0, .page(.numbers(19..<39, total: 41)))
    rig.answer(0, .page(.numbers(39..<41, total: 41)))

    #expect(rig.shown == Array(0..<41))
    #expect(rig.feed.statistics.duplicates == 1)
  }

  @Test func `the feed stops after so many fetches that bring nothing new, and says so`() throws {
    var rig = try Rig(Everything()) {
      $0.keys = .page
      $0.fruitlessLimit = 3
      $0.maxInFlight = 1
    }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<20)))

    for _ in 0..<3 { rig.answer(.page(.numbers(0..<20))) }

    #expect(rig.feed.state(of: .append) == .stopped(.fruitless(fetches: 3)))
    #expect(rig.notes.contains(.stopped(.append, .fruitless(fetches: 3))))
    rig.look(at: 5)
    #expect(rig.waiting.isEmpty)
    rig.send(.retried)
    #expect(rig.keys.last == 5)
  }

  @Test func `pages that a transform empties are not fruitless`() throws {
    var rig = try Rig(Everything()) {
      $0.keys = .page
      $0.fruitlessLimit = 2
      $0.maxInFlight = 1
    }
    rig.look(at: 0)

    for _ in 0..<5 { rig.answer(.page(Page(PageItems([], received: 20)))) }

    #expect(rig.keys == [1, 2, 3, 4, 5, 6])
  }

  @Test func `updates are not fruitless`() throws {
    var rig = try Rig(Everything()) {
      $0.keys = .page
      $0.fruitlessLimit = 1
      $0.maxInFlight = 1
      $0.merge = .replace
    }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<2)))

    rig.answer(.page(Page(PageItems(.numbers(0..<2, version: 2)))))
    #expect(rig.waiting.count == 1)
    rig.answer(.page(Page(PageItems(.numbers(0..<2, version: 2)))))

    #expect(rig.feed.state(of: .append) == .stopped(.fruitless(fetches: 1)))
  }

  @Test func `passed items are released while their ids still de-duplicate`() throws {
    var rig = try Rig(Everything()) { $0.releasesPassedItems = true }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<10, next: 10)))

    rig.look(at: 8)
    #expect(rig.feed.items.releasedCount() == 8)
    rig.answer(.page(.numbers(5..<15)))

    #expect(rig.shown == Array(0..<15))
  }
}
