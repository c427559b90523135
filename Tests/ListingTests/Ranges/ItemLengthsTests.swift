import Listing
import Paging
import Testing

@Suite struct ItemLengthsTests {
  @Test func `items that only touch an edge are out`() {
    let lengths = ItemLengths(count: 10, length: 10)

    #expect(lengths.items(from: 20, to: 40) == 2..<4)
    #expect(lengths.items(from: 19, to: 41) == 1..<5)
    #expect(lengths.items(from: -50, to: 1000) == 0..<10)
    #expect(lengths.items(from: 40, to: 40).isEmpty)
    #expect(lengths.items(from: 100, to: 200).isEmpty)
    #expect(lengths.items(from: -9, to: 0).isEmpty)
  }

  @Test func `rounding never moves an edge`() {
    let length = 0.1
    let lengths = ItemLengths(count: 1000, length: length)

    for index in 0..<1000 {
      let items = lengths.items(from: lengths.start(of: index), to: lengths.start(of: index + 1))
      #expect(items == index..<index + 1)
    }
  }

  @Test func `far and endless intervals find what is there`() {
    let lengths = ItemLengths(count: 10, length: 10)

    #expect(lengths.items(from: -.infinity, to: .infinity) == 0..<10)
    #expect(lengths.items(from: 1e300, to: .infinity).isEmpty)
    #expect(lengths.items(from: .nan, to: 10).isEmpty)
    #expect(ItemLengths(count: 3, length: 0).items(from: -1, to: 1) == 0..<3)
    #expect(ItemLengths([]).items(from: -1, to: 1).isEmpty)
  }

  @Test func `the same length stays one length`() {
    var lengths = ItemLengths(count: 10, length: 10)

    lengths.insert(count: 5, length: 10, at: 3)
    lengths.remove(0..<2)
    #expect(lengths.count == 13)
    #expect(lengths.total == 130)

    lengths[4] = 25
    #expect(lengths[4] == 25)
    #expect(lengths.total == 145)
    #expect(lengths.start(of: 5) == 65)
  }

  @Test(arguments: UInt64(1)...30)
  func `any edits answer as a plain list does`(seed: UInt64) {
    var random = RandomStream(seed: seed)
    var plain: [Double] = []
    var lengths = ItemLengths(plain)
    func anyLengths(upTo count: Int) -> [Double] {
      (0..<Int.random(in: 0...count, using: &random)).map { _ in Double(Int.random(in: 0...7, using: &random))
      }
    }

    for _ in 0..<60 {
      let index = Int.random(in: 0...plain.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0, 1:
        let added = anyLengths(upTo: 400)
        plain.insert(contentsOf: added, at: index)
        lengths.insert(added, at: index)
      case 2:
        let end = Int.random(in: index...plain.count, using: &random)
        plain.removeSubrange(index..<end)
        lengths.remove(index..<end)
      default:
        guard index < plain.count else { continue }
        plain[index] = 9
        lengths[index] = 9
      }
      #expect(lengths.count == plain.count)
      #expect(lengths.total == plain.reduce(0, +))
      let low = Double(Int.random(in: -10...Int(lengths.total) + 10, using: &random))
      let high = low + Double(Int.random(in: 1...200, using: &random))
      #expect(lengths.items(from: low, to: high) == search(plain, low, high), "seed \(seed)")
      #expect(lengths.start(of: index.clamped(to: plain.count)) == plain.prefix(index).reduce(0, +))
    }
  }

  private func search(_ plain: [Double], _ low: Double, _ high: Double) -> Range<Int> {
    var start = 0.0
    var first = plain.count
    var end = plain.count
    for (index, length) in plain.enumerated() {
      if start + length > low { first = min(first, index) }
      if start >= high { end = min(end, index) }
      start += length
    }
    return first..<max(first, end)
  }
}

extension Int {
  fileprivate func clamped(to limit: Int) -> Int { Swift.min(self, limit) }
}
