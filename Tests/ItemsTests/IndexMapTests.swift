import Items
import Testing

@Suite struct IndexMapTests {
  struct Case: Decodable, CustomTestStringConvertible {
    struct Inputs: Decodable {
      let old_count: Int
      let deleted: [Int]
      let inserted: [Int]
    }

    enum Map: Decodable {
      case named(String)
      case pairs([String: Int])

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self =
          try (try? container.decode(String.self)).map { .named($0) }
          ?? .pairs(container.decode([String: Int].self))
      }
    }

    struct Expected: Decodable {
      let map: Map
      let lookups: [String: Int?]?
    }

    let `case`: String
    let inputs: Inputs
    let expected: Expected
    var testDescription: String { `case` }
    var map: IndexMap {
      IndexMap(oldCount: inputs.old_count, deleted: inputs.deleted, inserted: inputs.inserted)
    }
  }

  @Test(arguments: cases("ASIntegerMapTests") + cases("IntegerMapDerived") as [Case])
  func `maps as upstream does`(_ example: Case) {
    let map = example.map

    switch example.expected.map {
    case .named(let name): #expect(map == (name == "identity" ? .identity : .empty))
    case .pairs(let pairs):
      for old in 0..<example.inputs.old_count {
        let new = pairs["\(old)"]
        #expect(map.new(old) == new)
        if let new { #expect(map.old(new) == old) }
      }
    }
    for (old, new) in example.expected.lookups ?? [:] { #expect(map.new(Int(old)!) == new) }
  }

  @Test func `the identity maps indices outside of any list too`() {
    let map = IndexMap(oldCount: 1, deleted: [], inserted: [])

    #expect(map.new(7) == 7)
    #expect(map.old(-3) == -3)
    #expect(map.inverse == map)
  }

  @Test func `the inverse swaps both ways`() {
    let map = IndexMap(oldCount: 6, deleted: [1, 4], inserted: [0, 2, 5])

    for index in -1..<9 {
      #expect(map.inverse.new(index) == map.old(index))
      #expect(map.inverse.old(index) == map.new(index))
    }
  }

  @Test(arguments: 0..<200) func `agrees with moving one index after another`(_ seed: UInt64) {
    var dice = Dice(state: seed)
    let count = Int.random(in: 1...20, using: &dice)
    let deleted = (0..<count).filter { _ in Int.random(in: 0..<3, using: &dice) == 0 }
    let inserted = (0..<count + 5).filter { _ in Int.random(in: 0..<3, using: &dice) == 0 }
    let map = IndexMap(oldCount: count, deleted: deleted.shuffled(using: &dice), inserted: inserted)
    guard !(deleted.isEmpty && inserted.isEmpty) else { return }

    let survivors = (0..<count).filter { !deleted.contains($0) }
    for old in 0..<count {
      guard var place = survivors.firstIndex(of: old) else {
        #expect(map.new(old) == nil, "seed \(seed)")
        continue
      }
      for index in inserted where index <= place { place += 1 }
      #expect(map.new(old) == place, "seed \(seed)")
      #expect(map.old(place) == old, "seed \(seed)")
    }
  }
}
