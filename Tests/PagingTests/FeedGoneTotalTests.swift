import Items
import TestSupport
import Paging
import Testing

/// A total that counts items which the source only says are gone, or does not.
@Suite struct FeedGoneTotalTests {
  /// How a page says it: by items of which a script finds out, or by a list of ids beside them.
  enum Way: CaseIterable { case items, list }

  /// Reads two pages of ten, of which every fourth item is gone; how the total disagrees at the end.
  private func read(_ way: Way, total: Int, repeatsList: Bool = false) throws -> TotalMismatch? {
    var rig = try Rig(Everything()) { $0.checksTotal = true }
    rig.look(at: 0)
    for range in [0..<10, 10..<20] {
      let gone = range.filter { $0 % 4 == 0 }.map { ItemID.integer(Int64(repeatsList ? $0 % 10 : $0)) }
      var page = Page.numbers(range.filter { $0 % 4 != 0 }, total: total)
      page.contents.received = way == .items ? 10 : page.contents.items.count
      page.contents.removed = way == .list ? gone.count : 0
      page.nextKey = range.lowerBound == 0 ? .text("next") : nil
      rig.send(.removed(rig.waiting[0].id, gone))
      rig.answer(.page(page))
    }
    #expect(rig.feed.state(of: .append) == .exhausted)
    return rig.notes.compactMap { note in
      if case .disagreedWithTotal(_, let mismatch) = note { mismatch } else { nil }
    }.last
  }

  @Test(arguments: Way.allCases) func `what is gone has come, whether the total counts it or not`(way: Way)
    throws
  {
    #expect(try read(way, total: 20) == nil)
    #expect(try read(way, total: 15) == nil)
    #expect(try read(way, total: 21)?.missing ?? 0 > 0)
    #expect(try read(way, total: 14)?.missing == 0)
  }

  @Test func `what every page lists as gone is counted once`() throws {
    let mismatch = try read(.list, total: 20, repeatsList: true)

    #expect(mismatch == TotalMismatch(received: 15, total: 20))
  }

  @Test func `what came before and then is gone is counted once`() throws {
    var rig = try Rig(Everything()) { $0.checksTotal = true }
    rig.look(at: 0)
    var first = Page.numbers(0..<10, total: 20)
    first.nextKey = .text("next")
    rig.answer(.page(first))
    rig.send(.removed(rig.waiting[0].id, [.integer(3)]))
    var second = Page.numbers(10..<19, total: 20)
    second.contents.removed = 1

    rig.answer(.page(second))

    let mismatch = TotalMismatch(received: 19, total: 20)
    #expect(rig.notes.contains(.disagreedWithTotal(.append, mismatch)))
  }
}
