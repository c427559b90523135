import TestSupport
import Testing

/// Random lists, in which a name may be there more than once; a failing seed is told with the smallest lists
/// that still fail.
@Suite struct ListThrashTests {
  @Test(arguments: 0..<20) func `lists with names that come twice are rebuilt with the fewest moves`(
    _ block: UInt64
  ) {
    for seed in block * 200..<(block + 1) * 200 {
      var dice = Dice(state: seed)
      let lists = ListThrash(&dice)
      guard lists.fault() != nil else { continue }
      let smallest = lists.shrunk()
      Issue.record("seed \(seed): \(smallest): \(smallest.fault() ?? "")")
      return
    }
  }
}
