import Items
import Paging
import TestSupport
import Testing

/// A list whose server tells no total: what its pages have, each asked for five items, and how many of them are read.
struct ListWithGaps: Sendable, CustomTestStringConvertible {
  var pages: [Int]
  /// Pages before the end, with those that only confirm it.
  var read: Int
  /// What comes instead of a page behind the last one; nil is an empty page.
  var failure: FetchFailure?

  var testDescription: String { "\(pages), of which \(read) are read" }
  var items: [Int] {
    pages.prefix(read).enumerated().flatMap { page, count in (0..<count).map { page * 5 + $0 } }
  }

  func answer(to request: FetchRequest, _ keys: KeyKind) -> FetchAnswer {
    let page = keys == .page ? (request.key?.number ?? 1) - 1 : (request.key?.number ?? 0) / 5
    guard page < pages.count else { return failure.map { .failed($0) } ?? .page(.numbers([])) }
    let offset = keys == .page ? 0 : (request.key?.number ?? 0) % 5
    return .page(.numbers((0..<pages[page]).dropFirst(offset).map { page * 5 + $0 }))
  }
}

@Suite struct EmptyPagesTests {
  static let notFound = FetchFailure(code: "http", message: "no such page", isTransient: false, status: 404)
  static let lists = [
    ListWithGaps(pages: [], read: 1),
    ListWithGaps(pages: [5, 5], read: 4),
    ListWithGaps(pages: [5, 5, 3], read: 4),
    ListWithGaps(pages: [5, 0, 5, 5], read: 6),
    ListWithGaps(pages: [5, 5, 0, 5, 5, 5, 0, 5], read: 10),
    ListWithGaps(pages: [2, 3, 0, 1, 0, 4], read: 8),
    ListWithGaps(pages: [5, 5, 0, 0, 5, 5], read: 4),
    ListWithGaps(pages: [5, 3, 5, 0, 5], read: 7),
    ListWithGaps(pages: [3, 3, 3, 1], read: 5),
    ListWithGaps(pages: [5, 4, 4, 0, 5, 5], read: 8),
    ListWithGaps(pages: [5, 4, 4, 4, 4, 4, 0, 5, 5], read: 11),
    ListWithGaps(pages: [5, 4, 4, 1], read: 6),
    ListWithGaps(pages: [4, 4, 0, 4], read: 6),
    ListWithGaps(pages: [5, 5, 0], read: 4, failure: notFound),
    ListWithGaps(pages: [5, 0, 5, 0], read: 5, failure: notFound),
  ]

  @Test(arguments: lists, [1, 2, 3, 8])
  func `an empty page means the same however many are requested, and whichever comes first`(
    _ list: ListWithGaps, _ width: Int
  ) throws {
    for seed in 0..<30 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var rig = try Rig(Everything()) {
        $0.keys = .page
        $0.maxInFlight = width
        $0.pageSize = 5
      }
      rig.look(at: 0)
      while !rig.waiting.isEmpty {
        let index = Int.random(in: 0..<rig.waiting.count, using: &random)
        rig.answer(index, list.answer(to: rig.waiting[index], .page))
      }

      #expect(rig.shown == list.items, "seed \(seed)")
      #expect(rig.feed.state(of: .append) == .exhausted, "seed \(seed)")
      if width == 1 { #expect(rig.started.count == max(1, list.read), "seed \(seed)") }
    }
  }

