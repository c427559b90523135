import Items
import TestSupport
import Paging
import Testing

/// The cases of Jetpack's Paging 3 that make sense without placeholders; the number is that of the case in
/// our list.
@Suite struct FeedPaging3Tests {
  private let source = NumberSource(count: 100)

  @Test func `1 a start at 50 holds 50 and 51 with both sides open`() throws {
    var rig = try Rig.paging3(from: 50)
    #expect(rig.feed.state(of: .append) == .fetching(inFlight: 1))

    rig.answer(from: source)

    #expect(rig.shown == [50, 51])
    #expect(rig.feed.state(of: .prepend) == .idle)
    #expect(rig.feed.state(of: .append) == .idle)
    #expect(rig.feed.totalCount == 100)
  }

  @Test func `2 and 3 a start at either end is complete there at once`() throws {
    var front = try Rig.paging3(from: 0)
    front.answer(from: source)
    var back = try Rig.paging3(from: 98)
    back.answer(from: source)

    #expect(front.feed.state(of: .prepend) == .exhausted)
    #expect(back.feed.state(of: .append) == .exhausted)
    #expect(back.feed.state(of: .prepend) == .idle)
  }

  @Test func `4 looking at the first item fetches the one before`() throws {
    var rig = try Rig.paging3(from: 50)
    rig.answer(from: source)

    rig.look(at: 0)
    #expect(rig.waiting.map { $0.key?.number } == [49])
    #expect(rig.waiting[0].direction == .prepend)
    rig.answer(from: source)

    #expect(rig.shown == [49, 50, 51])
    #expect(rig.feed.viewport?.firstVisible == 1)
  }

  @Test func `5 an append over the limit drops the front, which is not complete any more`() throws {
    var rig = try Rig.paging3(from: 1)
    rig.answer(from: source)
    rig.look(at: 0)
    rig.answer(from: source)
    #expect(rig.shown == [0, 1, 2])
    #expect(rig.feed.state(of: .prepend) == .exhausted)

    rig.look(at: 2)
    rig.answer(from: source)

    #expect(rig.shown == [1, 2, 3])
    #expect(rig.feed.state(of: .prepend) == .idle)
    #expect(rig.notes.contains(.dropped(.prepend, items: 1)))
  }

  @Test func `6 a prepend over the limit drops the back, which is not complete any more`() throws {
    var rig = try Rig.paging3(from: 97)
    rig.answer(from: source)
    rig.look(at: 1)
    rig.answer(from: source)
    #expect(rig.shown == [97, 98, 99])
    #expect(rig.feed.state(of: .append) == .exhausted)

    rig.look(at: 0)
    rig.answer(from: source)

    #expect(rig.shown == [96, 97, 98])
    #expect(rig.feed.state(of: .append) == .idle)
    rig.look(at: 2)
    rig.answer(from: source)
    #expect(rig.shown == [97, 98, 99])
    #expect(rig.feed.state(of: .append) == .exhausted)
  }

  @Test func `7 a move before the refresh is in is served after it`() throws {
    var rig = try Rig.paging3(from: 50)

    rig.look(at: 0)
    #expect(rig.waiting.count == 1)
    rig.answer(from: source)

    #expect(rig.waiting.map { $0.key?.number } == [49])
  }

  @Test func `8 a larger distance fetches twice in succession`() throws {
    var rig = try Rig.paging3(from: 50) {
      $0.prefetchDistance = 2
      $0.maxItems = 5
    }
    rig.answer(from: source)

    rig.look(at: 1)
    rig.answer(1, from: source)
    #expect(rig.feed.state(of: .append) == .fetching(inFlight: 1))
    rig.answerAll(from: source)

    #expect(rig.shown.contains(53))
    #expect(!rig.shown.contains(54))
  }

  @Test func `9 two appends over the limit drop the first page`() throws {
    var rig = try Rig.paging3(from: 50) {
      $0.pageSize = 2
      $0.maxItems = 4
    }
    rig.answer(from: source)
    rig.look(at: 1)
    rig.answer(from: source)

    rig.look(at: 3)
    rig.answer(from: source)

    #expect(rig.shown == [52, 53, 54, 55])
  }

  @Test func `10 nothing near the reader is dropped, whatever the limit`() throws {
    var rig = try Rig.paging3(from: 50) {
      $0.initialPageSize = 5
      $0.prefetchDistance = 2
      $0.maxItems = 5
    }
    rig.answer(from: source)

    rig.look(at: 0)
    rig.answerAll(from: source)

    #expect(rig.shown == [48, 49, 50, 51, 52, 53, 54])
  }

  @Test func `11 there are never fewer than two pages`() throws {
    var rig = try Rig.paging3(from: 50) {
      $0.pageSize = 3
      $0.initialPageSize = 10
      $0.maxItems = 5
    }
    rig.answer(from: source)

    rig.look(at: 9)
    rig.answer(from: source)

    #expect(rig.shown == Array(50..<63))
  }

  @Test func `12 a drop cancels what is fetched for that side, and its late answer is ignored`() throws {
    var rig = try Rig.paging3(from: 50)
    rig.answer(from: source)
    rig.look(at: 1)
    rig.answer(from: source)
    rig.look(at: 0)
    let prepend = rig.waiting[0]
    #expect(prepend.direction == .prepend)

    for index in 2...3 {
      rig.look(at: index)
      rig.answer(1, from: source)
    }
    #expect(rig.cancelled == [prepend.id])
    rig.send(.answered(prepend.id, .page(source.page(for: prepend))))

    #expect(rig.shown == [52, 53, 54])
    #expect(rig.notes.contains(.threwAwayLateAnswer(prepend.id)))
  }

  @Test func `13 a dropped page is fetched again by its own key when the reader turns back`() throws {
    var rig = try Rig.paging3(from: 50)
    rig.answer(from: source)
    for index in 1...3 {
      rig.look(at: index)
      rig.answer(from: source)
    }
    #expect(rig.shown == [52, 53, 54])

    rig.look(at: 0)

    #expect(rig.waiting.map { $0.key?.number } == [50])
    #expect(rig.waiting.map(\.size) == [2])
    rig.answer(from: source)
    #expect(rig.shown == [50, 51, 52, 53])
  }

  @Test func `14 ten moves in a burst are one fetch`() throws {
    var rig = try Rig.paging3(from: 50) {
      $0.pageSize = 10
      $0.initialPageSize = 10
      $0.prefetchDistance = 5
      $0.maxItems = nil
    }
    rig.answer(from: source)

    for index in 6..<10 { for _ in 0..<3 { rig.look(at: index) } }

    #expect(rig.waiting.map { $0.key?.number } == [60])
  }

  @Test func `39 pages that a filter empties are followed by more until the reader is served`() throws {
    var rig = try Rig.paging3(from: 50)
    rig.answer(from: source)
    rig.look(at: 1)

    for _ in 0..<3 { rig.answer(.page(Page(PageItems([], received: 1), total: 100))) }
    rig.answer(from: source)

    #expect(rig.shown == [50, 51, 55])
    #expect(rig.waiting.isEmpty)
  }

  @Test func `40 reading items fetches nothing`() throws {
    var rig = try Rig.paging3(from: 50)
    rig.answer(from: source)

    _ = (rig.feed.items[0], rig.feed.items[1], rig.feed.items[2])
    rig.send(.woke)

    #expect(rig.waiting.isEmpty)
  }
}
