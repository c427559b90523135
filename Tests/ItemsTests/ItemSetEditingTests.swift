import Items
import TestSupport
import Testing

@Suite struct ItemSetEditingTests {
  private let ten = {
    var set = ItemSet()
    _ = set.append(.samples(0..<10))
    return set
  }()

  @Test(arguments: 0..<150) func `any sequence of edits agrees with a plain array`(_ seed: UInt64) {
    var dice = Dice(state: seed)
    var set = ItemSet()
    var model: [Item] = []
    var screen: [[Item]] = [[]]

    for step in 0..<80 {
      let edit = Self.edit(&dice)
      let place = "seed \(seed), step \(step), \(edit)"
      if step % 7 == 0 {
        let page = (0..<5).map { _ in Self.item(&dice) }
        let added = set.append(page)
        model += added.inserted
        do { try added.changeSet.apply(to: &screen) } catch { Issue.record(error, "\(place)") }
      }

      let result = set.edit(edit)
      Self.change(&model, edit)

      do { try result.changes.apply(to: &screen) } catch { Issue.record(error, "\(place)") }
      #expect(set.items() == model, "\(place)")
      #expect(screen == [model], "\(place)")
      for (index, item) in model.enumerated() {
        #expect(set.path(of: item.id) == ItemPath(item: index), "\(place)")
      }
      guard set.items() == model else { return }
    }
  }

  @Test func `ids that were removed are free again, however many come and go`() {
    var set = ItemSet()
    for round in 0..<200 {
      let page = (0..<50).map { Item(id: .text("item \(round) \($0)"), bytes: Bytes("\($0)")) }
      _ = set.append(page)
      let gone = page.dropLast(5).map(\.id)

      _ = set.edit(.remove(gone))

      #expect(gone.allSatisfy { !set.contains($0) })
    }
    #expect(set.count == 1_000)
    for (index, item) in set.items().enumerated() { #expect(set.path(of: item.id)?.item == index) }
  }

  @Test func `an item is moved beside itself without going anywhere`() {
    var set = ten

    #expect(set.edit(.move([.integer(4)], .before(.integer(4)))).changes.isEmpty)
    #expect(set.edit(.move([.integer(4), .integer(5)], .after(.integer(5)))).changes.isEmpty)

    #expect(set.items().ids == Array(0..<10))
  }

  @Test func `where the item beside is not held, a move stays and an insertion goes to the end`() {
    var set = ten

    let move = set.edit(.move([.integer(4)], .before(.integer(40))))
    let insertion = set.edit(.insert(.samples([70]), .after(.integer(40))))

    #expect(move.changes.isEmpty)
    #expect([move.unknown, insertion.unknown] == [[.integer(40)], [.integer(40)]])
    #expect(set.items().ids == Array(0..<10) + [70])
  }

  @Test func `released items stay where they are and count as unknown`() {
    var set = ten
    set.release(before: 4)

    let removal = set.edit(.remove([.integer(2), .integer(5)]))
    _ = set.edit(.insert(.samples([70]), .start))
    let move = set.edit(.move([.integer(9), .integer(3)], .start))

    #expect(removal.unknown == [.integer(2)])
    #expect(move.unknown == [.integer(3)])
    #expect(set.items().ids == [9, 70, 4, 6, 7, 8])
    #expect(set.path(of: .integer(3))?.item == 3)
    #expect(set.path(of: .integer(9))?.item == 4)
    #expect(set.count == 10)
    #expect(set.append(.numbers([1, 2])).inserted.ids == [2])
  }

  private static func item(_ dice: inout Dice) -> Item {
    let id = id(&dice)
    return Item(id: id, bytes: Bytes("\(id).\(Int.random(in: 0..<3, using: &dice))"))
  }

  private static func id(_ dice: inout Dice) -> ItemID {
    let number = Int.random(in: 0..<30, using: &dice)
    return number % 3 == 0 ? .text("item \(number)") : .integer(Int64(number))
  }

  private static func edit(_ dice: inout Dice) -> Edit {
    let placements: [Edit.Placement] = [.start, .end, .before(id(&dice)), .after(id(&dice))]
    let placement = placements[Int.random(in: 0..<4, using: &dice)]
    let count = Int.random(in: 0..<(dice.next() % 4 == 0 ? 25 : 4), using: &dice)
    let items = (0..<count).map { _ in item(&dice) }
    switch Int.random(in: 0..<4, using: &dice) {
    case 0: return .insert(items, placement)
    case 1: return .remove(items.map(\.id))
    case 2: return .replace(items)
    default: return .move(items.map(\.id), placement)
    }
  }

  /// The same, naively.
  private static func change(_ model: inout [Item], _ edit: Edit) {
    func at(_ placement: Edit.Placement) -> Int? {
      switch placement {
      case .start: 0
      case .end: model.count
      case .before(let id): model.firstIndex { $0.id == id }
      case .after(let id): model.firstIndex { $0.id == id }.map { $0 + 1 }
      }
    }
    switch edit {
    case .insert(let items, let placement):
      var place = at(placement) ?? model.count
      for item in items {
        if let held = model.firstIndex(where: { $0.id == item.id }) {
          model[held] = item
        } else {
          model.insert(item, at: place)
          place += 1
        }
      }
    case .remove(let ids): model.removeAll { ids.contains($0.id) }
    case .replace(let items):
      for item in items { if let held = model.firstIndex(where: { $0.id == item.id }) { model[held] = item } }
    case .move(let ids, let placement):
      guard let place = at(placement) else { return }
      var run: [Item] = []
      for id in ids where !run.contains(where: { $0.id == id }) { run += model.filter { $0.id == id } }
      let before = model[..<place].count { !ids.contains($0.id) }
      model.removeAll { ids.contains($0.id) }
      model.insert(contentsOf: run, at: before)
    }
  }
}
