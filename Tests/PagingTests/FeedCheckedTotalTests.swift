import Items
import TestSupport
import Paging
import Testing

/// A reader of everything, and sources whose totals are not to be trusted.
@Suite struct FeedCheckedTotalTests {
  /// What a server does with pages behind its last item.
  enum PastEnd: Equatable { case empty, repeatsFirst, repeatsLast, fails(status: Int) }

  /// Reads a whole list in an order that the seed says; how the feed was left, and how often it fetched.
  private func read(
    _ count: Int, keys: KeyKind, size: Int, cap: Int = .max, inFlight: Int = 4, pastEnd: PastEnd = .empty,
    hasIDs: Bool = true, seed: UInt64 = 0, total: (Int) -> Int?
  ) throws -> Rig {
    var rig = try Rig(Everything()) {
      $0.keys = keys
      $0.pageSize = size
      $0.maxInFlight = inFlight
      $0.checksTotal = true
      $0.retry = .never
    }
    let source = NumberSource(count: count, keys: keys, tellsTotal: false, cap: cap)
    var random = RandomStream(seed: seed)
    var (first, last) = (Page.numbers([]), Page.numbers([]))
    rig.look(at: 0)
    for _ in 0..<10_000 where !rig.waiting.isEmpty {
      let index = Int.random(in: 0..<rig.waiting.count, using: &random)
      var page = source.page(for: rig.waiting[index])
      page.total = total(rig.started.count)
      let isPast = page.contents.items.isEmpty && count > 0
      if !isPast, page.contents.items.last?.id == .integer(Int64(count - 1)) { last = page }
      if !isPast, page.contents.items.first?.id == .integer(0) { first = page }
      switch isPast ? pastEnd : .empty {
      case .empty: rig.answer(index, .page(page))
      case .repeatsFirst, .repeatsLast:
        page.contents = pastEnd == .repeatsFirst ? first.contents : last.contents
        if !hasIDs {
          page.contents.items = zip(page.contents.items, 0...).map {
            Item(id: .integer(Int64(900_000 + rig.started.count * 1000 + $1)), bytes: $0.bytes)
          }
        }
        rig.answer(index, .page(page))
      case .fails(let status):
        rig.answer(index, .failed(FetchFailure(code: "http", message: "broken", status: status)))
      }
    }
    return rig
  }

  @Test(arguments: [KeyKind.page, .offset], [0, 1, 20, 150, 300, 980, 1000])
  func `a total that is too small cuts nothing, and is told`(keys: KeyKind, total: Int) throws {
    for seed in 0..<20 as Range<UInt64> {
      for inFlight in [1, 4, 8] {
        let rig = try read(1000, keys: keys, size: 100, inFlight: inFlight, seed: seed) { _ in total }

        #expect(rig.shown == Array(0..<1000), "seed \(seed)")
        #expect(rig.feed.state(of: .append) == .exhausted)
        let mismatch = Note.disagreedWithTotal(.append, TotalMismatch(received: 1000, total: total))
        #expect(rig.notes.contains(mismatch) == (total != 1000))
      }
    }
  }

  @Test(arguments: [KeyKind.page, .offset], [1001, 1100, 5000])
  func `a total that is too large ends all the same, and says what is missing`(keys: KeyKind, total: Int)
    throws
  {
    for seed in 0..<20 as Range<UInt64> {
      let rig = try read(1000, keys: keys, size: 100, seed: seed) { _ in total }

      #expect(rig.shown == Array(0..<1000), "seed \(seed)")
      #expect(rig.feed.state(of: .append) == .exhausted)
      let mismatch = TotalMismatch(received: 1000, total: total)
      #expect(rig.notes.contains(.disagreedWithTotal(.append, mismatch)))
      #expect(mismatch.missing == total - 1000)
    }
  }

  @Test(arguments: [KeyKind.page, .offset])
  func `a short last page that agrees with the total needs no further one`(keys: KeyKind) throws {
    let short = try read(250, keys: keys, size: 100, inFlight: 1) { _ in 250 }
    let full = try read(300, keys: keys, size: 100, inFlight: 1) { _ in 300 }

    #expect(short.started.count == 3)
    #expect(full.started.count == 4)
    #expect(!(short.noteNames + full.noteNames).contains("disagreedWithTotal"))
  }

