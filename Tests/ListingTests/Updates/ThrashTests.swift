import Items
import TestSupport
import Testing

/// Random updates and refreshes against a naive model: 100,000 rounds, every third a thorough one; a failing
/// seed is told with the smallest plan that still fails.
@Suite struct ThrashTests {
  @Test(arguments: 0..<100) func `updates and refreshes come to what the naive model comes to`(
    _ block: UInt64
  ) {
    for seed in block * 1000..<(block + 1) * 1000 {
      var dice = Dice(state: seed)
      let plan = Plan(&dice)
      guard fault(plan, isThorough: seed % 3 == 0) != nil else { continue }
      let smallest = plan.shrunk { fault($0) != nil }
      Issue.record("seed \(seed): \(smallest): \(fault(smallest) ?? "")")
      return
    }
  }

  @Test(arguments: 0..<100) func `two updates merged, and in stages, come to the same`(_ block: UInt64) {
    for seed in block * 50..<(block + 1) * 50 {
      var dice = Dice(state: seed)
      let plan = Plan(&dice)
      let later = Plan(from: plan.new ?? [], &dice)
      guard let fault = MergeThrash([plan, later])?.fault() else { continue }
      let smallest = later.shrunk { MergeThrash([plan, $0])?.fault() != nil }
      let reason = MergeThrash([plan, smallest])?.fault() ?? fault
      Issue.record("seed \(seed): \(plan), then \(smallest): \(reason)")
      return
    }
  }

  private func fault(_ plan: Plan, isThorough: Bool = true) -> String? {
    guard let thrash = Thrash(plan) else { return nil }
    return thrash.fault(isThorough: isThorough)
      ?? RefreshThrash(old: plan.old, new: thrash.new).fault(isThorough: isThorough)
  }
}
