import Items
import TestSupport
import Paging
import Testing

@Suite struct FeedPropertyTests {
  private static let policies: [@Sendable () -> any FetchPolicy] = [
    { Everything() }, { Hinted() }, { OnDemand() }, { Ramp() }, { RemainingTime(seconds: 2) },
    { PrefetchDistance(12) }, { MajorityTrend() },
  ]

  @Test(arguments: 0..<700)
  func `nothing is lost, nothing comes twice, the order is kept, and it ends`(_ seed: Int) throws {
    let policy = Self.policies[seed % Self.policies.count]()
    var world = try World(seed: UInt64(seed), policy: policy)

    let didEnd = world.run()

    #expect(didEnd, "seed \(seed)")
    #expect(world.rig.shown == Array(0..<world.source.count), "seed \(seed)")
    #expect(world.rig.feed.items.items() == world.rig.screen[0], "seed \(seed)")
  }

  @Test func `equal seeds give equal effects`() throws {
    for seed in 0..<10 {
      var first = try World(seed: UInt64(seed), policy: Hinted())
      var second = try World(seed: UInt64(seed), policy: Hinted())
      _ = first.run()
      _ = second.run()

      #expect(first.rig.notes == second.rig.notes)
      #expect(first.rig.now == second.rig.now)
    }
  }
}
