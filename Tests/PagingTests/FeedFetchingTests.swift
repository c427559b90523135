import Items
import TestSupport
import Paging
import Testing

@Suite struct FeedFetchingTests {
  @Test func `nothing is fetched before the viewport is known`() throws {
    var rig = try Rig(Everything())

    rig.send(.woke)

    #expect(rig.started.isEmpty)
    #expect(rig.feed.state(of: .append) == .idle)
  }

  @Test func `the first fetch of a cursor has no key and is a refresh`() throws {
    var rig = try Rig { $0.initialPageSize = 50 }

    rig.look(at: 0, length: 10)

    #expect(rig.started.map(\.direction) == [.refresh])
    #expect(rig.started[0].key == nil)
    #expect(rig.started[0].size == 50)
    #expect(rig.started[0].attempt == 1)
    #expect(rig.feed.state(of: .append) == .fetching(inFlight: 1))
  }

  @Test func `a second fetch of a cursor waits for the first`() throws {
    var rig = try Rig(Everything())
    rig.look(at: 0, length: 10)

    rig.look(at: 5, length: 10)
    #expect(rig.started.count == 1)

    rig.answer(.page(.numbers(0..<20, next: 20)))
    #expect(rig.keys == [nil, 20])
    #expect(rig.started[1].direction == .append)
  }

