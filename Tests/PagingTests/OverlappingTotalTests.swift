import Items
import Paging
import TestSupport
import Testing

/// Totals of pages that were requested at once, of which nobody knows which is the newer one.
@Suite struct OverlappingTotalTests {
  private func rig(total: Int) throws -> Rig {
    var rig = try Rig(Everything()) {
      ($0.keys, $0.pageSize, $0.maxInFlight, $0.checksTotal, $0.retry) = (.page, 10, 8, true, .never)
    }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<10, total: total)))
    return rig
  }

  @Test(arguments: [[0, 0], [1, 0]])
  func `the greater one counts, whichever comes last`(order: [Int]) throws {
    var rig = try rig(total: 25)
    for index in order {
      let isLast = rig.waiting[index].key?.number == 3
      rig.answer(index, .page(.numbers(isLast ? 20..<25 : 10..<20, total: isLast ? 25 : 26)))
    }
    // What follows the short page is asked for, as one more is said to be there.
    while !rig.waiting.isEmpty { rig.answer(.page(.numbers([], total: 26))) }

    #expect(rig.noteNames.contains("disagreedWithTotal"), "\(order)")
  }

  @Test func `a page that was answered past a total is asked for again where the list has grown`() throws {
    var rig = try rig(total: 20)
    let past = try #require(rig.waiting.firstIndex { $0.key?.number == 3 })
    rig.answer(past, .page(.numbers([], total: 20)))
    rig.answer(.page(.numbers(10..<20, total: 25)))
    #expect(rig.waiting.map { $0.key?.number } == [3])
    rig.answer(.page(.numbers(20..<25, total: 25)))

    #expect(rig.shown == Array(0..<25))
    #expect(rig.feed.state(of: .append) == .exhausted && !rig.noteNames.contains("disagreedWithTotal"))
  }

  @Test func `one that was requested later and is smaller has fallen`() throws {
    var rig = try rig(total: 30)
    rig.answer(.page(.numbers(10..<20, total: 30)))
    while let next = rig.waiting.first?.key?.number {
      rig.answer(.page(.numbers(next == 3 ? Array(20..<29) : [], total: 29)))
    }

    #expect(rig.shown == Array(0..<29))
  }

  @Test func `and what its handler had appended does not count`() throws {
    var rig = try rig(total: 20)
    let past = try #require(rig.waiting.firstIndex { $0.key?.number == 3 })
    let items = Page.numbers(20..<25).contents.items
    rig.send(.appended(rig.waiting[past].id, items, received: 5))
    rig.answer(past, .completed(more: true, total: 20))
    rig.answer(.page(.numbers(10..<20, total: 30)))
    // And the page behind it, which was not asked for yet.
    #expect(rig.waiting.map { $0.key?.number } == [3, 4])
    rig.send(.appended(rig.waiting[0].id, items, received: 5))
    rig.answer(.completed(more: true, total: 30))
    while !rig.waiting.isEmpty { rig.answer(.page(.numbers([], total: 30))) }

    #expect(rig.shown == Array(0..<25))
    #expect(rig.noteNames.contains("disagreedWithTotal"))
  }
}
