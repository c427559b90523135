import Items
import TestSupport
import Paging
import Testing

/// Edits while a refresh collects, and what is left of the reader's place and of the limits when it is shown.
@Suite struct FeedCollectingTests {
  /// Twenty items are shown; of the new generation the first page of two, with four, is in.
  private func rig(_ set: (inout FeedConfiguration.Options) -> Void = { _ in }) throws -> Rig {
    var rig = try Rig(Everything()) {
      $0.keys = .offset
      $0.pageSize = 4
      $0.maxInFlight = 1
      $0.refreshExtent = .everything
      set(&$0)
    }
    rig.look(at: 0)
    for start in stride(from: 0, to: 20, by: 4) { rig.answer(.page(.numbers(start..<start + 4, total: 20))) }
    rig.send(.refreshed(.start))
    rig.answer(.page(.numbers(0..<4, total: 8)))
    return rig
  }

  @Test func `what was inserted and removed again stays away`() throws {
    var rig = try rig()

    rig.send(.edited(.insert(.numbers([90, 91]), .after(.integer(1)))))
    rig.send(.edited(.remove([.integer(90)])))
    rig.answer(.page(.numbers(4..<8, total: 8)))

    #expect(rig.shown == [0, 1, 91] + Array(2..<8))
  }

  @Test func `what was inserted and replaced has its newest form`() throws {
    var rig = try rig()

    rig.send(.edited(.insert(.numbers([90]), .after(.integer(1)))))
    rig.send(.edited(.replace(.numbers([90], version: 2))))
    rig.send(.edited(.insert(.numbers([90], version: 3), .end)))
    rig.answer(.page(.numbers(4..<8, total: 8)))

    #expect(rig.shown == [0, 1, 90] + Array(2..<8))
    #expect(rig.screen[0][2] == [Item].numbers([90], version: 3)[0])
  }

  @Test func `what was moved is where it was moved to, before its page is in and after`() throws {
    var rig = try rig()

    rig.send(.edited(.move([.integer(6), .integer(0)], .after(.integer(2)))))
    #expect(rig.shown.prefix(5) == [1, 2, 6, 0, 3])
    rig.answer(.page(.numbers(4..<8, total: 8)))

    #expect(rig.shown == [1, 2, 6, 0, 3, 4, 5, 7])
  }

  @Test func `what moves from a page to come to one that is in is not lost`() throws {
    var rig = try rig()

    rig.send(.edited(.move([.integer(6)], .after(.integer(2)))))
    rig.answer(.page(.numbers([4, 5, 7, 8], total: 8)))

    #expect(rig.shown == [0, 1, 2, 6, 3, 4, 5, 7, 8])
  }

  @Test func `what was put at the end is at the end, and what was put beside an item that is gone is near`()
    throws
  {
    var rig = try rig()

    rig.send(.edited(.insert(.numbers([90]), .end)))
    rig.send(.edited(.move([.integer(1)], .end)))
    rig.send(.edited(.insert(.numbers([91]), .before(.integer(6)))))
    rig.send(.edited(.remove([.integer(6)])))
    rig.answer(.page(.numbers(4..<8, total: 8)))

    #expect(rig.shown == [0, 2, 3, 4, 5, 91, 7, 90, 1])
  }

  @Test func `what was inserted stays when the source has become empty`() throws {
    var rig = try rig { $0.refreshExtent = .firstPage }
    rig.send(.refreshed(.start))

    rig.send(.edited(.insert(.numbers([90]), .end)))
    rig.send(.edited(.insert(.numbers([91]), .after(.integer(5)))))
    rig.answer(.page(.numbers([], total: 0)))

    #expect(rig.shown == [91, 90])
  }

  @Test func `an inserted item that the source has by now is where the source has it`() throws {
    var rig = try rig()

    rig.send(.edited(.insert(.numbers([90], version: 2), .start)))
    rig.answer(.page(.numbers([4, 90, 5, 6], total: 8)))

    #expect(rig.shown == [0, 1, 2, 3, 4, 90, 5, 6])
    #expect(rig.screen[0][5] == [Item].numbers([90], version: 2)[0])
  }

