import Items
import TestSupport
import Paging
import Testing

@Suite struct FeedTotalTests {
  @Test(arguments: [KeyKind.page, .offset])
  func `a total that is too large ends where pages stay empty, with a note`(keys: KeyKind) throws {
    var rig = try Rig(Everything()) {
      $0.keys = keys
      $0.fruitlessLimit = 3
      $0.maxInFlight = 1
    }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<20, total: 500)))

    for _ in 0..<3 { rig.answer(.page(.numbers([], total: 500))) }

    #expect(rig.feed.state(of: .append) == .exhausted)
    #expect(rig.notes.contains(.endedBelowTotal(.append, emptyPages: 3, items: 20, total: 500)))
    #expect(rig.shown == Array(0..<20))
    rig.look(at: 5)
    #expect(rig.waiting.isEmpty)
  }

  @Test func `an empty page in the middle is no end while the total says more`() throws {
    var rig = try Rig(Everything()) {
      $0.keys = .page
      $0.fruitlessLimit = 3
      $0.maxInFlight = 1
    }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<20, total: 80)))

    for _ in 0..<2 { rig.answer(.page(.numbers([], total: 80))) }
    rig.answer(.page(.numbers(60..<80, total: 80)))

    #expect(rig.shown == Array(0..<20) + Array(60..<80))
    #expect(rig.feed.state(of: .append) == .exhausted)
  }
}
