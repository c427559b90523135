import Items
import TestSupport
import Testing

/// Items that a reader has passed, of which only is kept which they were.
@Suite struct PassedItemTests {
  /// More than keep their places in any case, so that some have given theirs up.
  private static let many = 40_000

  /// A page of items, all but the last hundred of which are passed at once.
  private static func passed(_ ids: [ItemID]) -> ItemSet {
    var set = ItemSet()
    for start in stride(from: 0, to: ids.count, by: 100) {
      _ = set.append(ids[start..<min(start + 100, ids.count)].map { Item(id: $0, bytes: .empty) })
      set.release(before: start, keepsPlaces: false)
    }
    return set
  }

  /// Ids that differ in everything: long and short texts, texts that begin alike, and integers that don't count up.
  private static let kinds: [@Sendable (Int) -> ItemID] = [
    { .text("id-\($0)") }, { .text(String($0)) }, { .text(String(repeating: "a", count: 200) + "\($0)") },
    { .text("\($0)" + String(repeating: "\u{0}", count: $0 % 3)) },
    { .integer(Int64($0) &* 1_000_003) }, { .integer(.max - Int64($0) * 2) }, { .integer(Int64($0) << 40) },
  ]

  @Test(arguments: kinds.indices) func `each of them is known when it comes again, and nothing else is`(
    kind: Int
  ) {
    let id = Self.kinds[kind]
    var set = Self.passed((0..<Self.many).map(id))

    let again = set.append((0..<Self.many).map { Item(id: id($0), bytes: .empty) })
    let strangers = (Self.many..<2 * Self.many).map(id)

    #expect(set.path(of: id(1)) == nil, "the second gave its place up")
    #expect(set.path(of: id(Self.many - 1)) == ItemPath(item: Self.many - 1))
    #expect(again.inserted.isEmpty && again.updated.isEmpty)
    #expect(again.duplicates == Self.many)
    #expect(set.count == Self.many)
    #expect(strangers.allSatisfy { !set.contains($0) })
    #expect(set.append(strangers.map { Item(id: $0, bytes: .empty) }).inserted.map(\.id) == strangers)
  }

  @Test func `a text is no integer, and no byte of it is left out`() {
    let set = Self.passed((0..<Self.many).map { .text("\($0)") })

    #expect(set.contains(.text("7")))
    #expect(!set.contains(.integer(7)))
    #expect(!set.contains(.text("07")))
    #expect(!set.contains(.text("7\u{0}")))
    #expect(!set.contains(.text("")))
  }

  @Test func `a page of old and new items brings the new ones, in order`() {
    var set = Self.passed((0..<Self.many).map { .text("id-\($0)") })
    let page = ["new 1", "id-5", "new 2", "new 1", "id-39999"].map { Item(id: .text($0), bytes: Bytes($0)) }

    let result = set.append(page, merge: .replace)

    #expect(result.inserted.map(\.id) == [.text("new 1"), .text("new 2")])
    #expect(result.duplicates == 3)
    #expect(result.path == ItemPath(item: Self.many))
    #expect(set.path(of: .text("new 2")) == ItemPath(item: Self.many + 1))
    #expect(set.count == Self.many + 2)
  }

  @Test func `a prepended page brings what is new`() {
    var set = Self.passed((0..<Self.many).map { .text("id-\($0)") })

    let result = set.prepend(["a", "id-5", "b"].map { Item(id: .text($0), bytes: .empty) })

    #expect(result.inserted.map(\.id) == [.text("a"), .text("b")])
    #expect(result.duplicates == 1)
    #expect(set.count == Self.many + 2)
    #expect(set.path(of: .text("id-39999")) == ItemPath(item: Self.many + 1))
  }

  @Test func `one that is removed may come again, and one that is inserted by hand is not new`() {
    var set = Self.passed((0..<Self.many).map { .text("id-\($0)") })
    let item = Item(id: .text("id-5"), bytes: .empty)

    let inserted = set.edit(.insert([item], .end))
    let removed = set.edit(.remove([item.id]))
    let again = set.append([item, Item(id: .text("id-6"), bytes: .empty)])

    #expect(inserted.changes.isEmpty && inserted.unknown == [item.id])
    #expect(removed.changes.isEmpty && removed.unknown == [item.id])
    #expect(again.inserted == [item])
  }