  @Test(arguments: [KeyKind.page, .offset])
  func `a last page that comes again does not take the place of items that are left out`(keys: KeyKind) throws
  {
    let hidden: Set<Int> = [3, 14, 25]
    var rig = try Rig(Everything()) {
      ($0.keys, $0.pageSize, $0.maxInFlight, $0.checksTotal) = (keys, 10, 1, true)
    }
    rig.look(at: 0)
    var count = 0
    while !rig.waiting.isEmpty, rig.started.count < 20 {
      let number = try #require(rig.waiting[0].key?.number)
      let start = min(keys == .page ? (number - 1) * 10 : number, 40)
      let items = (start..<min(start + rig.waiting[0].size, 43)).filter { !hidden.contains($0) }.map {
        place in
        count += 1
        return Item(id: .integer(Int64(count)), bytes: Bytes("row \(place)"))
      }
      rig.answer(.page(Page(PageItems(items), total: 43)))
    }

    let rows = rig.screen[0].map(\.bytes.string)
    #expect(Set(rows).count == 40)
    #expect(keys == .offset || rows.count == 40)
    #expect(keys == .offset || rig.noteNames.contains("disagreedWithTotal"))
  }

  @Test(
    arguments: [KeyKind.page, .offset],
    [(true, PastEnd.repeatsLast), (false, .repeatsLast), (true, .repeatsFirst), (false, .repeatsFirst)])
  func `a source that sends its last page or its first one again behind its end is at its end`(
    keys: KeyKind, way: (hasIDs: Bool, pastEnd: PastEnd)
  ) throws {
    let rig = try read(300, keys: keys, size: 100, pastEnd: way.pastEnd, hasIDs: way.hasIDs) { _ in 300 }

    #expect(rig.shown == Array(0..<300))
    #expect(rig.feed.state(of: .append) == .exhausted)
    #expect(!rig.noteNames.contains("disagreedWithTotal"))
    #expect(rig.started.count == 4)
  }

  @Test(arguments: [KeyKind.page, .offset], [400, 404, 410, 416, 422])
  func `a page behind the total that is refused is the end, one before it is a failure`(
    keys: KeyKind, status: Int
  ) throws {
    let whole = try read(300, keys: keys, size: 100, pastEnd: .fails(status: status)) { _ in 300 }
    let cut = try read(300, keys: keys, size: 100, pastEnd: .fails(status: status)) { _ in 500 }

    #expect(whole.feed.state(of: .append) == .exhausted)
    #expect(whole.noteNames.contains("endedPastTotal"))
    #expect(!whole.noteNames.contains("disagreedWithTotal"))
    let failure = FetchFailure(code: "http", message: "broken", status: status)
    #expect(cut.feed.state(of: .append) == .gaveUp(failure))
  }

  @Test(arguments: [KeyKind.page, .offset], [401, 403, 408, 429, 500, 502, 503])
  func `a server that is busy, broken or locked does not say that it has nothing more`(
    keys: KeyKind, status: Int
  ) throws {
    let rig = try read(300, keys: keys, size: 100, pastEnd: .fails(status: status)) { _ in 300 }

    let failure = FetchFailure(code: "http", message: "broken", status: status)
    #expect(rig.shown == Array(0..<300))
    #expect(rig.feed.state(of: .append) == .gaveUp(failure))
    #expect(!rig.noteNames.contains("endedPastTotal"))
  }

  /// Reads pages of three items, of a list that moved on by one before its second page was asked for.
  private func readMoving(_ set: (inout FeedConfiguration.Options) -> Void) throws -> Rig {
    var rig = try Rig(Everything()) {
      $0.keys = .page
      $0.pageSize = 3
      $0.maxInFlight = 1
      $0.checksTotal = true
      set(&$0)
    }
    rig.look(at: 0)
    for numbers in [0..<3, 2..<5, 5..<8, 8..<8] where !rig.waiting.isEmpty {
      rig.answer(.page(.numbers(numbers, total: 9)))
    }
    return rig
  }

