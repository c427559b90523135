import TestSupport
import Paging
import Testing

/// Refreshing and retrying as in Jetpack's Paging 3; the number is that of the case in our list.
@Suite struct FeedPaging3RetryTests {
  private let source = NumberSource(count: 100)

  @Test func `15 a refresh without any look starts over at the first page`() throws {
    var rig = try Rig.paging3(from: 50)
    rig.answer(from: source)

    rig.send(.refreshed(.anchor))

    #expect(rig.waiting.map { $0.key?.number } == [0])
  }

  @Test func `16 a refresh after a look at 52 begins from there`() throws {
    var rig = try Rig.paging3(from: 50)
    rig.answer(from: source)
    rig.look(at: 1)
    rig.answer(from: source)
    rig.look(at: 2)

    rig.send(.refreshed(.anchor))
    #expect(rig.waiting.last?.key?.number == 52)
    rig.answer(rig.waiting.count - 1, from: source)

    #expect(rig.shown == [52, 53])
    #expect(rig.feed.viewport?.firstVisible == 0)
  }

  @Test func `17 a cancel before the first page is in changes nothing on the screen`() throws {
    var rig = try Rig.paging3(from: 50)

    rig.send(.cancelled)

    #expect(rig.changes.isEmpty)
    #expect(rig.cancelled.count == 1)
  }

  @Test func `18 an append that failed is made again by a retry`() throws {
    var rig = try Rig.paging3(from: 50)
    rig.answer(from: source)
    rig.look(at: 1)

    rig.fail()
    rig.send(.retried)
    rig.answer(from: source)

    #expect(rig.shown == [50, 51, 52])
  }

  @Test func `19 a retry with nothing failed does nothing`() throws {
    var rig = try Rig.paging3(from: 50)
    rig.answer(from: source)
    rig.look(at: 0)
    let before = rig.started.count

    rig.send(.retried)
    rig.send(.retried)

    #expect(rig.started.count == before)
    #expect(rig.effects.isEmpty)
  }

  @Test func `20 one retry runs both sides that failed`() throws {
    var rig = try Rig.paging3(from: 50) { $0.maxItems = nil }
    rig.answer(from: source)
    rig.look(at: 0, length: 2)
    #expect(rig.waiting.map(\.direction) == [.append, .prepend])
    rig.fail()
    rig.fail()

    rig.send(.retried)

    #expect(rig.waiting.map(\.direction) == [.append, .prepend])
  }

  @Test func `21 a side that gave up ignores moves until the retry`() throws {
    var rig = try Rig.paging3(from: 50)
    rig.answer(from: source)
    rig.look(at: 1)
    rig.fail()

    rig.look(at: 5)

    #expect(rig.waiting.isEmpty)
  }

  @Test func `22 after a failed refresh the retry refreshes and then serves the move`() throws {
    var rig = try Rig.paging3(from: 50)
    rig.look(at: 0)
    rig.fail()

    rig.send(.retried)
    rig.answer(from: source)

    #expect(rig.shown == [50, 51])
    #expect(rig.waiting.map { $0.key?.number } == [49])
  }

  @Test func `23 a retry during a retry is ignored`() throws {
    var rig = try Rig.paging3(from: 50)
    rig.fail()
    rig.send(.retried)

    rig.send(.retried)

    #expect(rig.waiting.count == 1)
  }

  @Test func `32 several refreshes in a burst keep the place of the last page that was in`() throws {
    var rig = try Rig.paging3(from: 50)
    rig.answer(from: source)
    rig.look(at: 1)
    rig.answer(from: source)
    rig.look(at: 2)

    for _ in 0..<3 { rig.send(.refreshed(.anchor)) }

    #expect(rig.waiting.map { $0.key?.number } == [52])
    #expect(rig.feed.generation == 5)
  }
}