  @Test func `a first page leaves what was put behind it to the pages to come`() throws {
    var rig = try rig { $0.refreshExtent = .firstPage }
    rig.send(.refreshed(.start))

    rig.send(.edited(.insert(.numbers([90]), .after(.integer(1)))))
    rig.send(.edited(.insert(.numbers([91]), .after(.integer(3)))))
    rig.send(.edited(.insert(.numbers([92]), .end)))
    rig.answer(.page(.numbers(0..<3, total: 20)))

    #expect(rig.shown.prefix(4) == [0, 1, 90, 2])
    #expect(!rig.shown.contains(91) && !rig.shown.contains(92))
  }

  @Test func `a whole refresh of nothing is one change set too`() throws {
    var rig = try Rig(OnDemand()) {
      $0.keys = .offset
      $0.pageSize = 4
      $0.maxInFlight = 1
      $0.refreshExtent = .everything
    }
    rig.look(at: 0)
    rig.answer(.page(.numbers([], total: 0)))

    rig.send(.refreshed(.start))
    while let request = rig.waiting.first {
      #expect(rig.shown.isEmpty)
      let start = request.key?.number ?? 0
      rig.answer(.page(.numbers(start..<start + 4, total: 12)))
    }

    #expect(rig.shown == Array(0..<12))
    #expect(rig.changes.count == 1)
  }

  @Test func `a whole refresh keeps to the limit, and what is far is fetched again`() throws {
    let source = NumberSource(count: 100)
    var rig = try Rig(Hinted()) {
      $0.keys = .offset
      $0.pageSize = 5
      $0.prefetchDistance = 5
      $0.maxItems = 20
      $0.refreshExtent = .everything
    }
    rig.look(at: 0)
    rig.answerAll(from: source)

    rig.send(.refreshed(.start))
    rig.answerAll(from: source)
    #expect(rig.shown == Array(0..<rig.shown.count))
    #expect(rig.shown.count <= 20)
    for _ in 0..<100 where rig.shown.last != 99 {
      rig.look(at: rig.shown.count - 1)
      rig.answerAll(from: source)
      #expect(rig.shown.count <= 20)
    }

    #expect(rig.shown.last == 99)
  }

  @Test func `a reader past the end stays as far past it`() throws {
    var rig = try Rig {
      $0.keys = .offset
      $0.pageSize = 10
      $0.maxInFlight = 1
    }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<10, total: 100)))
    rig.look(at: 25, length: 5)

    rig.send(.edited(.replace(.numbers([3], version: 2))))
    rig.send(.edited(.insert(.numbers([70]), .end)))
    #expect(rig.shifts.isEmpty)
    rig.send(.edited(.insert(.numbers([71, 72]), .start)))

    #expect(rig.shifts == [2])
    #expect(rig.feed.viewport?.firstVisible == 27)
  }

  @Test func `items of a page that is not complete can be removed, and the page still goes as a whole`()
    throws
  {
    var rig = try Rig(Hinted()) {
      $0.keys = .offset
      $0.pageSize = 4
      $0.maxInFlight = 1
      $0.prefetchDistance = 2
      $0.maxItems = 12
    }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<4, total: 40)))
    rig.look(at: 3)
    rig.send(.appended(rig.waiting[0].id, .numbers([4, 5, 6]), received: 3))

    rig.send(.edited(.remove([.integer(5)])))
    rig.send(.edited(.insert(.numbers([90]), .end)))
    rig.answer(.page(.numbers([7], total: 40)))
    #expect(rig.shown == [0, 1, 2, 3, 4, 6, 90, 7])
    for _ in 0..<20 {
      rig.look(at: rig.shown.count - 1)
      rig.answerAll(from: NumberSource(count: 40))
    }
    for _ in 0..<20 {
      rig.look(at: 0)
      rig.answerAll(from: NumberSource(count: 40))
    }

    #expect(rig.shown.prefix(8) == [0, 1, 2, 3, 4, 5, 6, 7])
  }
}
