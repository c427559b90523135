import Items
import TestSupport
import Testing

@Suite struct ListDifferenceTests {
  /// Texture's table of differences; its elements are texts or numbers.
  struct Case: Decodable, CustomTestStringConvertible {
    struct Inputs: Decodable {
      let old: [Name]
      let new: [Name]
    }

    struct Expected: Decodable {
      let common_old_indexes: [Int]?
      let insertions: [Int]?
      let deletions: [Int]?
      let moves: [[Int]]?
    }

    enum Name: Decodable, Hashable {
      case text(String)
      case number(Int)

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self =
          try (try? container.decode(String.self)).map { .text($0) } ?? .number(container.decode(Int.self))
      }
    }

    let `case`: String
    let inputs: Inputs
    let expected: Expected
    var testDescription: String { `case` }
  }

  @Test(arguments: cases("ArrayDiffingTests") as [Case])
  func `comes to what upstream comes to`(_ example: Case) {
    let (old, new, expected) = (example.inputs.old, example.inputs.new, example.expected)
    let difference = new.difference(from: old, id: { $0 })
    let map = difference.indexMap(oldCount: old.count)
    let moved = Set(difference.moves.map(\.from))
    let staying = old.indices.filter { map.new($0) != nil && !moved.contains($0) }

    if let common = expected.common_old_indexes { #expect(staying == common) }
    if let moves = expected.moves {
      // Upstream calls every element that is at another index moved, also where others only made way.
      #expect(new.indices.compactMap { to in map.old(to).flatMap { $0 == to ? nil : [$0, to] } } == moves)
      #expect(difference.insertions == expected.insertions)
      #expect(difference.deletions == expected.deletions)
    } else if let insertions = expected.insertions, let deletions = expected.deletions {
      // Upstream's first form has no moves: what moves goes and comes.
      #expect((difference.insertions + difference.moves.map(\.to)).sorted() == insertions)
      #expect((difference.deletions + moved).sorted() == deletions)
    }
    #expect(rebuild(old, difference, new) == new)
  }

  @Test func `moves are as few as can be`() {
    #expect(moves("ABC", "BCA") == 1)
    #expect(moves("ABC", "CAB") == 1)
    #expect(moves("0123456789", "1234567890") == 1)
    #expect(moves("0123456789", "9012345678") == 1)
    #expect(moves("ABCDE", "EDCBA") == 4)
  }

  @Test func `a moved element may be updated too, and common ends are compared`() {
    let old = [(1, "a"), (2, "b"), (3, "c"), (4, "d")]
    let new = [(1, "A"), (3, "c"), (2, "B"), (4, "D")]

    let difference = new.difference(from: old, id: { $0.0 }, isContentEqual: { $0.1 == $1.1 })

    #expect(difference.moves.count == 1)
    #expect(difference.updates.map(\.from) == [0, 1, 3])
    #expect(difference.updates.map(\.to) == [0, 2, 3])
    #expect(difference.insertions.isEmpty && difference.deletions.isEmpty)
  }

  @Test func `more changes than the limit are a reload`() {
    let old = Array(0..<10)

    #expect(Array(0..<13).difference(from: old, id: { $0 }, limit: 2).isReload)
    #expect(Array(0..<13).difference(from: old, id: { $0 }, limit: 3).insertions == [10, 11, 12])
    #expect(Array(5..<15).difference(from: old, id: { $0 }, limit: 9).isReload)
    #expect(Array(5..<15).difference(from: old, id: { $0 }, limit: 10).count == 10)
    #expect(old.reversed().difference(from: old, id: { $0 }, limit: 8).isReload)
    #expect(old.difference(from: old, id: { $0 }, isContentEqual: { _, _ in false }, limit: 9).isReload)
  }

  @Test func `texts are compared byte by byte, and kinds of ids are kept apart`() {
    let precomposed = ItemID.text("\u{E9}")
    let decomposed = ItemID.text("e\u{301}")

    #expect([precomposed].difference(from: [decomposed], id: { $0 }).count == 2)
    #expect(["\u{E9}", "x"].difference(from: ["e\u{301}", "y"], id: { $0 }).count == 4)
    #expect(
      [ItemID.text("1"), .integer(2)].difference(from: [.integer(1), .text("2")], id: { $0 }).count == 4)
    #expect(["a long id, number 1"].difference(from: ["a long id, number 2"], id: { $0 }).count == 2)
  }

  @Test func `every kind of id will do`() {
    #expect([2.5, 1.5].difference(from: [1.5, 2.5], id: { $0 }).moves.count == 1)
    #expect([Int64(3), 1].difference(from: [1, 2], id: { $0 }).count == 2)
    #expect(["", "b", "a"].difference(from: ["a", "", "c"], id: { $0 }).moves.count == 1)
  }

  private func moves(_ old: String, _ new: String) -> Int {
    Array(new).difference(from: Array(old), id: { $0 }).moves.count
  }
}
