import Items
import Paging
import TestSupport
import Testing

/// Where a list begins whose keys are counted, and what its total says then.
@Suite struct FeedFirstKeyTests {
  /// A list of a server that counts from `origin`, of which it leaves out the last items.
  struct Server {
    var keys = KeyKind.offset
    var origin = 1
    var total = 40
    var lost = 0

    func page(for request: FetchRequest) -> Page {
      let count = total - lost
      let distance = (request.key?.number ?? 0) - origin
      let start = min(count, max(0, keys == .page ? distance * 10 : distance))
      return .numbers(start..<min(count, start + request.size), total: total)
    }
  }

  /// A reader of all of it, who begins at a key.
  private func rig(
    _ server: Server, from first: Int, width: Int = 1,
    _ set: (inout FeedConfiguration.Options) -> Void = { _ in }
  ) throws -> Rig {
    var rig = try Rig(Everything()) {
      ($0.keys, $0.pageSize, $0.maxInFlight, $0.checksTotal) = (server.keys, 10, width, true)
      $0.firstKey = .integer(Int64(first))
      set(&$0)
    }
    rig.look(at: 0)
    return rig
  }

  /// Reads it to its end, in an order that the seed says.
  private func read(_ server: Server, from first: Int, width: Int = 1, seed: UInt64 = 0) throws -> Rig {
    var rig = try rig(server, from: first, width: width)
    var random = SeededGenerator(seed: seed)
    while !rig.waiting.isEmpty, rig.started.count < 100 {
      let index = Int.random(in: 0..<rig.waiting.count, using: &random)
      rig.answer(index, .page(server.page(for: rig.waiting[index])))
    }
    #expect(rig.feed.state(of: .append) == .exhausted)
    return rig
  }

  private func mismatches(_ rig: Rig) -> [TotalMismatch] {
    rig.notes.compactMap { note in
      if case .disagreedWithTotal(_, let mismatch) = note { mismatch } else { nil }
    }
  }

  @Test(arguments: [1, 3, 8], [40, 37, 31])
  func `offsets from 1 leave out no item of the total`(width: Int, total: Int) throws {
    for seed in 0..<20 as Range<UInt64> {
      let whole = try read(Server(total: total), from: 1, width: width, seed: seed)
      let lacking = try read(Server(total: total, lost: 1), from: 1, width: width, seed: seed)

      #expect(whole.shown == Array(0..<total), "seed \(seed)")
      #expect(mismatches(whole).isEmpty, "seed \(seed)")
      #expect(lacking.shown == Array(0..<total - 1), "seed \(seed)")
      #expect(
        mismatches(lacking) == [TotalMismatch(received: total - 1, total: total)], "seed \(seed)")
    }
  }

  @Test(arguments: [2, 25, 38])
  func `a greater offset is a place in a list that counts from 0`(first: Int) throws {
    let whole = try read(Server(origin: 0), from: first)
    let lacking = try read(Server(origin: 0, lost: 1), from: first)

    #expect(whole.shown == Array(first..<40))
    #expect(mismatches(whole).isEmpty)
    let missing = TotalMismatch(received: 39 - first, total: 40 - first)
    #expect(mismatches(lacking) == [missing])
  }

  @Test(arguments: [0, 1])
  func `pages may be counted from 0 or from 1`(origin: Int) throws {
    let whole = try read(Server(keys: .page, origin: origin), from: origin)
    let lacking = try read(Server(keys: .page, origin: origin, lost: 1), from: origin)

    #expect(whole.shown == Array(0..<40))
    #expect(mismatches(whole).isEmpty)
    #expect(mismatches(lacking) == [TotalMismatch(received: 39, total: 40)])
  }

  @Test func `pages from a greater number on leave out those before it, counted from 0 or from 1`() throws {
    let whole = try read(Server(keys: .page, total: 95), from: 7)
    let lacking = try read(Server(keys: .page, total: 95, lost: 11), from: 7)

    #expect(whole.shown == Array(60..<95))
    #expect(mismatches(whole).isEmpty)
    #expect(mismatches(lacking) == [TotalMismatch(received: 24, total: 25)])
  }

  @Test(arguments: [(1, 1, 0), (1, 1, 1), (25, 0, 0), (25, 0, 1)])
  func `a reading that was stopped compares its total as one that was not`(
    first: Int, origin: Int, lost: Int
  ) throws {
    let server = Server(origin: origin, lost: lost)
    let all = try read(server, from: first)
    var shown: [Int] = []
    var position: Position?
    var found: [TotalMismatch] = []
    for _ in 0..<20 {
      var rig = try rig(server, from: first) {
        ($0.tellsPosition, $0.beginning) = (true, position.map { Beginning($0) })
      }
      if !rig.waiting.isEmpty { rig.answer(.page(server.page(for: rig.waiting[0]))) }
      for case .reached(let place) in rig.effects { position = place }
      shown += rig.shown
      found = mismatches(rig)
      if rig.feed.state(of: .append) == .exhausted { break }
    }

    #expect(shown == all.shown)
    #expect(found == mismatches(all))
  }

  /// Without a comparison a total is the end.
  @Test(arguments: [1, 4])
  func `the last item of offsets from 1 comes where a total is the end`(width: Int) throws {
    let server = Server(total: 31)
    var rig = try rig(server, from: 1, width: width) { $0.checksTotal = false }
    while !rig.waiting.isEmpty { rig.answer(.page(server.page(for: rig.waiting[0]))) }

    #expect(rig.shown == Array(0..<31))
    #expect(rig.keys == [1, 11, 21, 31])
    #expect(rig.feed.state(of: .append) == .exhausted)
  }
}
