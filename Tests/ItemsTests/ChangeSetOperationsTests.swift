import Items
import TestSupport
import Testing

@Suite struct ChangeSetOperationsTests {
  @Test func `what goes, what moves, what comes and what differs follow each other`() throws {
    var changes = ChangeSet()
    changes.remove(0..<2)
    changes.moves = [ItemMove(from: ItemPath(item: 4), to: ItemPath(item: 0))]
    changes.insert(.samples([9, 8]), at: ItemPath(item: 2))
    changes.updates = [ChangeSet.Update(path: ItemPath(item: 1), item: .sample(3, version: 2))]
    var ids = [Item].samples(1...5).map(\.id)

    let operations = try changes.operations(on: &ids)

    #expect(
      operations == [
        .remove(.integer(2), at: 1), .remove(.integer(1), at: 0), .move(.integer(5), from: 2, to: 0),
        .insert(.sample(9), at: 2), .insert(.sample(8), at: 3), .update(.sample(3, version: 2), at: 1),
      ])
    #expect(ids == [5, 3, 9, 8, 4].map { .integer($0) })
  }

  @Test func `an append is an insertion for each item`() throws {
    var changes = ChangeSet()
    changes.insert(.samples([3]), at: ItemPath(item: 2))
    changes.insert(.samples([4]), at: ItemPath(item: 3))
    var ids = [Item].samples([1, 2]).map(\.id)

    let operations = try changes.operations(on: &ids)

    #expect(changes.isAppend(to: 2))
    #expect(!changes.isAppend(to: 3))
    #expect(operations == [.insert(.sample(3), at: 2), .insert(.sample(4), at: 3)])
    #expect(ids.count == 4)
  }

  @Test func `a reload removes everything that was there`() throws {
    var changes = ChangeSet()
    changes.isReload = true
    changes.insert(.samples([2, 3]), at: ItemPath(item: 0))
    var ids = [Item].samples([1, 2]).map(\.id)

    let operations = try changes.operations(on: &ids)

    #expect(
      operations == [
        .remove(.integer(2), at: 1), .remove(.integer(1), at: 0), .insert(.sample(2), at: 0),
        .insert(.sample(3), at: 1),
      ])
    #expect(!changes.isAppend(to: 2))
    #expect(ids == [Item].samples([2, 3]).map(\.id))
  }

  @Test func `a change that does not fit leaves the ids as they were`() throws {
    var ids = [Item].samples([1, 2]).map(\.id)
    var beyond = ChangeSet()
    beyond.remove(1..<3)
    var updating = ChangeSet()
    updating.updates = [ChangeSet.Update(path: ItemPath(item: 2), item: .sample(3))]
    var sections = ChangeSet()
    sections.sectionInsertions = [ChangeSet.SectionInsertion(section: 1)]

    for changes in [beyond, updating, sections] {
      #expect(throws: ChangeSetMismatch.self) { try changes.operations(on: &ids) }
    }

    #expect(ids == [Item].samples([1, 2]).map(\.id))
  }

  /// Every order of up to six items, with some that came and some that went.
  @Test(arguments: 0...6)
  func `every reordering takes the fewest moves and ends in the new order`(count: Int) throws {
    for order in permutations(Array(0..<count)) {
      let fault = try fault(from: Array(0..<count), to: order)
      #expect(fault == nil, "to \(order): \(fault ?? "")")
    }
  }

  @Test(arguments: 0..<20)
  func `operations one by one do what the change set does`(seed: Int) throws {
    var dice = Dice(state: UInt64(seed))
    for round in 0..<200 {
      let pool = Array(0..<Int.random(in: 0...30, using: &dice))
      let old = pool.filter { _ in Bool.random(using: &dice) }.shuffled(using: &dice)
      var new = pool.filter { _ in Int.random(in: 0..<3, using: &dice) > 0 }
      if Bool.random(using: &dice) { new = old.filter(new.contains) + new.filter { !old.contains($0) } }
      for _ in 0..<Int.random(in: 0...8, using: &dice) where !new.isEmpty {
        new.swapAt(new.indices.randomElement(using: &dice)!, new.indices.randomElement(using: &dice)!)
      }

      let fault = try fault(from: old, to: new, isReload: Int.random(in: 0..<20, using: &dice) == 0)

      #expect(fault == nil, "seed \(seed), round \(round), \(old) to \(new): \(fault ?? "")")
    }
  }

  /// What is wrong with the operations of the difference; every third item is in a new form.
  private func fault(from old: [Int], to new: [Int], isReload: Bool = false) throws -> String? {
    let before = [Item].samples(old)
    let after = new.map { Item.sample($0, version: $0.isMultiple(of: 3) ? 2 : 1) }
    let changes = try differing(before, after, isReload)
    var ids = before.map(\.id)

    let operations = try changes.operations(on: &ids)

    var list = before
    for operation in operations {
      guard apply(operation, to: &list) else { return "\(operation) does not fit \(list.ids)" }
    }
    if list != after { return "\(operations) gives \(list.ids)" }
    if ids != after.map(\.id) { return "the ids are \(ids)" }
    let moves = operations.count { if case .move = $0 { true } else { false } }
    return moves == changes.moves.count ? nil : "\(moves) moves for \(changes.moves.count)"
  }

  private func differing(_ before: [Item], _ after: [Item], _ isReload: Bool) throws -> ChangeSet {
    var sets = (old: ItemSet(), new: ItemSet())
    _ = sets.old.append(before)
    _ = sets.new.append(after)
    return sets.new.difference(from: sets.old, limit: isReload ? 0 : nil)
  }

  /// Applies one operation the slow way; whether it was about the item that is there.
  private func apply(_ operation: ItemOperation, to list: inout [Item]) -> Bool {
    switch operation {
    case .insert(let item, let place):
      guard place <= list.count else { return false }
      list.insert(item, at: place)
      return true
    case .remove(let id, let place):
      return list.indices.contains(place) && list.remove(at: place).id == id
    case .move(let id, let from, let to):
      guard list.indices.contains(from), to < list.count else { return false }
      let item = list.remove(at: from)
      list.insert(item, at: to)
      return item.id == id
    case .update(let item, let place):
      guard list.indices.contains(place), list[place].id == item.id else { return false }
      list[place] = item
      return true
    }
  }

  private func permutations(_ list: [Int]) -> [[Int]] {
    guard let first = list.first else { return [[]] }
    return permutations(Array(list.dropFirst())).flatMap { rest in
      (0...rest.count).map { place in
        var order = rest
        order.insert(first, at: place)
        return order
      }
    }
  }
}