  @Test(arguments: 0..<20) func `any order of pages agrees with a set of ids`(_ seed: UInt64) {
    var dice = Dice(state: seed)
    var set = ItemSet()
    var known: Set<ItemID> = []

    for step in 0..<400 {
      let page = (0..<200).map { _ -> ItemID in
        let number = Int.random(in: 0..<60_000, using: &dice)
        return Self.kinds[number % Self.kinds.count](number)
      }
      let fresh = page.filter { known.insert($0).inserted }
      let result = set.append(page.map { Item(id: $0, bytes: .empty) })

      #expect(result.inserted.map(\.id) == fresh, "seed \(seed), step \(step)")
      #expect(result.duplicates == 200 - fresh.count, "seed \(seed), step \(step)")
      set.release(before: set.count - Int.random(in: 0..<300, using: &dice), keepsPlaces: false)
      if step % 7 == 0, let gone = page.randomElement(using: &dice), set.path(of: gone) == nil {
        _ = set.edit(.remove([gone]))
        known.remove(gone)
      }
    }
    #expect(set.count > 16_384)
  }

  /// Two sets that had been one go their own ways, each with what it spilled.
  @Test(arguments: 0..<9) func `where the others are spilled, any order of pages agrees with a set of ids`(
    _ seed: UInt64
  ) {
    var dice = Dice(state: seed)
    let room = MemoryRoom(leastSpilled: [1, 100, 3000][Int(seed % 3)])
    var sets = [ItemSet()]
    var known: [Set<ItemID>] = [[]]

    for step in 0..<300 {
      if step == 150 {
        sets.append(sets[0])
        known.append(known[0])
      }
      if step % 60 == 30 { room.isFull.toggle() }
      for place in sets.indices {
        let page = (0..<300).map { _ -> ItemID in
          let number = Int.random(in: 0..<90_000, using: &dice)
          return Self.kinds[number % Self.kinds.count](number)
        }
        let fresh = page.filter { known[place].insert($0).inserted }
        let result = sets[place].append(page.map { Item(id: $0, bytes: .empty) })

        #expect(result.inserted.map(\.id) == fresh, "seed \(seed), step \(step)")
        #expect(result.duplicates == 300 - fresh.count, "seed \(seed), step \(step)")
        let end = sets[place].count - Int.random(in: 0..<300, using: &dice)
        sets[place].release(before: end, keepsPlaces: false, spillingInto: room)
        if step % 7 == 0, let gone = page.randomElement(using: &dice), sets[place].path(of: gone) == nil {
          _ = sets[place].edit(.remove([gone]))
          known[place].remove(gone)
        }
      }
    }
    #expect(room.areas.count { $0 != nil } == 4, "integers and texts of two sets")
    #expect(room.areas.allSatisfy { $0?.count ?? 1 > 0 })
    sets = []
    #expect(room.areas.allSatisfy { $0 == nil }, "what nobody knows any more takes no room")
  }

  @Test func `a room without an area, or full from its start, is as none`() {
    for room in [MemoryRoom(leastSpilled: 1, areaLimit: 0), MemoryRoom(leastSpilled: 1, isFull: true)] {
      var set = ItemSet()
      for number in 0..<Self.many {
        _ = set.append([Item(id: .text("id-\(number)"), bytes: .empty)])
        if number % 1000 == 0 { set.release(before: number, keepsPlaces: false, spillingInto: room) }
      }

      #expect((0..<Self.many).allSatisfy { set.contains(.text("id-\($0)")) })
      #expect(room.areas.allSatisfy { $0?.isEmpty ?? true })
    }
  }

  @Test func `a released item that keeps its place is another one only where its form is another`() {
    var set = ItemSet()
    func form(_ number: Int, _ version: Int) -> Item {
      Item(id: .integer(Int64(number)), bytes: Bytes("\(number).\(version)"))
    }
    _ = set.append((0..<100).map { form($0, 0) })
    set.release(before: 60)
    _ = set.append((100..<200).map { form($0, 0) })
    set.release(before: 150)

    let again = set.append((0..<200).map { form($0, $0 % 50 == 7 ? 1 : 0) }, merge: .replace)
    let later = set.append((0..<200).map { form($0, $0 % 50 == 7 ? 1 : 0) }, merge: .replace)

    #expect(again.updated.map(\.item.id) == [7, 57, 107, 157].map { .integer($0) })
    #expect(again.duplicates == 200)
    #expect(later.updated.isEmpty)
    set.remove(10..<20)
    #expect(set.append([form(30, 0)], merge: .replace).updated.count == 1, "its form is not known any more")
  }
}
