import Items
import TestSupport
import Paging
import Testing

/// The caller's own changes, and the answers that do not know of them.
@Suite struct FeedEditingTests {
  /// Five pages of four are held, the next one is under way.
  private func rig(_ set: (inout FeedConfiguration.Options) -> Void = { _ in }) throws -> Rig {
    var rig = try Rig(Everything()) {
      $0.keys = .offset
      $0.pageSize = 4
      $0.maxInFlight = 1
      set(&$0)
    }
    rig.look(at: 0)
    for start in stride(from: 0, to: 20, by: 4) { rig.answer(.page(.numbers(start..<start + 4, total: 100))) }
    return rig
  }

  @Test func `items come where they were put`() throws {
    var rig = try rig()

    rig.send(.edited(.insert(.numbers([70]), .start)))
    rig.send(.edited(.insert(.numbers([71, 72]), .after(.integer(1)))))
    rig.send(.edited(.insert(.numbers([73]), .before(.integer(19)))))
    rig.send(.edited(.insert(.numbers([74]), .end)))

    #expect(rig.shown == [70, 0, 1, 71, 72] + Array(2..<19) + [73, 19, 74])
    #expect(rig.feed.items.items() == rig.screen[0])
  }

  @Test func `items go, change and move`() throws {
    var rig = try rig()

    rig.send(.edited(.remove([.integer(1), .integer(2), .integer(9)])))
    rig.send(.edited(.replace(.numbers([4], version: 5))))
    rig.send(.edited(.move([.integer(19), .integer(0)], .before(.integer(5)))))

    #expect(rig.shown == [3, 4, 19, 0, 5, 6, 7, 8] + Array(10..<19))
    #expect(rig.screen[0][1] == [Item].numbers([4], version: 5)[0])
    #expect(rig.changes.last?.moves.count == 2)
  }

  @Test func `ids that are not held are named, and nothing else happens`() throws {
    var rig = try rig()
    let revision = rig.feed.revision

    rig.send(.edited(.remove([.integer(500)])))
    rig.send(.edited(.move([.text("a")], .start)))

    #expect(rig.feed.revision == revision)
    #expect(rig.notes.suffix(2).allSatisfy { $0.name == "edited" })
    #expect(rig.notes.contains(.edited(EditCounts(ChangeSet()), unknown: [.integer(500)])))
  }

  @Test func `the first visible item keeps its place`() throws {
    var rig = try rig()
    rig.look(at: 10, length: 3)

    rig.send(.edited(.insert(.numbers([70, 71]), .start)))
    #expect(rig.feed.viewport?.firstVisible == 12)
    rig.send(.edited(.remove([.integer(0), .integer(10)])))

    #expect(rig.feed.viewport?.firstVisible == 11)
    #expect(rig.feed.items[11]?.id == .integer(11))
    #expect(rig.shifts == [2, -1])
  }

  @Test func `an item that was removed does not come back with an answer that was asked for before`() throws {
    var rig = try rig()

    rig.send(.edited(.remove([.integer(21)])))
    rig.answer(.page(.numbers(20..<24, total: 100)))
    #expect(rig.shown == Array(0..<21) + [22, 23])
    rig.send(.refreshed(.start))
    rig.answer(.page(.numbers(18..<22, total: 100)))

    #expect(rig.shown == Array(18..<22))
  }

  @Test func `a new form is not overwritten by an answer that was asked for before`() throws {
    var rig = try rig { $0.merge = .replace }

    rig.send(.edited(.replace(.numbers([2], version: 9))))
    rig.answer(.page(.numbers([2, 20, 21, 22], total: 100)))

    #expect(rig.feed.items[2] == [Item].numbers([2], version: 9)[0])
    #expect(Set(rig.shown).count == rig.shown.count)
  }

  @Test func `an item that a page brings later as well is one item`() throws {
    var rig = try rig()

    rig.send(.edited(.insert(.numbers([22], version: 7), .start)))
    rig.answer(.page(.numbers(20..<24, total: 100)))

    #expect(rig.shown == [22] + Array(0..<22) + [23])
    #expect(rig.feed.items[0] == [Item].numbers([22], version: 7)[0])
  }

  @Test func `edits come before the first page, and may empty everything`() throws {
    var rig = try Rig { $0.keys = .page }
    rig.look(at: 0)

    rig.send(.edited(.insert(.numbers([5, 90]), .start)))
    rig.answer(.page(.numbers(0..<20, total: 20)))
    #expect(rig.shown == [5, 90] + Array(0..<5) + Array(6..<20))
    rig.send(.edited(.remove(rig.feed.items.items().map(\.id))))

    #expect(rig.shown.isEmpty)
    #expect(rig.feed.viewport?.firstVisible == 0)
  }

  @Test func `pages that were edited are dropped and fetched again as a whole`() throws {
    var rig = try Rig(Hinted()) {
      $0.keys = .offset
      $0.pageSize = 4
      $0.maxInFlight = 1
      $0.prefetchDistance = 2
      $0.maxItems = 12
    }
    rig.look(at: 0)
    for start in stride(from: 0, to: 12, by: 4) {
      rig.answer(.page(.numbers(start..<start + 4, total: 100)))
      rig.look(at: start + 3)
    }
    rig.send(.edited(.remove([.integer(1), .integer(2)])))
    rig.send(.edited(.insert(.numbers([70]), .after(.integer(3)))))
    rig.look(at: 9)

    rig.answerAll(from: NumberSource(count: 100))
    rig.look(at: rig.feed.items.count - 1)
    rig.answerAll(from: NumberSource(count: 100))
    while let first = rig.shown.first, first > 0 {
      rig.look(at: 0, velocity: -1)
      guard !rig.waiting.isEmpty else { break }
      rig.answerAll(from: NumberSource(count: 100))
    }

    #expect(rig.shown.prefix(5) == [0, 1, 2, 3, 4])
    #expect(rig.feed.items.items() == rig.screen[0])
  }

  @Test func `an edit during a refresh is seen before it and after it`() throws {
    var rig = try rig { $0.refreshExtent = .everything }
    rig.send(.refreshed(.start))
    rig.answer(.page(.numbers(0..<4, total: 8)))

    rig.send(.edited(.remove([.integer(2), .integer(5)])))
    rig.send(.edited(.insert(.numbers([90]), .after(.integer(3)))))
    rig.send(.edited(.replace(.numbers([6], version: 3))))
    #expect(rig.shown == [0, 1, 3, 90, 4] + Array(6..<20))
    rig.answer(.page(.numbers(4..<8, total: 8)))

    #expect(rig.shown == [0, 1, 3, 90, 4, 6, 7])
    #expect(rig.screen[0][5] == [Item].numbers([6], version: 3)[0])
  }
}
