import Paging
import Simulation
import Testing

@Suite struct SignedRankTests {
  /// Depression scale factors before and after therapy: Hollander and Wolfe (1973), page 29, with the figures that
  /// R prints for them (V = 40, one-sided p = 0.01953).
  @Test func `a textbook's nine patients have their known probability`() {
    let before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    let after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]

    let test = SignedRank(zip(before, after).map { $0 - $1 })

    #expect(test.positiveRanks == 40)
    #expect(abs(test.probability - 2 * 0.01953125) < 1e-12)
    #expect(test.isResolved)
  }

  @Test(arguments: 0..<40)
  func `small samples have the probability of all signs, ties and zeros included`(_ seed: UInt64) {
    var dice = RandomStream(seed: seed)
    let differences = (0..<Int.random(in: 1...9, using: &dice)).map { _ in
      Double(Int.random(in: -4...5, using: &dice))
    }

    let test = SignedRank(differences)

    let sizes = differences.filter { $0 != 0 }.map(abs)
    let ranks = sizes.map { size in
      Double(sizes.count { $0 < size }) + Double(sizes.count { $0 == size } + 1) / 2
    }
    let sum = zip(differences.filter { $0 != 0 }, ranks).reduce(0.0) { $0 + ($1.0 > 0 ? $1.1 : 0) }
    let sums = (0..<(1 << ranks.count)).map { signs in
      ranks.indices.reduce(0.0) { $0 + (signs & (1 << $1) != 0 ? ranks[$1] : 0) }
    }
    let (below, above) = (sums.count { $0 <= sum }, sums.count { $0 >= sum })
    #expect(test.positiveRanks == sum, "seed \(seed)")
    #expect(test.pairs == sizes.count)
    #expect(abs(test.probability - min(1, 2 * Double(min(below, above)) / Double(sums.count))) < 1e-12)
  }

  /// Checked with SciPy 1.17.1: wilcoxon(x, correction=True, method='asymptotic').
  @Test(arguments: [(1, 0.640074323906008), (5, 0.022487507208651), (9, 0.000241928825036)])
  func `large samples have the normal law's probability`(_ shift: Int, _ probability: Double) {
    let differences = (0..<40).map { Double($0 * 17 % 41 - 20 + shift) }

    let test = SignedRank(differences)

    #expect(abs(test.probability - probability) < 1e-9)
  }

  @Test func `no differences are no evidence`() {
    #expect(SignedRank([]).probability == 1)
    #expect(SignedRank([0, 0, .nan]).probability == 1)
    #expect(!SignedRank([1, 2, 3, 4, 5]).isResolved)
    #expect(SignedRank([1, 2, 3, 4, 5, 6]).isResolved)
  }
}