  /// A server that sends fewer items than are asked for has no page that is larger than the others.
  @Test(arguments: 1...4, [1, 3, 8])
  func `pages that are equally short end no list that has a longer one`(short: Int, width: Int) throws {
    for seed in 0..<30 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var pages = [5, short, short]
      for _ in 0..<6 {
        pages += [Int.random(in: 0...5, using: &random), Int.random(in: 1...5, using: &random)]
      }
      let list = ListWithGaps(pages: pages, read: pages.count)
      var rig = try Rig(Everything()) { ($0.keys, $0.maxInFlight, $0.pageSize) = (.page, width, 5) }
      rig.look(at: 0)
      while !rig.waiting.isEmpty {
        let index = Int.random(in: 0..<rig.waiting.count, using: &random)
        rig.answer(index, list.answer(to: rig.waiting[index], .page))
      }

      #expect(rig.shown == list.items, "seed \(seed): \(pages)")
      #expect(rig.feed.state(of: .append) == .exhausted, "seed \(seed)")
    }
  }

  @Test func `what pages have taught is known where a list is read anew from its middle`() throws {
    let list = ListWithGaps(pages: [5, 4, 4, 0, 5, 5], read: 8)
    var rig = try Rig(Everything()) { ($0.keys, $0.maxInFlight, $0.pageSize) = (.page, 1, 5) }
    rig.look(at: 0)
    while !rig.waiting.isEmpty { rig.answer(list.answer(to: rig.waiting[0], .page)) }

    rig.send(.refreshed(.key(.integer(3))))
    while !rig.waiting.isEmpty { rig.answer(list.answer(to: rig.waiting[0], .page)) }

    #expect(Set(rig.shown).isSuperset(of: list.items.suffix(14)))
    #expect(rig.feed.state(of: .append) == .exhausted)
  }

  @Test(arguments: 1...12, [2, 4, 8])
  func `once an empty page has come no others are requested than those that already were`(
    pages: Int, width: Int
  ) throws {
    let list = ListWithGaps(pages: Array(repeating: 5, count: pages), read: pages + 2)
    for seed in 0..<30 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var rig = try Rig(Everything()) { ($0.keys, $0.maxInFlight, $0.pageSize) = (.page, width, 5) }
      rig.look(at: 0)
      while !rig.waiting.isEmpty {
        let index = Int.random(in: 0..<rig.waiting.count, using: &random)
        rig.answer(index, list.answer(to: rig.waiting[index], .page))
      }

      #expect(rig.shown == list.items, "seed \(seed)")
      #expect(rig.started.count <= pages + width, "seed \(seed)")
    }
  }

  @Test(arguments: lists, [KeyKind.page, .offset])
  func `what pages have taught is known where a reading goes on`(_ list: ListWithGaps, _ keys: KeyKind) throws
  {
    func read(from beginning: Beginning?, pages: Int) throws -> (
      shown: [Int], position: Position?, isOver: Bool
    ) {
      var rig = try Rig(Everything()) {
        ($0.keys, $0.pageSize, $0.maxInFlight) = (keys, 5, 1)
        ($0.tellsPosition, $0.beginning) = (true, beginning)
      }
      var position = beginning?.position
      rig.look(at: 0)
      for _ in 0..<pages where !rig.waiting.isEmpty {
        rig.answer(list.answer(to: rig.waiting[0], keys))
        for case .reached(let place) in rig.effects { position = place }
      }
      return (rig.shown, position, rig.feed.state(of: .append) == .exhausted)
    }
    let whole = try read(from: nil, pages: 50)
    for step in 1...4 {
      var shown: [Int] = []
      var beginning: Beginning?
      for _ in 0..<50 {
        // As a run that was killed and has nothing to compare with.
        let (new, position, isOver) = try read(from: beginning, pages: step)
        shown += new
        beginning = position.map { Beginning($0) }
        if isOver { break }
      }
      #expect(shown == whole.shown, "\(step) pages at a time")
    }
  }

  @Test(arguments: [
    FetchFailure(code: "http", message: "busy", status: 500),
    FetchFailure(code: "http", message: "who?", status: 401),
    FetchFailure(code: "script", message: "attempt to index a nil value"),
    FetchFailure(code: "parse", message: "no JSON"), FetchFailure(code: "notCompleted", message: "no page"),
  ])
  func `only a server says that there is nothing behind an empty page`(_ failure: FetchFailure) throws {
    var rig = try Rig(Everything()) {
      $0.keys = .page
      $0.pageSize = 5
      $0.maxInFlight = 1
    }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<5)))
    rig.answer(.page(.numbers([])))

    rig.answer(.failed(failure))

    guard case .gaveUp(failure) = rig.feed.state(of: .append) else {
      Issue.record("not given up")
      return
    }
  }

  @Test(arguments: 1...8, [3, 4, 5, 30])
  func `a filter of what counted places are asked for hides nothing behind it`(width: Int, cap: Int) throws {
    for hidden in [6..<9, 8..<13, 0..<2, 20..<24] {
      for seed in 0..<20 as Range<UInt64> {
        var random = SeededGenerator(seed: seed)
        var rig = try Rig(Everything()) {
          ($0.keys, $0.pageSize, $0.maxInFlight) = (.offset, 5, width)
        }
        rig.look(at: 0)
        while !rig.waiting.isEmpty {
          let index = Int.random(in: 0..<rig.waiting.count, using: &random)
          let request = rig.waiting[index]
          let start = min(30, request.key?.number ?? 0)
          let window = start..<min(30, start + min(cap, request.size))
          rig.answer(index, .page(.numbers(window.filter { !hidden.contains($0) })))
        }
        #expect(Set(rig.shown) == Set(0..<30).subtracting(hidden), "hidden \(hidden), seed \(seed)")
      }
    }
  }

  @Test(arguments: [1, 2, 6, 8])
  func `a total that pages have shown to be too small says nothing of empty ones`(width: Int) throws {
    for (total, list) in [
      (3, ListWithGaps(pages: [5, 0, 5, 5], read: 6)), (5, ListWithGaps(pages: [5, 3, 5, 3, 0, 5], read: 8)),
      (7, ListWithGaps(pages: [5, 5, 0, 5], read: 6)),
    ] {
      for seed in 0..<30 as Range<UInt64> {
        var random = SeededGenerator(seed: seed)
        var rig = try Rig(Everything()) {
          ($0.keys, $0.pageSize, $0.maxInFlight, $0.checksTotal) = (.page, 5, width, true)
        }
        rig.look(at: 0)
        while !rig.waiting.isEmpty {
          let index = Int.random(in: 0..<rig.waiting.count, using: &random)
          guard case .page(var page) = list.answer(to: rig.waiting[index], .page) else { return }
          page.total = total
          rig.answer(index, .page(page))
        }
        #expect(rig.shown == list.items, "total \(total), seed \(seed)")
      }
    }
  }

  @Test func `a handler that says of an empty page that it is the last one is asked for no other`() throws {
    var rig = try Rig(Everything()) { $0.keys = .page }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<20)))
    rig.answer(0, .page(.numbers([], isLast: true)))

    #expect(rig.feed.state(of: .append) == .exhausted)
    #expect(rig.waiting.isEmpty)
  }
}
