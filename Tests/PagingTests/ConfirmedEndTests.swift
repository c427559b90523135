import Items
import Paging
import TestSupport
import Testing

/// A list whose last page is full: whether something follows is asked beside the last pages, and understood once they are there.
@Suite struct ConfirmedEndTests {
  /// Three pages of ten are known to be all, as the first one has come; the others are in flight, with the one behind them.
  private func rig(_ keys: KeyKind, total: Int = 30) throws -> Rig {
    var rig = try Rig(Everything()) {
      ($0.keys, $0.pageSize, $0.maxInFlight, $0.checksTotal, $0.retry) = (keys, 10, 8, true, .never)
    }
    rig.look(at: 0)
    rig.answer(.page(.numbers(0..<10, total: total)))
    return rig
  }

  private func numbers(_ rig: Rig, _ keys: KeyKind) -> [Int] {
    rig.waiting.compactMap { $0.key?.number }.map { keys == .page ? $0 * 10 - 10 : $0 }
  }

  @Test(arguments: [KeyKind.page, .offset])
  func `the page behind a total that full pages make up is requested beside them`(keys: KeyKind) throws {
    #expect(numbers(try rig(keys), keys) == [10, 20, 30])
    // A short last page needs no word of the source.
    #expect(numbers(try rig(keys, total: 29), keys) == [10, 20])
  }

  @Test(
    arguments: [KeyKind.page, .offset],
    [
      FetchAnswer.page(.numbers([], total: 30)), .page(.numbers(20..<30, total: 30)),
      .page(.numbers(0..<10, total: 30)),
      .failed(FetchFailure(code: "http", message: "no such page", status: 404)),
      .completed(more: false),
    ])
  func `what it says waits for the pages before it`(keys: KeyKind, answer: FetchAnswer) throws {
    for order in [[2, 0, 0], [2, 1, 0], [0, 1, 0], [1, 1, 0], [0, 0, 0]] {
      var rig = try rig(keys)
      for index in order {
        #expect(rig.feed.state(of: .append) != .exhausted)
        switch numbers(rig, keys)[index] {
        case 30: rig.answer(index, answer)
        case let first: rig.answer(index, .page(.numbers(first..<first + 10, total: 30)))
        }
      }

      #expect(rig.shown == Array(0..<30), "\(order)")
      #expect(rig.feed.state(of: .append) == .exhausted)
      #expect(rig.waiting.isEmpty && !rig.noteNames.contains("disagreedWithTotal"))
    }
  }

  @Test(arguments: [KeyKind.page, .offset])
  func `items behind a total that is too small come after those before them`(keys: KeyKind) throws {
    var rig = try rig(keys)
    rig.answer(2, .page(.numbers(30..<40, total: 30)))
    #expect(rig.shown == Array(0..<10))
    rig.answerAll(from: NumberSource(count: 40, keys: keys, tellsTotal: false))

    #expect(rig.shown == Array(0..<40))
    #expect(rig.feed.state(of: .append) == .exhausted)
    #expect(rig.noteNames.contains("disagreedWithTotal"))
  }

  @Test(arguments: [KeyKind.page, .offset])
  func `a page that comes short says that something else is missing`(keys: KeyKind) throws {
    var rig = try rig(keys)
    rig.answer(2, .page(.numbers([], total: 30)))
    rig.answer(1, .page(.numbers(20..<27, total: 30)))
    rig.answer(0, .page(.numbers(10..<20, total: 30)))
    #expect(numbers(rig, keys) == [keys == .page ? 30 : 27])
    rig.answer(.page(.numbers([], total: 30)))

    #expect(rig.shown == Array(0..<27))
    #expect(rig.feed.state(of: .append) == .exhausted)
    #expect(rig.notes.contains(.disagreedWithTotal(.append, TotalMismatch(received: 27, total: 30))))
  }

  @Test(arguments: [KeyKind.page, .offset])
  func `nothing is asked for behind a last page that is short, whichever comes first`(keys: KeyKind) throws {
    for order in [[1, 0], [0, 0]] {
      var rig = try rig(keys, total: 27)
      for index in order { rig.answer(index, from: NumberSource(count: 27, keys: keys)) }

      #expect(rig.shown == Array(0..<27) && rig.started.count == 3, "\(order)")
      #expect(rig.feed.state(of: .append) == .exhausted)
    }
  }

  @Test(arguments: [KeyKind.page, .offset])
  func `a failure behind the end does not wait for its retry before the pages are there`(keys: KeyKind) throws
  {
    var rig = try rig(keys)
    rig.fail(2)
    #expect(!rig.feed.hasFailed)
    for _ in 0..<2 { rig.answer(from: NumberSource(count: 30, keys: keys)) }

    #expect(rig.shown == Array(0..<30))
    #expect(rig.feed.hasFailed)
    rig.send(.retried)
    rig.answer(.page(.numbers([], total: 30)))
    #expect(rig.feed.state(of: .append) == .exhausted)
  }
}
