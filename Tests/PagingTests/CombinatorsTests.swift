import Paging
import Testing

@Suite struct CombinatorsTests {
  /// Says the same for ever.
  private struct Fixed: FetchPolicy {
    var verdict: Verdict

    init(_ fetch: Int, cancel: Bool = false) {
      verdict = Verdict(fetch: fetch, cancel: cancel, reason: "\(fetch)")
    }

    mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict { verdict }
  }

  private let view = PolicyView()

  @Test func `any of takes the greediest`() {
    var policy = AnyOf([Fixed(0), Fixed(3), Fixed(1)])
    var none = AnyOf([Fixed(0), Fixed(0)])

    #expect(policy.shouldBatchFetch(view).fetch == 3)
    #expect(!none.shouldBatchFetch(view).isYes)
  }

  @Test func `all of takes the most modest`() {
    var policy = AllOf([Fixed(2), Fixed(3)])
    var vetoed = AllOf([Fixed(2), Fixed(0)])

    #expect(policy.shouldBatchFetch(view).fetch == 2)
    #expect(!vetoed.shouldBatchFetch(view).isYes)
  }

  @Test func `a member that cancels wins`() {
    var policy = AnyOf([Fixed(3), Fixed(0, cancel: true)])

    #expect(policy.shouldBatchFetch(view).cancel)
  }

  @Test func `not while holds back, and says why`() {
    var held = NotWhile(Fixed(1), blocker: Fixed(1))
    var free = NotWhile(Fixed(1), blocker: Fixed(0))

    #expect(held.shouldBatchFetch(view) == Verdict(false, reason: "held back: 1"))
    #expect(free.shouldBatchFetch(view).isYes)
  }

  @Test func `hysteresis goes on until it is full`() {
    var policy = Hysteresis(LeadingScreens(1), until: 3)
    var view = PolicyView()
    view.viewportLength = 10
    view.lastVisible = 9

    let answers = [30, 20, 30, 39, 40, 30].map { count in
      view.itemCount = count
      return policy.shouldBatchFetch(view).isYes
    }

    #expect(answers == [false, true, true, true, false, false])
  }

  @Test func `at most so many per second`() {
    var policy = AtMost(Fixed(3), rate: 2)
    var view = PolicyView()
    #expect(policy.shouldBatchFetch(view).fetch == 1)

    view.now = .zero + .milliseconds(100)
    let early = policy.shouldBatchFetch(view)
    #expect(!early.isYes)
    #expect(early.wait == .milliseconds(400))

    view.now = .zero + .milliseconds(500)
    #expect(policy.shouldBatchFetch(view).isYes)
  }
}
