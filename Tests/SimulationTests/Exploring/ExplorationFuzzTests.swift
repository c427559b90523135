import Items
import TestSupport
import Paging
import Simulation
import Testing

/// Random walks through time: whatever was done, the past stays what it was, and the same again is the same.
@Suite struct ExplorationFuzzTests {
  private static let policies = [
    "leadingScreens(1)", "ramp", "everything", "onDemand", "majority", "remainingTime(1)",
    "hysteresis(onDemand, 3)",
  ]

  private struct Walk {
    var rig: ExplorationRig
    var dice: RandomStream

    init(seed: UInt64) throws {
      var dice = RandomStream(seed: seed)
      let keys = KeyKind.allCases[Int(dice.next() % 3)]
      let source = NumberSource(
        count: Int.random(in: 0...600, using: &dice), keys: keys, tellsTotal: Bool.random(using: &dice),
        cap: Bool.random(using: &dice) ? .max : Int.random(in: 1...30, using: &dice))
      let size = Int.random(in: 1...30, using: &dice)
      let isSmall = Bool.random(using: &dice)
      rig = try ExplorationRig(
        source, policy: .named(policies[Int(dice.next() % UInt64(policies.count))]),
        screen: Int.random(in: 1...15, using: &dice)
      ) {
        $0.pageSize = size
        if isSmall { $0.maxItems = size * 6 }
        $0.retry = RetryRule(count: 2)
        $0.seed = seed
      }
      let isBroken = Bool.random(using: &dice)
      rig.delay = { .milliseconds(Int64(20 + abs(($0.key?.number ?? 0) &* 37 + $0.id.number) % 300)) }
      rig.answer = { request in
        guard isBroken, (request.key?.number ?? 1) % 5 == 0, request.attempt < 3 else { return nil }
        let failure = FetchFailure(code: "network", message: "broken", isTransient: request.attempt < 2)
        return JournaledAnswer(.failed(failure), after: .milliseconds(40))
      }
      self.dice = dice
    }

    /// Does something; travels are left out.
    mutating func act() {
      switch dice.next() % 9 {
      case 0: rig.exploration.scroll(to: Int.random(in: 0...700, using: &dice))
      case 1:
        let place = rig.exploration.viewport.firstVisible
        rig.exploration.plan(.fling(from: place, velocity: Double.random(in: -80...120, using: &dice)))
      case 2: _ = rig.exploration.fetch(dice.next() % 3 == 0 ? .prepend : .append)
      case 3: rig.exploration.refresh()
      case 4: rig.exploration.retry()
      case 5:
        rig.exploration.exchange(
          .named(
            ExplorationFuzzTests.policies[Int(dice.next() % UInt64(ExplorationFuzzTests.policies.count))]))
      case 6: rig.run(ExplorationGoal(until: rig.exploration.now + .milliseconds(Int64(dice.next() % 900))))
      default: rig.step(Int(dice.next() % 6))
      }
    }
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func `back and forward lead to where one was`(seed: UInt64) throws {
    var walk = try Walk(seed: seed)
    for _ in 0..<60 {
      walk.act()
      guard walk.dice.next() % 4 == 0 else { continue }
      let past = walk.rig.exploration.past
      let ids = walk.rig.exploration.feed.items.items().ids
      let stalls = walk.rig.exploration.stalls
      let steps = walk.rig.exploration.back(Int(walk.dice.next() % 20))
      walk.rig.exploration.forward(steps)

      let isSame = walk.rig.exploration.past == past
      #expect(isSame, "seed \(seed)")
      #expect(walk.rig.exploration.feed.items.items().ids == ids, "seed \(seed)")
      #expect(walk.rig.exploration.stalls == stalls, "seed \(seed)")
    }
  }

  @Test(arguments: 1...15 as ClosedRange<UInt64>)
  func `the feed of every moment can be had again`(seed: UInt64) throws {
    var walk = try Walk(seed: seed)
    var ids: [[Int]] = []
    for _ in 0..<40 {
      walk.act()
      // Each moment that has just come, one by one, is the one of now.
      let count = walk.rig.exploration.moments.count
      while ids.count < count - 1 { ids.append([]) }
      ids.append(walk.rig.exploration.feed.items.items().ids)
      ids.removeSubrange(count...)
    }

    let last = ids.count - 1
    #expect(walk.rig.exploration.feed(at: last).items.items().ids == ids[last], "seed \(seed)")
    for index in ids.indices where !ids[index].isEmpty {
      let feed = walk.rig.exploration.feed(at: index)
      #expect(feed.items.items().ids == ids[index], "seed \(seed)")
    }
    walk.rig.exploration.go(to: last / 2)
    #expect(walk.rig.exploration.feed.statistics == walk.rig.exploration.feed(at: last / 2).statistics)
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func `the same acts again from an earlier moment give the same moments`(seed: UInt64) throws {
    var walk = try Walk(seed: seed)
    for _ in 0..<20 { walk.act() }
    let start = walk.rig.exploration.position
    let dice = walk.dice
    for _ in 0..<20 { walk.act() }
    let past = walk.rig.exploration.past
    let asked = walk.rig.asked

    walk.rig.exploration.go(to: start)
    walk.dice = dice
    for _ in 0..<20 { walk.act() }

    let isSame = walk.rig.exploration.past == past
    #expect(isSame, "seed \(seed)")
    #expect(walk.rig.asked == asked, "seed \(seed)")
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `what is held is what the source has, wherever one went`(seed: UInt64) throws {
    var walk = try Walk(seed: seed)
    for _ in 0..<80 {
      walk.act()
      if walk.dice.next() % 5 == 0 { walk.rig.exploration.back(Int(walk.dice.next() % 30)) }
      let ids = walk.rig.exploration.feed.items.items().ids
      #expect(ids == ids.sorted(), "seed \(seed)")
      #expect(Set(ids).count == ids.count, "seed \(seed)")
      let times = walk.rig.exploration.moments.map(\.at)
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }, "seed \(seed)")
    }
  }
}
