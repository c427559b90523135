import Paging
import Testing

@Suite struct CombinatorsTests {
  /// Says the same for ever.
  private struct Fixed: FetchPolicy {
    var verdict: Verdict

    init(_ fetch: Int, cancel: Bool = false) {
      verdict = Verdict(fetch: fetch, cancel: cancel, reason: "\(fetch)")
    }

    init(waiting seconds: Double) { verdict = Verdict(wait: .seconds(seconds)) }

    mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict { verdict }
  }

  /// Says yes while it is open.
  private final class Gate: FetchPolicy {
    var isOpen = false

    func shouldBatchFetch(_ view: PolicyView) -> Verdict { Verdict(isOpen) }
  }

  /// Says yes while the other one says no.
  private struct Opposite: FetchPolicy {
    let gate: Gate

    func shouldBatchFetch(_ view: PolicyView) -> Verdict { Verdict(!gate.isOpen) }
  }

  private let view = PolicyView()

  @Test func `any of takes the greediest`() {
    var policy = AnyOf([Fixed(0), Fixed(3), Fixed(1)])
    var none = AnyOf([Fixed(0), Fixed(0)])

    #expect(policy.shouldBatchFetch(view).fetch == 3)
    #expect(!none.shouldBatchFetch(view).isYes)
  }

  @Test(arguments: [true, false])
  func `where none of any fetches, the first that wants to be asked again is`(isFirst: Bool) {
    let waiting = Fixed(waiting: 2)
    var policy = AnyOf(
      isFirst ? [waiting, Fixed(0), Fixed(waiting: 5)] : [Fixed(waiting: 5), Fixed(0), waiting])

    #expect(policy.shouldBatchFetch(view).wait == .seconds(2))
  }

  @Test(arguments: ["all of", "not while", "any of", "hysteresis"])
  func `a fetch that another policy prevents is none of so many`(way: String) {
    let (gate, limited) = (Gate(), AtMost(Fixed(1), rate: 1))
    var policy: any FetchPolicy =
      switch way {
      case "all of": AllOf([limited, gate])
      case "not while": NotWhile(limited, blocker: Opposite(gate: gate))
      case "any of": AllOf([AnyOf([limited, Fixed(0)]), gate])
      default: AllOf([Hysteresis(limited, until: 0), gate])
      }

    let answers = [false, true, false, true, false, true].map { isOpen in
      gate.isOpen = isOpen
      return policy.shouldBatchFetch(view).isYes
    }

    // And what was fetched counts, whatever else is prevented behind it.
    #expect(answers == [false, true, false, false, false, false])
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