  @Test func `a cursor ends with a page without a next key`() throws {
    var rig = try Rig(Everything())
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<3, next: 3)))

    rig.answer(.page(.numbers(3..<5)))

    #expect(rig.shown == [0, 1, 2, 3, 4])
    #expect(rig.feed.state(of: .append) == .exhausted)
    #expect(rig.notes.contains(.exhausted(.append)))
  }

  @Test func `a page without a key that says that it is not the last is followed by one without`() throws {
    var rig = try Rig(Everything())
    rig.look(at: 0)
    var page = Page.numbers(0..<3)
    page.goesOn = true

    rig.answer(.page(page))

    #expect(rig.keys == [nil, nil])
    rig.answer(.page(.numbers(3..<5)))
    #expect(rig.shown == [0, 1, 2, 3, 4])
    #expect(rig.feed.state(of: .append) == .exhausted)
  }

  @Test func `that a page is not the last says nothing of what comes before it`() throws {
    var rig = try Rig()
    rig.look(at: 0)
    rig.answer(.page(.numbers(5..<7, previous: 3)))
    rig.send(.pageRequested(.prepend))
    var page = Page.numbers(3..<5)
    page.goesOn = true

    rig.answer(.page(page))

    #expect(rig.shown == [3, 4, 5, 6])
    #expect(rig.feed.state(of: .prepend) == .exhausted)
  }

  @Test func `a cursor that completes with more and no key is asked again without one`() throws {
    var rig = try Rig(Everything())
    rig.look(at: 0)
    rig.send(.appended(rig.waiting[0].id, .numbers(0..<3), received: 3))

    rig.answer(.completed(more: true))

    #expect(rig.keys == [nil, nil])
    rig.answer(.completed(more: false))
    #expect(rig.feed.state(of: .append) == .exhausted)
  }

  @Test func `a repeated cursor is a failure that names the key, and its page is kept`() throws {
    var rig = try Rig(Everything())
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<2, next: 2)))
    rig.answer(.page(.numbers(2..<4, next: 4)))

    rig.answer(.page(.numbers(4..<6, next: 2)))

    #expect(rig.shown == [0, 1, 2, 3, 4, 5])
    guard case .gaveUp(let failure) = rig.feed.state(of: .append) else {
      Issue.record("not given up")
      return
    }
    #expect(failure.code == "repeatedKey")
    #expect(failure.message.contains("2"))
  }

  @Test func `after a repeated cursor a retry asks for the same page again`() throws {
    var rig = try Rig(Everything())
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<2, next: 2)))
    rig.answer(.page(.numbers(2..<4, next: 2)))

    rig.send(.retried)
    #expect(rig.keys == [nil, 2, 2])
    rig.answer(.page(.numbers(2..<4)))

    #expect(rig.feed.state(of: .append) == .exhausted)
  }

  @Test func `keys may come again where that is allowed`() throws {
    var rig = try Rig(Everything()) { $0.allowsKeyReuse = true }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<2, next: 2)))

    rig.answer(.page(.numbers(2..<4, next: 2)))

    #expect(rig.keys == [nil, 2, 2])
  }

  @Test func `the width grows with the pages that landed until the total is known`() throws {
    let source = NumberSource(count: 1000, tellsTotal: false)
    var rig = try Rig(Everything()) {
      $0.keys = .offset
      $0.maxInFlight = 8
    }
    rig.look(at: 0)
    #expect(rig.waiting.count == 1)

    rig.answer(from: source)
    #expect(rig.waiting.count == 2)
    rig.answer(from: source)
    #expect(rig.waiting.count == 4)
  }

  @Test func `with a total all slots are used, and no key past the total is asked for`() throws {
    let source = NumberSource(count: 70)
    var rig = try Rig(Everything()) { $0.keys = .offset }
    rig.look(at: 0)

    rig.answer(from: source)
    #expect(rig.keys == [0, 20, 40, 60])
    rig.answerAll(from: source)

    #expect(rig.shown == Array(0..<70))
    #expect(rig.started.count == 4)
    #expect(rig.feed.state(of: .append) == .exhausted)
  }

  @Test func `a list of one page costs one request with a total and two without`() throws {
    for (tellsTotal, requests) in [(true, 1), (false, 2)] {
      let source = NumberSource(count: 5, keys: .page, tellsTotal: tellsTotal)
      var rig = try Rig(Everything()) { $0.keys = .page }
      rig.look(at: 0)

      rig.answerAll(from: source)

      #expect(rig.started.count == requests)
      #expect(rig.feed.state(of: .append) == .exhausted)
      #expect(rig.shown == Array(0..<5))
    }
  }

  @Test func `pages that land out of order are delivered in order`() throws {
    let source = NumberSource(count: 80)
    var rig = try Rig(Everything()) { $0.keys = .offset }
    rig.look(at: 0)
    rig.answer(from: source)

    rig.answer(2, from: source)
    rig.answer(1, from: source)
    #expect(rig.shown == Array(0..<20))
    rig.answer(0, from: source)

    #expect(rig.shown == Array(0..<80))
    #expect(rig.changes.map { $0.insertedItems.count } == [20, 20, 20, 20])
  }

  @Test func `a policy that asks for several pages gets as many as there are slots`() throws {
    struct Greedy: FetchPolicy {
      mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict { Verdict(fetch: 9, reason: "greedy") }
    }
    var rig = try Rig(Greedy()) { $0.keys = .offset }
    rig.look(at: 0)

    rig.answer(from: NumberSource(count: 1000))

    #expect(rig.waiting.count == 4)
    #expect(rig.notes.contains(.clamped(asked: 9, started: 4)))
  }

  @Test func `a policy that takes back all that it asks for has to let a page land in the end`() throws {
    struct Fickle: FetchPolicy {
      mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
        view.inFlight > 0
          ? Verdict(cancel: true, reason: "no") : Verdict(true, reason: "yes")
      }
    }
    var rig = try Rig(Fickle()) {
      $0.keys = .page
      $0.fruitlessLimit = 3
      $0.maxInFlight = 2
    }

    for place in 0..<20 { rig.look(at: place) }

    #expect(rig.keys.count == 4)
    #expect(rig.waiting.count == 1)
  }

  @Test func `a reader who is gone has what is in flight cancelled, and nothing begins any more`() throws {
    var rig = try Rig(Everything()) {
      $0.keys = .offset
      $0.deadline = .seconds(1)
    }
    rig.look(at: 0)
    let started = rig.started
    rig.now = rig.now + .seconds(5)

    rig.send(.closed)

    #expect(rig.cancelled == started.map(\.id) && rig.started == started)
    #expect(rig.feed.handle(.retried, at: rig.now).isEmpty)
  }
}
