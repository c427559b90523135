import Items
import TestSupport
import Testing

@Suite struct ItemSetPropertyTests {
  @Test(arguments: 0..<150) func `any sequence of changes agrees with a plain array`(_ seed: UInt64) {
    var dice = Dice(state: seed)
    var set = ItemSet()
    var model: [Item] = []
    var screen: [[Item]] = [[]]

    for step in 0..<60 {
      let page = (0..<Int.random(in: 0...8, using: &dice)).map { _ in
        let number = Int.random(in: 0..<60, using: &dice)
        let id: ItemID = number % 3 == 0 ? .text("item \(number)") : .integer(Int64(number))
        return Item(id: id, bytes: Bytes("\(number).\(Int.random(in: 0..<3, using: &dice))"))
      }
      let merge = Bool.random(using: &dice) ? Merge.keep : .replace
      var changes = ChangeSet()
      switch Int.random(in: 0..<4, using: &dice) {
      case 0 where !model.isEmpty:
        let start = Int.random(in: 0..<model.count, using: &dice)
        let range = start..<Int.random(in: start...model.count, using: &dice)
        set.remove(range)
        model.removeSubrange(range)
        changes.remove(range)
      case 1:
        changes = set.prepend(page, merge: merge).changeSet
        insert(page, into: &model, at: 0, merge: merge)
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
