/// What a change does to the items of one list, one by one.
struct OperationPlan {
  /// Where an item of the new list is from.
  enum Source {
    /// Its index in the old list.
    case old(Int)
    /// Its index in a lot of items that the change brings.
    case fresh(lot: Int, index: Int)
  }

  /// A move in the list as it is at that moment.
  struct Move {
    /// The index of the item in the old list.
    var old: Int
    var from: Int
    var to: Int
  }

  /// The new list, in order.
  private(set) var sources: [Source] = []
  /// Indices in the old list of the items that go, ascending.
  private(set) var gone: [Int] = []
  /// In the order in which they apply, behind the removals and before the insertions.
  private(set) var moves: [Move] = []

  init(_ arrangement: Arrangement, oldCount: Int) {
    var isKept = [Bool](repeating: false, count: oldCount)
    for run in arrangement.sections.first?.runs ?? [] {
      switch run.source {
      case .fresh(let lot): for index in run.range { sources.append(.fresh(lot: lot, index: index)) }
      case .old:
        for index in run.range {
          sources.append(.old(index))
          isKept[index] = true
        }
      }
    }
    gone = isKept.indices.filter { !isKept[$0] }
    let moved = arrangement.sections.isEmpty ? [] : arrangement.movedRuns(ofSection: 0)
    if !moved.isEmpty { planMoves(moved.flatMap { $0.placed.run.range }, isKept) }
  }

  /// Puts each of the moved items, from the first to the last of the new list, behind the one that it is to follow.
  ///
  /// At every moment the list is: what stays, in its order; each moved item that has its place, behind the last that
  /// stays before it; and behind those the ones that still wait there, in their old order. So a place is a sum of counts.
  private mutating func planMoves(_ moved: [Int], _ isKept: [Bool]) {
    var isMoved = [Bool](repeating: false, count: isKept.count)
    for index in moved { isMoved[index] = true }
    // For every old index, how many before it stay, and how many before it are moved.
    var staying = [Int](repeating: 0, count: isKept.count)
    var rank = staying
    var counts = (staying: 0, moved: 0)
    for index in isKept.indices where isKept[index] {
      (staying[index], rank[index]) = counts
      if isMoved[index] { counts.moved += 1 } else { counts.staying += 1 }
    }
    /// Items that wait, by how many that stay are before them.
    var waiting = [Int](repeating: 0, count: counts.staying + 1)
    for index in moved { waiting[staying[index]] += 1 }
    var waitingRanks = CountTree(count: counts.moved)
    /// Items that have their place, with less than so many that stay before them; known up to the group in hand.
    var placedBefore = [Int](repeating: 0, count: counts.staying + 2)
    var group = 0
    var placed = 0
    var waitingBefore = 0
    for source in sources {
      guard case .old(let index) = source else { continue }
      guard isMoved[index] else {
        waitingBefore += waiting[group]
        group += 1
        placedBefore[group] = placed
        continue
      }
      let start = staying[index]
      waitingRanks.remove(rank[index])
      let earlier = start < group ? placedBefore[start + 1] : placed
      let from = start + earlier + waitingRanks.count(before: rank[index])
      waiting[start] -= 1
      if start < group { waitingBefore -= 1 }
      moves.append(Move(old: index, from: from, to: group + placed + waitingBefore))
      placed += 1
    }
  }
}

/// Counts members of `0..<count`, of which there are all at first.
private struct CountTree {
  private var sums: [Int]

  init(count: Int) { sums = (0...count).map { $0 & -$0 } }

  mutating func remove(_ member: Int) {
    var place = member + 1
    while place < sums.count {
      sums[place] -= 1
      place += place & -place
    }
  }

  func count(before member: Int) -> Int {
    var place = member
    var sum = 0
    while place > 0 {
      sum += sums[place]
      place -= place & -place
    }
    return sum
  }
}