  /// What is removed in the middle has what comes behind it move to keys that were read already.
  @Test(arguments: [KeyKind.page, .offset])
  func `a total that falls while counted pages are read is told, though it fits what came`(keys: KeyKind)
    throws
  {
    var rig = try Rig(Everything()) {
      $0.keys = keys
      $0.pageSize = 10
      $0.maxInFlight = 1
      $0.checksTotal = true
    }
    var list = Array(0..<50)
    rig.look(at: 0)
    while let request = rig.waiting.first {
      if rig.started.count == 3 { list.removeFirst(5) }
      guard case .integer(let key)? = request.key else { break }
      let first = min(list.count, keys == .page ? (Int(key) - 1) * 10 : Int(key))
      var page = Page.numbers(Array(list[first..<min(list.count, first + 10)]))
      page.total = list.count
      rig.answer(.page(page))
    }

    let mismatches = rig.notes.compactMap { note -> TotalMismatch? in
      if case .disagreedWithTotal(_, let mismatch) = note { mismatch } else { nil }
    }
    #expect(rig.shown.count == 45 && !rig.shown.contains(20))
    #expect(mismatches.map(\.fallen) == [5])
    #expect(mismatches.map(\.mayMiss) == [5])
  }

  @Test(arguments: [KeyKind.page, .offset])
  func `a total that grows while pages overtake each other does not fall`(keys: KeyKind) throws {
    for seed in 0..<20 as Range<UInt64> {
      var rig = try Rig(Everything()) {
        $0.keys = keys
        $0.pageSize = 10
        $0.maxInFlight = 8
        $0.checksTotal = true
      }
      let source = NumberSource(count: 200, keys: keys, tellsTotal: false)
      var random = RandomStream(seed: seed)
      rig.look(at: 0)
      while !rig.waiting.isEmpty {
        let index = Int.random(in: 0..<rig.waiting.count, using: &random)
        var page = source.page(for: rig.waiting[index])
        page.total = 180 + rig.waiting[index].id.number
        rig.answer(index, .page(page))
      }

      for case .disagreedWithTotal(_, let mismatch) in rig.notes {
        #expect(mismatch.fallen == 0, "seed \(seed)")
      }
    }
  }

  @Test func `items that came again in the place of others are told`() throws {
    let rig = try readMoving { _ in }

    let mismatch = TotalMismatch(received: 9, total: 9, repeated: 1)
    #expect(rig.shown == Array(0..<8))
    #expect(rig.feed.state(of: .append) == .exhausted)
    #expect(rig.notes.contains(.disagreedWithTotal(.append, mismatch)))
    #expect(mismatch.missing == 0)
  }

  @Test func `ids that replace each other, or that a transform made, are no repetition`() throws {
    let replaced = try readMoving { $0.merge = .replace }
    let transformed = try readMoving { $0.isTransformed = true }

    #expect(!replaced.noteNames.contains("disagreedWithTotal"))
    #expect(!transformed.noteNames.contains("disagreedWithTotal"))
  }

  @Test func `a page that is fetched again after some of its items were shown repeats nothing`() throws {
    var rig = try Rig(Everything()) {
      $0.keys = .page
      $0.pageSize = 3
      $0.checksTotal = true
    }
    rig.look(at: 0)
    rig.send(.appended(rig.waiting[0].id, .numbers(0..<2), received: 2))
    rig.fail()
    rig.sleep()

    while !rig.waiting.isEmpty { rig.answer(from: NumberSource(count: 3, keys: .page)) }

    #expect(rig.shown == [0, 1, 2])
    #expect(rig.feed.state(of: .append) == .exhausted)
    #expect(!rig.noteNames.contains("disagreedWithTotal"))
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `whatever is told, all that is there comes once, and the end says what was wrong`(seed: UInt64) throws
  {
    var random = RandomStream(seed: seed)
    let count = Int.random(in: 0...400, using: &random)
    let size = [7, 20, 50].randomElement(using: &random)!
    let keys: KeyKind = Bool.random(using: &random) ? .page : .offset
    let cap = keys == .offset && Bool.random(using: &random) ? Int.random(in: 1...size, using: &random) : .max
    let told = (0..<2000).map { _ in Int.random(in: 0...count, using: &random) }
    let isSteady = Bool.random(using: &random)

    let rig = try read(count, keys: keys, size: size, cap: cap, inFlight: 1 + Int(seed % 5), seed: seed) {
      isSteady ? told[0] : told[$0]
    }

    // A short page of a cap that nobody knows of is an end where the total happens to say the same.
    let agrees = cap < size && rig.shown.count == rig.feed.totalCount
    #expect(rig.shown == Array(0..<(agrees ? rig.shown.count : count)), "seed \(seed)")
    #expect(rig.feed.state(of: .append) == .exhausted, "seed \(seed)")
    let fallen = rig.notes.reduce(0) { fallen, note in
      if case .disagreedWithTotal(_, let mismatch) = note { max(fallen, mismatch.fallen) } else { fallen }
    }
    #expect(!isSteady || fallen == 0, "seed \(seed)")
    #expect(
      rig.noteNames.contains("disagreedWithTotal") == (rig.feed.totalCount != rig.shown.count || fallen > 0),
      "seed \(seed)")
  }

