import Items
import Paging
import Testing

@Suite struct PrefetchRangeTests {
  /// Rows are named by their numbers; there are a thousand.
  private func id(_ row: Int) -> ItemID? { 0..<1000 ~= row ? .integer(Int64(row)) : nil }

  private func numbers(_ ids: [ItemID]) -> [Int] { ids.compactMap { Int($0.description) } }

  private func position(
    _ top: Int, velocity: Double = 0, latency: Double = 0.5, preload: Range<Int>? = nil
  ) -> PrefetchRange.Position {
    PrefetchRange.Position(
      visible: top..<top + 4, preload: preload ?? top - 2..<top + 10, velocity: velocity, latency: latency)
  }

  @Test func `what is seen comes first, then what lies ahead, then what lies behind`() {
    var range = PrefetchRange()

    let change = range.move(to: position(100), id: id)

    #expect(numbers(change.wanted) == [100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 99, 98])
    #expect(change.cancelled == [])
  }

  @Test func `ahead is where the movement leads`() {
    var range = PrefetchRange()

    let change = range.move(to: position(100, velocity: -1, preload: 95..<106), id: id)

    #expect(numbers(change.wanted) == [100, 101, 102, 103, 99, 98, 97, 96, 95, 104, 105])
  }

  @Test func `a step wants what is new and keeps what is a screen away`() {
    var range = PrefetchRange()
    _ = range.move(to: position(100), id: id)

    let first = range.move(to: position(101), id: id)
    #expect(numbers(first.wanted).contains(110))
    #expect(first.cancelled == [])
    for top in 102...104 { #expect(range.move(to: position(top), id: id).cancelled == []) }
    let later = range.move(to: position(105), id: id)

    #expect(numbers(later.cancelled) == [98])
  }

  @Test func `a viewport that trembles by a row says nothing after the first tremble`() {
    var range = PrefetchRange()
    _ = range.move(to: position(100, preload: 94..<114), id: id)
    _ = range.move(to: position(101, velocity: -2, preload: 91..<111), id: id)

    for _ in 0..<50 {
      let down = range.move(to: position(100, velocity: 2, preload: 94..<114), id: id)
      let up = range.move(to: position(101, velocity: -2, preload: 91..<111), id: id)
      #expect([down, up] == [PrefetchRange.Change(), PrefetchRange.Change()])
    }
  }

  @Test func `rows that will be gone before their details are there are not wanted`() {
    var down = PrefetchRange()
    var up = PrefetchRange()

    let below = down.move(to: position(100, velocity: 10), id: id)
    let above = up.move(to: position(100, velocity: -10), id: id)

    #expect(numbers(below.wanted).min() == 103)
    #expect(numbers(above.wanted).max() == 104)
  }

  @Test func `a rush wants nothing and takes everything back`() {
    var range = PrefetchRange()
    _ = range.move(to: position(100), id: id)

    let rush = range.move(to: position(104, velocity: 1000), id: id)

    #expect(rush.wanted == [])
    #expect(numbers(rush.cancelled) == Array(98..<110))
  }

  @Test func `numbers that make no sense are a rush or a rest, never a trap`() {
    var range = PrefetchRange()
    for velocity in [Double.infinity, -.infinity, .nan, 1e300] {
      for latency in [0, .nan, .infinity, -1, 1e300] {
        _ = range.move(to: position(100, velocity: velocity, latency: latency), id: id)
      }
    }

    let change = range.move(to: position(500), id: id)

    #expect(numbers(change.wanted).first == 500)
  }

  @Test func `rows that hold no item are left out, and one item in two rows is one`() {
    var range = PrefetchRange()

    let change = range.move(to: position(0)) { $0 < 0 || $0 > 6 ? nil : .integer(Int64($0 / 2)) }

    #expect(numbers(change.wanted) == [0, 1, 2, 3])
  }

  @Test func `an item that moved to another row within the range stays wanted`() {
    var range = PrefetchRange()
    _ = range.move(to: position(100), id: id)

    let change = range.move(to: position(100)) { self.id(1099 - $0 - 892) }

    #expect(change.cancelled.isEmpty)
    #expect(numbers(change.wanted).isEmpty)
  }

  @Test func `the end takes everything back once`() {
    var range = PrefetchRange()
    _ = range.move(to: position(100), id: id)

    #expect(numbers(range.close()) == Array(98..<110))
    #expect(range.close() == [])
  }
}
