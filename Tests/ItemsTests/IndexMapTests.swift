import Items
import TestSupport
import Testing

@Suite struct IndexMapTests {
  struct Case: Decodable, CustomTestStringConvertible {
    struct Inputs: Decodable {
      let old_count: Int
      let deleted: [Int]
      let inserted: [Int]
    }

    struct Expected: Decodable {
      let map: ExpectedMap
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

    #expect(example.expected.map.matches(map, oldCount: example.inputs.old_count), "\(example.case)")
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

  @Test func `moved indices are found where they went, and all others make way`() {
    let map = IndexMap(oldCount: 5, deleted: [1], inserted: [4], moved: [(from: 4, to: 0), (from: 0, to: 3)])

    #expect((0..<5).map { map.new($0) } == [3, nil, 1, 2, 0])
    #expect((0..<5).map { map.old($0) } == [4, 2, 3, 0, nil])
    #expect((0..<5).map { map.inverse.new($0) } == [4, 2, 3, 0, nil])
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

  @Test(arguments: [Int.min, Int.min + 1, -1, 1 << 62, Int.max - 1, Int.max])
  func `indices that no list has stand for nothing`(_ index: Int) {
    let map = IndexMap(
      oldCount: 3, deleted: [index, 0, index], inserted: [index, 1],
      moved: [(from: index, to: 2), (from: 2, to: index)])

    #expect(map.new(0) == nil)
    #expect(map.new(1) == 0)
    #expect(map.new(index) == nil)
    #expect(map.old(index) == nil)
    #expect(map.inverse.new(index) == nil)
    #expect(IndexMap(oldCount: .max, deleted: [0], inserted: [0, index]).new(index) == nil)
  }
}
