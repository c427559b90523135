import Items
import TestSupport
import Paging
import Testing

/// Sources that send more items than they are asked for.
@Suite struct FeedHeedlessSourceTests {
  /// Reads offsets of a source that sends that many items, whatever it is asked for.
  private func readHeedless(
    _ count: Int, sends: Int, size: Int, total: Int, seed: UInt64, saysLast: Bool = false
  ) throws -> Rig {
    var rig = try Rig(Everything()) {
      $0.keys = .offset
      $0.pageSize = size
      $0.checksTotal = true
    }
    var random = RandomStream(seed: seed)
    rig.look(at: 0)
    while !rig.waiting.isEmpty {
      let index = Int.random(in: 0..<rig.waiting.count, using: &random)
      let start = min(count, rig.waiting[index].key?.number ?? 0)
      let end = min(count, start + sends)
      let isLast = saysLast && end == count
      rig.answer(index, .page(.numbers(start..<end, total: total, isLast: isLast)))
    }
    return rig
  }

  @Test(arguments: [(37, 10), (37, 100), (10, 10), (100, 7)], [false, true])
  func `items that a source sends beyond its pages make up for none that are missing`(
    sizes: (Int, Int), saysLast: Bool
  ) throws {
    for seed in 0..<20 as Range<UInt64> {
      let (sends, size) = sizes
      let whole = try readHeedless(
        500, sends: sends, size: size, total: 500, seed: seed, saysLast: saysLast)
      let short = try readHeedless(
        450, sends: sends, size: size, total: 500, seed: seed, saysLast: saysLast)
      let long = try readHeedless(
        1000, sends: sends, size: size, total: 450, seed: seed, saysLast: saysLast)

      #expect(whole.shown == Array(0..<500), "seed \(seed)")
      #expect(!whole.noteNames.contains("disagreedWithTotal"), "seed \(seed)")
      let missing = Note.disagreedWithTotal(.append, TotalMismatch(received: 450, total: 500))
      let gaveUp = FetchState.stopped(.fruitless(fetches: 8))
      #expect(
        short.notes.contains(missing) || short.feed.state(of: .append) == gaveUp, "seed \(seed)")
      #expect(long.shown == Array(0..<1000), "seed \(seed)")
      let beyond = Note.disagreedWithTotal(.append, TotalMismatch(received: 1000, total: 450))
      #expect(long.notes.contains(beyond) || long.feed.state(of: .append) == gaveUp, "seed \(seed)")
    }
  }

  @Test(arguments: [20, nil] as [Int?])
  func `items without ids come once from a source that sends more than it is asked for`(total: Int?) throws {
    var rig = try Rig(Everything()) {
      $0.keys = .offset
      $0.pageSize = 3
      $0.checksTotal = true
    }
    rig.look(at: 0)
    var made: Int64 = 0
    while !rig.waiting.isEmpty {
      let start = min(20, rig.waiting[0].key?.number ?? 0)
      let items = (start..<min(20, start + 5)).map { number in
        made += 1
        return Item(id: .integer(made), bytes: Bytes("\(number)"))
      }
      rig.answer(.page(Page(PageItems(items), total: total)))
    }

    #expect(rig.screen.flatMap { $0 }.map(\.bytes) == (0..<20).map { Bytes("\($0)") })
    #expect(rig.feed.state(of: .append) == .exhausted)
    #expect(!rig.noteNames.contains("disagreedWithTotal"))
  }
}
