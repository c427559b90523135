import Items
import Paging
import TestSupport
import Testing

@Suite struct KnownIDsTests {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `what was kept is known, and nothing else`(_ seed: UInt64) {
    var dice = RandomStream(seed: seed)
    let ids = Set((0..<500).map { _ in Self.id(&dice) })
    let kept = ids.filter { _ in Bool.random(using: &dice) }
    var lists = [IDList(), IDList(), IDList()]
    for id in kept { lists[Int.random(in: 0..<3, using: &dice)].append(id) }
    var parts = lists.map(\.bytes)
    let size = parts.reduce(0) { $0 + $1.count }

    let known = KnownIDs(size: size) { parts.popLast() }

    #expect(known.count == kept.count)
    for id in ids { #expect(known.contains(id) == kept.contains(id), "seed \(seed): \(id)") }
    #expect(KnownIDs(IDList(known.bytes)) == known)
  }

  @Test func `no ids are known at first, and a cut list has less`() {
    #expect(KnownIDs().isEmpty && !KnownIDs().contains(.integer(0)) && !KnownIDs().contains(.text("")))
    var list = IDList()
    for number in 0..<10 { list.append(.integer(Int64(number))) }
    #expect(KnownIDs(IDList(Bytes("short"))).isEmpty)
    #expect(KnownIDs(list).count == 10)
  }

  private static func id(_ dice: inout RandomStream) -> ItemID {
    if Bool.random(using: &dice) {
      return .integer(
        Bool.random(using: &dice)
          ? .random(in: .min ... .max, using: &dice) : .random(in: 0...99, using: &dice))
    }
    let letters = ["a", "b", "\0", "é", "9"]
    let length = Int.random(in: 0...40, using: &dice)
    return .text((0..<length).map { _ in letters.randomElement(using: &dice)! }.joined())
  }
}
