import Paging
import Testing

@Suite struct PoliciesTests {
  /// A reader at an index of a list, ten items long.
  private func view(
    at first: Int, of count: Int, expected: Int = 0, velocity: Double = 0, direction: Direction = .append
  ) -> PolicyView {
    var view = PolicyView()
    view.direction = direction
    view.firstVisible = first
    view.lastVisible = first + 9
    view.viewportLength = 10
    view.velocity = velocity
    view.itemCount = count
    view.expectedItems = expected
    view.remainingItems = direction == .prepend ? first : max(0, count - first - 10)
    view.freeSlots = 4
    view.pageSize = 20
    return view
  }

  private func busy(_ view: PolicyView) -> PolicyView {
    var view = view
    view.freeSlots = 0
    return view
  }

  @Test func `leading screens are Texture's rule with its own number`() {
    var policy = LeadingScreens(3)

    #expect(policy.shouldBatchFetch(view(at: 0, of: 40)).isYes)
    #expect(!policy.shouldBatchFetch(view(at: 0, of: 41)).isYes)
    #expect(!policy.shouldBatchFetch(view(at: 0, of: 40, velocity: -1)).isYes)
    #expect(!policy.shouldBatchFetch(view(at: 0, of: 21, expected: 20)).isYes)
  }

  @Test func `leading screens are mirrored for the other side`() {
    var policy = LeadingScreens(1)

    #expect(policy.shouldBatchFetch(view(at: 10, of: 100, direction: .prepend)).isYes)
    #expect(!policy.shouldBatchFetch(view(at: 11, of: 100, direction: .prepend)).isYes)
    #expect(!policy.shouldBatchFetch(view(at: 10, of: 100, velocity: 1, direction: .prepend)).isYes)
  }

  @Test func `a prefetch distance counts items, those on their way included`() {
    var policy = PrefetchDistance(5)

    #expect(policy.shouldBatchFetch(view(at: 6, of: 20)).isYes)
    #expect(!policy.shouldBatchFetch(view(at: 5, of: 20)).isYes)
    #expect(!policy.shouldBatchFetch(view(at: 6, of: 20, expected: 20)).isYes)
  }

  @Test func `remaining time looks at the speed`() {
    var policy = RemainingTime(seconds: 2)

    #expect(policy.shouldBatchFetch(view(at: 0, of: 40, velocity: 16)).isYes)
    #expect(!policy.shouldBatchFetch(view(at: 0, of: 40, velocity: 15)).isYes)
    #expect(!policy.shouldBatchFetch(view(at: 0, of: 40)).isYes)
    #expect(policy.shouldBatchFetch(view(at: 0, of: 8)).isYes)
  }

  @Test func `the ramp doubles its window in sequence and collapses on a jump`() {
    var policy = Ramp(maxPages: 4)
    var windows: [Int] = []
    var count = 0

    for first in stride(from: 0, through: 60, by: 10) {
      let verdict = policy.shouldBatchFetch(view(at: first, of: count))
      if verdict.isYes { windows.append(verdict.fetch) }
      count += verdict.fetch * 20
    }
    #expect(windows == [1, 2, 4, 4])

    let jump = policy.shouldBatchFetch(view(at: count + 100, of: count))
    #expect(jump.fetch == 1)
  }

  @Test func `the ramp asks once per window`() {
    var policy = Ramp()
    _ = policy.shouldBatchFetch(view(at: 0, of: 0))

    #expect(!policy.shouldBatchFetch(view(at: 0, of: 0, expected: 20)).isYes)
    #expect(policy.shouldBatchFetch(view(at: 0, of: 20)).fetch == 2)
    #expect(!policy.shouldBatchFetch(view(at: 0, of: 60)).isYes)
    #expect(policy.shouldBatchFetch(view(at: 11, of: 60)).fetch == 4)
  }

  @Test func `the ramp owes what had no slot`() {
    var policy = Ramp()
    _ = policy.shouldBatchFetch(view(at: 0, of: 0))
    #expect(!policy.shouldBatchFetch(busy(view(at: 0, of: 20))).isYes)

    #expect(policy.shouldBatchFetch(view(at: 0, of: 20)).fetch == 2)
  }

  @Test func `the majority follows most moves, not the last one`() {
    var policy = MajorityTrend()
    for index in [1, 2, 3, 4, 5, 6] { _ = policy.shouldBatchFetch(view(at: index, of: 100)) }

    let forwards = policy.shouldBatchFetch(view(at: 5, of: 100))
    #expect(forwards.isYes)
    let backwards = policy.shouldBatchFetch(view(at: 4, of: 100, direction: .prepend))
    #expect(!backwards.isYes)
    for index in (60..<70).reversed() { _ = policy.shouldBatchFetch(view(at: index, of: 100)) }
    #expect(
      policy.shouldBatchFetch(view(at: 59, of: 100, direction: .prepend)).reason == "the window is filled")
    #expect(!policy.shouldBatchFetch(view(at: 58, of: 100)).isYes)
  }

  @Test func `everything takes all slots`() {
    var policy = Everything()

    #expect(policy.shouldBatchFetch(view(at: 0, of: 1_000)).fetch == 4)
    #expect(policy.shouldBatchFetch(busy(view(at: 0, of: 0))).fetch == 0)
  }

  @Test func `on demand waits until the edge is in sight`() {
    var policy = OnDemand()

    #expect(policy.shouldBatchFetch(view(at: 0, of: 0)).isYes)
    #expect(!policy.shouldBatchFetch(view(at: 9, of: 20)).isYes)
    #expect(policy.shouldBatchFetch(view(at: 10, of: 20)).isYes)
    #expect(!policy.shouldBatchFetch(view(at: 10, of: 20, expected: 20)).isYes)
  }

  @Test func `no built-in asks while nothing can be started`() throws {
    for text in [
      "leadingScreens", "prefetchDistance(5)", "remainingTime(1)", "ramp", "majority", "everything",
      "onDemand",
    ] {
      var policy = try BuiltInPolicies.policy(text)

      #expect(!policy.shouldBatchFetch(busy(view(at: 0, of: 0))).isYes, "\(text)")
    }
  }
}
