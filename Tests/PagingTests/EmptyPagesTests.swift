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
  var items: [Int] { pages.prefix(read).enumerated().flatMap { page, count in (0..<count).map { page * 5 + $0 } } }

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

  @Test func `a page that a broken server does not send is none behind the end`() throws {
    var rig = try Rig(Everything()) {
      $0.keys = .page
      $0.pageSize = 5
      $0.maxInFlight = 1
    }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<5)))
    rig.answer(.page(.numbers([])))

    rig.answer(.failed(FetchFailure(code: "http", message: "busy", isTransient: false, status: 500)))

    guard case .gaveUp(let failure) = rig.feed.state(of: .append) else {
      Issue.record("not given up")
      return
    }
    #expect(failure.status == 500)
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