  @Test(arguments: [KeyKind.page, .offset], [200, 500, 700])
  func `a source that sends its first page for every key has not sent the others`(keys: KeyKind, total: Int)
    throws
  {
    var rig = try Rig(Everything()) {
      $0.keys = keys
      $0.pageSize = 100
      $0.checksTotal = true
    }
    rig.look(at: 0)

    for _ in 0..<50 where !rig.waiting.isEmpty { rig.answer(.page(.numbers(0..<100, total: total))) }

    let mismatch = Note.disagreedWithTotal(.append, TotalMismatch(received: 100, total: total))
    #expect(rig.shown == Array(0..<100))
    #expect(rig.notes.contains(mismatch) || rig.feed.state(of: .append) == .stopped(.fruitless(fetches: 8)))
  }

  @Test func `the total of a page behind the last one is not that of the list`() throws {
    var rig = try Rig(Everything()) {
      ($0.keys, $0.pageSize, $0.maxInFlight, $0.checksTotal) = (.page, 10, 4, true)
    }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<10)))
    rig.answer(1, .page(.numbers(20..<30, total: 31)))

    rig.answer(.page(.numbers(10..<20, total: 20, isLast: true)))

    #expect(rig.shown == Array(0..<20))
    #expect(rig.feed.state(of: .append) == .exhausted)
    #expect(!rig.noteNames.contains("disagreedWithTotal"))
  }

  @Test func `a source that stops counting its offsets is told of`() throws {
    var rig = try Rig(Everything()) {
      $0.keys = .offset
      $0.pageSize = 20
      $0.checksTotal = true
    }
    rig.look(at: 0)

    for _ in 0..<20 where !rig.waiting.isEmpty {
      let offset = min(10, rig.waiting[0].key?.number ?? 0)
      rig.answer(.page(.numbers(offset..<offset + 20, total: 40)))
    }

    let mismatches = rig.notes.compactMap {
      if case .disagreedWithTotal(_, let found) = $0 { found } else { nil }
    }
    #expect(rig.shown == Array(0..<30))
    #expect(mismatches == [TotalMismatch(received: 40, total: 40, repeated: 10)])
  }

  @Test func `a list that is read from its middle counts what lies before`() throws {
    for (keys, first) in [(KeyKind.page, Int64(3)), (.offset, 200)] {
      var rig = try Rig(Everything()) {
        $0.keys = keys
        $0.firstKey = .integer(first)
        $0.pageSize = 100
        $0.checksTotal = true
      }
      rig.look(at: 0)

      rig.answerAll(from: NumberSource(count: 950, keys: keys))

      #expect(rig.shown == Array(200..<950))
      #expect(rig.started.count == 8)
      #expect(!rig.noteNames.contains("disagreedWithTotal"))
    }
  }

  @Test func `what a refresh did not bring, though the source says that it has it, is not gone`() throws {
    var rig = try Rig(Everything()) {
      $0.keys = .page
      $0.checksTotal = true
      $0.refreshExtent = .everything
    }
    rig.look(at: 0)
    rig.answerAll(from: NumberSource(count: 50, keys: .page))

    rig.send(.refreshed(.start))
    while !rig.waiting.isEmpty { rig.answer(.page(.numbers([], total: 50))) }

    #expect(rig.shown == Array(0..<50))
    #expect(rig.notes.contains(.disagreedWithTotal(.append, TotalMismatch(received: 0, total: 50))))
  }
}
