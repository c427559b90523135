import Items
import TestSupport
import Testing

@Suite struct ItemSetPropertyTests {
  @Test(arguments: 0..<150) func `any sequence of changes agrees with a plain array`(_ seed: UInt64) {
    check(seed) { _, _, dice in
      (0..<Int.random(in: 0...8, using: &dice)).map { _ in
        let number = Int.random(in: 0..<60, using: &dice)
        return number % 3 == 0 ? .text("item \(number)") : .integer(Int64(number))
      }
    }
  }

  @Test(arguments: 0..<300) func `so does one of ids that mostly count up`(_ seed: UInt64) {
    check(seed) { held, isPrepended, dice in
      let numbers = held.compactMap { if case .integer(let number) = $0 { number } else { nil } }
      let count = Int64.random(in: 0...8, using: &dice)
      var first = isPrepended ? (numbers.min() ?? 30) - count : (numbers.max() ?? 29) + 1
      if Int.random(in: 0..<8, using: &dice) == 0 { first = Int64.random(in: 0..<60, using: &dice) }
      return (first..<first + count).map { .integer($0) }
    }
  }

  /// Changes a set and an array in the same way; `ids` are those of the next page.
  private func check(_ seed: UInt64, ids: ([ItemID], _ isPrepended: Bool, inout Dice) -> [ItemID]) {
    var dice = Dice(state: seed)
    var set = ItemSet()
    var model: [Item] = []
    var screen: [[Item]] = [[]]

    for step in 0..<60 {
      let kind = Int.random(in: 0..<5, using: &dice)
      let page = ids(model.map(\.id), kind == 1, &dice).map {
        Item(id: $0, bytes: Bytes("\($0).\(Int.random(in: 0..<3, using: &dice))"))
      }
      let merge = Bool.random(using: &dice) ? Merge.keep : .replace
      var changes = ChangeSet()
      switch kind {
      case 0 where !model.isEmpty:
        let start = Int.random(in: 0..<model.count, using: &dice)
        let range = start..<Int.random(in: start...model.count, using: &dice)
        set.remove(range)
        model.removeSubrange(range)
        changes.remove(range)
      case 1:
        changes = set.prepend(page, merge: merge).changeSet
        insert(page, into: &model, at: 0, merge: merge)
      case 2 where !model.isEmpty:
        let gone = model.remove(at: Int.random(in: 0..<model.count, using: &dice))
        changes = set.edit(.remove([gone.id])).changes
      default:
        changes = set.append(page, merge: merge).changeSet
        insert(page, into: &model, at: model.count, merge: merge)
      }

      do { try changes.apply(to: &screen) } catch { Issue.record(error, "seed \(seed), step \(step)") }
      #expect(set.items() == model, "seed \(seed), step \(step)")
      #expect(screen == [model], "seed \(seed), step \(step)")
      for (index, item) in model.enumerated() {
        #expect(set.path(of: item.id) == ItemPath(item: index), "seed \(seed), step \(step)")
      }
    }
  }

  private func insert(_ page: [Item], into model: inout [Item], at index: Int, merge: Merge) {
    var index = index
    for item in page {
      if let held = model.firstIndex(where: { $0.id == item.id }) {
        if merge == .replace { model[held] = item }
      } else {
        model.insert(item, at: index)
        index += 1
      }
    }
  }

  @Test func `a hundred thousand ids are found again`() {
    var set = ItemSet()
    for page in 0..<1000 {
      _ = set.append((0..<100).map { Item(id: .text("id-\(page * 100 + $0)"), bytes: .empty) })
      set.release(before: page * 100)
    }

    #expect(set.count == 100_000)
    #expect(set.path(of: .text("id-0")) == ItemPath(item: 0))
    #expect(set.path(of: .text("id-99999")) == ItemPath(item: 99_999))
    #expect(!set.contains(.text("id-100000")))
  }
}
