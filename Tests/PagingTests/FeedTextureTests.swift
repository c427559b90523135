import TestSupport
import Paging
import Testing

@Suite struct FeedTextureTests {
  struct FillCase: Decodable, CustomTestStringConvertible {
    struct Inputs: Decodable {
      let viewport_length: Double
      let item_length: Double
      let leading_screens: Double
      let visible: Bool
      let items_per_fetch: Int
      let start_items: Int
    }

    struct Expected: Decodable {
      let fetches: Int
      let items: Int
    }

    let `case`: String
    let inputs: Inputs
    let expected: Expected
    var testDescription: String { `case` }
  }

  @Test(arguments: cases("FillLoopDerived") as [FillCase])
  func `fills exactly as far as upstream`(_ example: FillCase) throws {
    let inputs = example.inputs
    let source = NumberSource(count: 10_000, keys: .cursor)
    var rig = try Rig {
      $0.pageSize = inputs.items_per_fetch
      $0.initialPageSize = max(inputs.start_items, inputs.items_per_fetch)
      $0.leadingScreens = inputs.leading_screens
    }
    if inputs.start_items > 0 {
      rig.send(.refreshed(.start))
      rig.answer(from: source)
    }
    let before = rig.started.count
    let length = inputs.viewport_length / inputs.item_length

    rig.send(
      .viewportMoved(
        Viewport(firstVisible: 0, lastVisible: Int(length) - 1, length: length, isVisible: inputs.visible)))
    rig.answerAll(from: source)

    #expect(rig.started.count - before == example.expected.fetches)
    #expect(rig.shown.count == example.expected.items)
  }

  @Test func `with pages in flight it starts no more than will be needed`() throws {
    let source = NumberSource(count: 10_000)
    var rig = try Rig {
      $0.keys = .offset
      $0.maxInFlight = 8
    }
    rig.look(at: 0, length: 30)

    rig.answer(from: source)
    #expect(rig.waiting.count == 4)
    rig.answerAll(from: source)

    #expect(rig.shown.count == 100)
  }

  struct TimelineCase: Decodable, CustomTestStringConvertible {
    struct Expected: Decodable {
      let second_fetch: Bool?
      let third_fetch: Bool?
    }

    let `case`: String
    let expected: Expected
    var testDescription: String { `case` }
  }

  /// Plays a timeline; returns the fetches that were started.
  private func play(_ name: String, rechecks: Bool) throws -> Int {
    var rig = try Rig { $0.rechecksOnCompletion = rechecks }
    rig.appliesAtOnce = false
    rig.look(at: 0, length: 10)
    let id = rig.waiting[0].id
    switch name {
    case "append_then_complete_same_turn":
      rig.send(.appended(id, .numbers(0..<1), received: 1))
      rig.answer(.completed(more: true, nextKey: .integer(1)))
      rig.send(.applied(revision: 1))
    case "append_then_complete_next_turn":
      rig.send(.appended(id, .numbers(0..<1), received: 1))
      rig.send(.applied(revision: 1))
      rig.answer(.completed(more: true, nextKey: .integer(1)))
    case "complete_without_append":
      rig.answer(.completed(more: true, nextKey: .integer(1)))
    default:
      Issue.record("no timeline \(name)")
    }
    return rig.started.count
  }

  private static let timelines = cases("RecheckTimelineDerived") as [TimelineCase]

  @Test(arguments: timelines.prefix(3))
  func `without the check on completion it stalls where upstream does`(_ example: TimelineCase) throws {
    let fetches = try play(example.case, rechecks: false)

    #expect((fetches == 2) == example.expected.second_fetch)
  }

  @Test(arguments: timelines.prefix(3))
  func `with the check on completion it never stalls`(_ example: TimelineCase) throws {
    #expect(try play(example.case, rechecks: true) == 2)
  }

  @Test func `upstream never fetches again after a fetch that never completed`() {
    let example = Self.timelines[3]
    var context = BatchContext(isUpstreamCompatible: true)
    _ = context.begin()

    var state = ScrollState()
    state.bounds = Extent(width: 1, height: 10)
    state.isFetching = context.isFetching

    #expect(example.case == "never_completed_then_reload_data")
    #expect(shouldFetchBatch(state).shouldFetch == example.expected.second_fetch)
  }

  @Test func `a refresh gets past a fetch that never completes`() throws {
    var rig = try Rig()
    rig.look(at: 0, length: 10)

    rig.send(.refreshed(.start))

    #expect(rig.started.count == 2)
  }

  @Test func `upstream lets a stale completion admit a third fetch, the feed does not`() throws {
    let example = Self.timelines[4]
    var context = BatchContext(isUpstreamCompatible: true)
    _ = context.begin()
    context.cancel()
    _ = context.begin()
    context.complete(true)
    #expect(example.case == "stale_completion")
    #expect(!context.isFetching == example.expected.third_fetch)

    var rig = try Rig()
    rig.look(at: 0, length: 10)
    let stale = rig.waiting[0].id
    rig.send(.cancelled)
    rig.look(at: 0, length: 10)
    rig.send(.answered(stale, .completed(more: true, nextKey: .integer(9))))
    #expect(rig.started.count == 2)
  }
}
