/// One step of a change to a list, for readers that apply steps one at a time. Places count from 0.
public enum ItemOperation: Sendable, Equatable {
  /// Inserts the item at a place; later items shift up.
  case insert(Item, at: Int)
  /// Removes the item with this id from its place.
  case remove(ItemID, at: Int)
  /// Moves the item with this id; the target is counted without it.
  case move(ItemID, from: Int, to: Int)
  /// Replaces the content of the item at a place; its id stays.
  case update(Item, at: Int)

  /// The inserted item, or the new content.
  public var item: Item? {
    switch self {
    case .insert(let item, _), .update(let item, _): item
    case .remove, .move: nil
    }
  }

  /// How much the list grows: 1, 0 or -1.
  public var growth: Int {
    switch self {
    case .insert: 1
    case .remove: -1
    case .move, .update: 0
    }
  }
}

extension ChangeSet {
  /// Whether it only appends to a list of `count` items.
  public func isAppend(to count: Int) -> Bool {
    guard !isReload, removals.isEmpty, moves.isEmpty, updates.isEmpty, sectionRemovals.isEmpty,
      sectionMoves.isEmpty, sectionInsertions.isEmpty
    else { return false }
    var end = count
    for insertion in insertions {
      guard insertion.path == ItemPath(item: end) else { return false }
      end += insertion.items.count
    }
    return true
  }

  /// The same change to a list of one section, step by step: removals from last to first, the fewest moves, insertions
  /// from first to last, updates. Turns `ids` from those before the change into those after it.
  ///
  /// Takes time proportional to the list and the change, and O(n log n) for n moves; an append costs only what it
  /// appends. If it throws, the ids are unchanged.
  public func operations(on ids: inout [ItemID]) throws(ChangeSetMismatch) -> [ItemOperation] {
    if isAppend(to: ids.count) { return appendOperations(on: &ids) }
    let counts = baseCounts(over: [ids.count])
    let arrangement = try Arrangement(blueprint(counts: counts))
    try checkUpdates(arrangement.sections.map(\.count))
    guard arrangement.sections.count <= 1 else {
      throw ChangeSetMismatch(part: .sectionInsertion, path: ItemPath(section: 1, item: 0), counts: counts)
    }
    let plan = OperationPlan(arrangement, oldCount: isReload ? 0 : ids.count)
    let old = ids
    let lots = lots
    func id(of source: OperationPlan.Source) -> ItemID {
      switch source {
      case .old(let index): old[index]
      case .fresh(let lot, let index): lots[lot][index].id
      }
    }
    ids = plan.sources.map(id)

    var operations: [ItemOperation] = []
    let gone = isReload ? Array(old.indices) : plan.gone
    for index in gone.reversed() { operations.append(.remove(old[index], at: index)) }
    for move in plan.moves { operations.append(.move(old[move.old], from: move.from, to: move.to)) }
    for (place, source) in plan.sources.enumerated() {
      if case .fresh(let lot, let index) = source { operations.append(.insert(lots[lot][index], at: place)) }
    }
    for update in updates { operations.append(.update(update.item, at: update.path.item)) }
    return operations
  }

  private func appendOperations(on ids: inout [ItemID]) -> [ItemOperation] {
    var operations: [ItemOperation] = []
    for item in insertions.lazy.flatMap(\.items) {
      operations.append(.insert(item, at: ids.count))
      ids.append(item.id)
    }
    return operations
  }
}

/// What a change does to the items of one list, one by one.
struct OperationPlan {
  /// Where an item of the new list comes from.
  enum Source {
    /// Its index in the old list.
    case old(Int)
    /// Its index in a lot of inserted items.
    case fresh(lot: Int, index: Int)
  }

  /// A move in the list as it is at that point.
  struct Move {
    /// The index of the item in the old list.
    var old: Int
    var from: Int
    var to: Int
  }

  /// The new list, in order.
  private(set) var sources: [Source] = []
  /// Indices of removed items in the old list, ascending.
  private(set) var gone: [Int] = []
  /// In the order they apply, after removals and before insertions.
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

  /// Puts each moved item, in new order, behind the item it is to follow.
  ///
  /// At every point the list is: staying items in order; moved items already placed, behind the last staying item
  /// before them; and behind those the moved items still waiting, in old order. So a place is a sum of counts.
  private mutating func planMoves(_ moved: [Int], _ isKept: [Bool]) {
    var isMoved = [Bool](repeating: false, count: isKept.count)
    for index in moved { isMoved[index] = true }
    // For every old index, the numbers of staying and of moved items before it.
    var staying = [Int](repeating: 0, count: isKept.count)
    var rank = staying
    var counts = (staying: 0, moved: 0)
    for index in isKept.indices where isKept[index] {
      (staying[index], rank[index]) = counts
      if isMoved[index] { counts.moved += 1 } else { counts.staying += 1 }
    }
    /// Waiting items, by the number of staying items before them.
    var waiting = [Int](repeating: 0, count: counts.staying + 1)
    for index in moved { waiting[staying[index]] += 1 }
    var waitingRanks = CountTree(count: counts.moved)
    /// Placed items with fewer staying items before them than the index; filled up to the current group.
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

/// Counts members of `0..<count`, initially all.
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
