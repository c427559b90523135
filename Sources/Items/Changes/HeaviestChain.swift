/// Which elements can stay so that the staying ones are in ascending order and weigh as much as possible.
///
/// Keys are unique. O(n log n); O(n) if already in order.
func heaviestChain(keys: [Int], weights: [Int]) -> [Bool] {
  var stays = Array(repeating: true, count: keys.count)
  guard !zip(keys, keys.dropFirst()).allSatisfy(<) else { return stays }
  let sorted = keys.indices.sorted { keys[$0] < keys[$1] }
  var ranks = Array(repeating: 0, count: keys.count)
  for (rank, index) in sorted.enumerated() { ranks[index] = rank + 1 }
  var best = ChainTable(count: keys.count)
  var previous: [Int?] = []
  for index in keys.indices {
    let chain = best.heaviest(before: ranks[index])
    previous.append(chain?.end)
    best.record((weight: (chain?.weight ?? 0) + weights[index], end: index), at: ranks[index])
  }
  stays = Array(repeating: false, count: keys.count)
  var next = best.heaviest(before: keys.count + 1)?.end
  while let index = next {
    stays[index] = true
    next = previous[index]
  }
  return stays
}

/// The heaviest chain that ends at or before each rank: a binary indexed tree of maxima, ranks from 1.
private struct ChainTable {
  typealias Chain = (weight: Int, end: Int)
  private var chains: [Chain?]

  init(count: Int) { chains = Array(repeating: nil, count: count + 1) }

  func heaviest(before rank: Int) -> Chain? {
    var best: Chain?
    var index = rank - 1
    while index > 0 {
      if let chain = chains[index], chain.weight > best?.weight ?? 0 { best = chain }
      index -= index & -index
    }
    return best
  }

  mutating func record(_ chain: Chain, at rank: Int) {
    var index = rank
    while index < chains.count {
      if chain.weight > chains[index]?.weight ?? 0 { chains[index] = chain }
      index += index & -index
    }
  }
}
