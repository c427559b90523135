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
    var parts = lists.enumerated().map { (part: $0, ids: $1.bytes) }
    let count = parts.reduce(0) { $0 + IDList.mostIntegers($1.ids, of: $1.ids.count) }

    let known = KnownIDs(count: count) { parts.popLast() }

    #expect(known.count == kept.count)
    for id in ids { #expect(known.contains(id) == kept.contains(id), "seed \(seed): \(id)") }
    #expect(KnownIDs(IDList(known.bytes)) == known)
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `what a part removes is not known, unless it came again behind that`(_ seed: UInt64) {
    var dice = RandomStream(seed: seed)
    let ids = Array(Set((0..<30).map { _ in Self.id(&dice) }))
    var wanted: Set<ItemID> = []
    var removed = RemovedIDs()
    var parts: [(part: Int, ids: Bytes)] = []
    for part in 0..<8 {
      // As it is gathered from several deliveries.
      var brought = BroughtIDs()
      for _ in 0..<3 {
        var delivery = BroughtIDs()
        for _ in 0..<6 {
          let id = ids.randomElement(using: &dice)!
          if Int.random(in: 0..<3, using: &dice) == 0 {
            delivery.remove(id)
            wanted.remove(id)
          } else if wanted.insert(id).inserted {
            delivery.append(id)
          }
        }
        brought.append(delivery)
      }
      removed.add(brought.removed, of: part)
      parts.append((part, brought.ids.bytes))
    }
    parts.reverse()

    var known = KnownIDs(count: 0, removed: removed) { parts.popLast() }

    for id in ids { #expect(known.contains(id) == wanted.contains(id), "seed \(seed): \(id)") }
    #expect(known.count == wanted.count, "seed \(seed)")
    for id in ids.prefix(5) { known.forget(id) }
    for id in ids.prefix(5) { #expect(!known.contains(id)) }
  }

  @Test func `no ids are known at first, and a cut list has less`() {
    #expect(KnownIDs().isEmpty && !KnownIDs().contains(.integer(0)) && !KnownIDs().contains(.text("")))
    var list = IDList()
    for number in 0..<10 { list.append(.integer(Int64(number))) }
    #expect(KnownIDs(IDList(Bytes("short"))).isEmpty)
    #expect(KnownIDs(list).count == 10)
  }

  @Test func `integers that are counted take next to no room, and no list more than eight bytes each`() {
    var (counted, any) = (IDList(), IDList())
    var dice = RandomStream(seed: 7)
    for number in 0..<10_000 {
      counted.append(.integer(Int64(number) - 5_000))
      any.append(.integer(.random(in: .min ... .max, using: &dice)))
    }

    #expect(counted.bytes.count < 300)
    #expect(any.bytes.count <= 8 + 10_000 * 8)
    for list in [counted, any] { #expect(KnownIDs(IDList(list.bytes)) == KnownIDs(list)) }
    #expect(IDList.mostIntegers(counted.bytes[0..<8], of: counted.bytes.count) == 10_000)
  }

  @Test func `integers that an earlier version kept are read`() {
    var kept = ByteBuffer()
    for word in [3, 7, 8, 1 << 62] as [UInt64] { withUnsafeBytes(of: word.littleEndian) { kept.append($0) } }

    let known = KnownIDs(IDList(kept.bytes()))

    #expect(known.count == 3 && known.contains(.integer(7)) && known.contains(.integer(1 << 62)))
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `damaged bytes are never a list out of all proportion`(_ seed: UInt64) {
    var dice = RandomStream(seed: seed)
    let bytes = (0..<Int.random(in: 0...40, using: &dice)).map { _ in
      UInt8.random(in: .min ... .max, using: &dice)
    }

    let damaged = bytes.withUnsafeBytes { Bytes(copying: $0) }

    #expect(KnownIDs(IDList(damaged)).count <= bytes.count * 256, "seed \(seed)")
    #expect(IDList.mostIntegers(damaged, of: bytes.count) <= bytes.count * 256, "seed \(seed)")
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
