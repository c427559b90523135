import Paging
import Simulation
import Testing

@Suite struct ClairvoyantBoundTests {
  /// Ten items of pages of five at the start, and later two of page 3.
  private var needs: PageNeeds {
    var needs = PageNeeds(pageSize: 5)
    needs.see(0..<4, at: .zero)
    needs.see(2..<7, at: .zero + .seconds(4))
    needs.see(16..<18, at: .zero + .seconds(6))
    needs.see(0..<4, at: .zero + .seconds(9))
    return needs
  }

  @Test func `counted pages may be skipped, so a hole is neither fetched nor wasted`() throws {
    let supply = ClairvoyantBound.Supply { .seconds($0 == 3 ? 5 : 2) }

    let bound = try ClairvoyantBound(needs, supply)

    #expect(bound.needs.map(\.page) == [0, 1, 3])
    #expect(bound.requests == 3)
    #expect(bound.waste == 15 - 9)
    #expect(bound.schedule.arrivals == instants([2, 4, 9]))
    #expect(bound.lower == .seconds(3))
    #expect(bound.upper == .seconds(3))
  }

  @Test func `cursors go through every page, due with the next one needed`() throws {
    var supply = ClairvoyantBound.Supply { _ in .seconds(2) }
    supply.usesCursors = true
    supply.slots = 4
    supply.items = 18

    let bound = try ClairvoyantBound(needs, supply)

    #expect(bound.needs.map(\.page) == [0, 1, 2, 3])
    #expect(bound.needs.map(\.deadline) == instants([0, 4, 6, 6]))
    #expect(bound.lower == .seconds(2))
    #expect(bound.waste == 18 - 9)
  }

  @Test func `transfers wait for each other`() throws {
    var supply = ClairvoyantBound.Supply { _ in .seconds(1) }
    supply.transfer = { _ in .seconds(3) }
    supply.slots = 3

    let bound = try ClairvoyantBound(needs, supply)

    #expect(bound.schedule.arrivals == instants([4, 7, 10]))
    #expect(bound.lower == .seconds(4))
  }

  @Test func `regret is what a session has beyond the bound`() throws {
    let bound = try ClairvoyantBound(needs, ClairvoyantBound.Supply { _ in .seconds(2) })
    var score = SessionScore(session: 0)
    (score.stall, score.requests, score.fetched, score.seen) = (3.5, 5, 25, 9)

    let regret = bound.regret(of: score)

    #expect(regret.stall == 1.5)
    #expect(regret.requests == 2)
    #expect(regret.waste == 10)
  }

  @Test(arguments: 0..<40)
  func `needs are the first times that anything of a page was visible`(_ seed: UInt64) {
    var dice = RandomStream(seed: seed)
    let size = Int.random(in: 1...6, using: &dice)
    let views = (0..<20).map { time in
      let first = Int.random(in: 0...60, using: &dice)
      return (time, first..<first + Int.random(in: 0...9, using: &dice))
    }
    var needs = PageNeeds(pageSize: size)

    for (time, items) in views.shuffled(using: &dice) { needs.see(items, at: .zero + .seconds(time)) }

    var expected: [Int: Int] = [:]
    for (time, items) in views {
      for item in items { expected[item / size] = min(expected[item / size] ?? time, time) }
    }
    let listed = expected.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
    #expect(needs.needs.map(\.page) == listed.map(\.key), "seed \(seed)")
    #expect(needs.needs.map(\.deadline.seconds) == listed.map { Double($0.value) }, "seed \(seed)")
    #expect(needs.seenItems == Set(views.flatMap(\.1)).count, "seed \(seed)")
    #expect(needs.needsWithoutHoles.map(\.page) == Array(0..<(expected.keys.max().map { $0 + 1 } ?? 0)))
    for need in needs.needsWithoutHoles {
      let soonest = expected.filter { $0.key >= need.page }.values.min()!
      #expect(need.deadline == .zero + .seconds(soonest), "seed \(seed)")
    }
  }
}
