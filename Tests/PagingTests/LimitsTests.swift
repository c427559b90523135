import Items
import Paging
import Testing

/// Numbers that reach the machine from outside, past whoever should have checked them.
@Suite struct LimitsTests {
  private static let counts = [
    Int.min, -1, 0, 1, 20, Limits.count, Limits.total, 1 << 53, 1 << 62, Int.max - 1, Int.max,
  ]

  @Test func `nothing is later than the end of time`() {
    let end = Instant(nanoseconds: .max)

    #expect(end + .seconds(1) == end)
    #expect(Instant(nanoseconds: .min) + .seconds(-1) == Instant(nanoseconds: .min))
    #expect(end - Instant(nanoseconds: -1) == .nanoseconds(Int64.max))
    #expect(Instant(nanoseconds: .min) - end == .nanoseconds(Int64.min))
  }

  @Test(arguments: [
    Duration.seconds(Int64.max), .seconds(Int64.min), .seconds(9_223_372_036) + .nanoseconds(999_999_999),
    .seconds(-9_223_372_036) - .nanoseconds(999_999_999), .seconds(9_223_372_037),
  ])
  func `any duration can be added to a point in time`(_ duration: Duration) {
    let later = Instant.zero + duration

    #expect(later.nanoseconds.signum() == duration.nanoseconds.signum())
  }

  @Test(arguments: [Double.nan, -.infinity, -1, 0, .leastNonzeroMagnitude, 1.5, 1e9, 1e300, .infinity])
  func `seconds of a script are within the limits`(_ seconds: Double) {
    let duration = Duration(limitedSeconds: seconds)

    #expect(Duration.zero...(.seconds(Limits.seconds)) ~= duration)
  }

  @Test(arguments: KeyKind.allCases, counts)
  func `a feed takes a page that lies about its numbers`(_ keys: KeyKind, _ number: Int) throws {
    for total in [nil, number] {
      var feed = Feed(
        configuration: try FeedConfiguration {
          $0.keys = keys
          $0.pageSize = Limits.count
          $0.firstKey = keys.isCounted ? .integer(Limits.key) : nil
        }, policy: Everything())
      var requests = fetches(
        in: feed.handle(.viewportMoved(Viewport(firstVisible: 0, lastVisible: 0, length: 1)), at: .zero))
      for turn in 1...20 where !requests.isEmpty {
        let request = requests.removeFirst()
        let item = Item(id: .integer(Int64(turn)), bytes: .empty)
        let now = Instant(nanoseconds: .max - 20 + Int64(turn))
        requests += fetches(in: feed.handle(.appended(request.id, [item], received: number), at: now))
        let page = Page(PageItems([], received: number), nextKey: .integer(Int64(turn)), total: total)
        requests += fetches(in: feed.handle(.outlined(request.id, page), at: now))
        requests += fetches(in: feed.handle(.answered(request.id, .page(page)), at: now))
      }

      #expect(feed.totalCount.map { 0...Limits.total ~= $0 } ?? true)
      #expect(feed.items.count > 0)
    }
  }

  @Test(arguments: KeyKind.allCases, counts)
  func `a set takes or refuses any page`(_ keys: KeyKind, _ number: Int) throws {
    var set = DemandSet(
      configuration: try FeedConfiguration {
        $0.keys = keys
        $0.pageSize = Limits.count
        $0.firstKey = keys.isCounted ? .integer(Limits.key) : nil
      })

    let (start, effects) = set.fetchPage(number, at: .zero)
    if case .fetch(let request)? = effects.first {
      _ = set.appended(request.id, [], received: number)
      _ = set.answered(
        request.id, .page(Page(PageItems([], received: number), total: number)), at: .zero)
    }
    let next = set.fetchNextPage(at: .zero)

    #expect(set.totalPages >= 0)
    #expect(set[number] == nil)
    if !(1...Limits.count ~= number) { #expect(start == .nothing(.invalidPage(number))) }
    _ = next
  }

  @Test(arguments: [Double.leastNonzeroMagnitude, 1e-300, 1e-9, 1e308, .infinity, 0, -1, .nan])
  func `a rate whose inverse is no time holds a policy back`(_ rate: Double) {
    var policy = AtMost(Everything(), rate: rate)
    var view = PolicyView()
    view.freeSlots = 2
    view.now = Instant(nanoseconds: .max - 1)

    #expect(policy.shouldBatchFetch(view).isYes)
    _ = policy.shouldBatchFetch(view)
  }

  @Test func `policies inside each other have a depth`() throws {
    let deepest = String(repeating: "anyOf(", count: 31) + "ramp" + String(repeating: ")", count: 31)
    _ = try BuiltInPolicies.policy(deepest)

    for text in ["anyOf(\(deepest))", String(repeating: "allOf(", count: 200_000)] {
      let error = #expect(throws: PolicyTextError.self) { _ = try BuiltInPolicies.policy(text) }
      guard case .syntax(let expected, _)? = error?.problem else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(expected == "no more than 32 policies inside each other")
      #expect((error?.text.count ?? 0) <= 81)
    }
  }

  @Test(arguments: counts)
  func `an option is what the machine can compute with, or is named`(_ number: Int) {
    let options: [(name: String, set: (inout FeedConfiguration.Options) -> Void)] = [
      ("pageSize", { $0.pageSize = number }), ("initialPageSize", { $0.initialPageSize = number }),
      ("prefetchDistance", { $0.prefetchDistance = number }), ("maxItems", { $0.maxItems = number }),
      ("maxInFlight", { $0.maxInFlight = number }), ("reloadThreshold", { $0.reloadThreshold = number }),
      ("fruitlessLimit", { $0.fruitlessLimit = number }), ("retries", { $0.retry.count = number }),
      ("total", { $0.knownTotal = number }), ("firstKey", { $0.firstKey = .integer(Int64(number)) }),
    ]
    for option in options {
      do {
        let configuration = try FeedConfiguration {
          $0.keys = .offset
          option.set(&$0)
        }
        #expect(abs(number) <= Limits.total * 10, "\(option.name)")
        _ = configuration.maxInFlight * configuration.initialPageSize
      } catch {
        #expect(error.option == option.name || error.option == "maxItems")
      }
    }
  }

  @Test func `a wait of any length is one that can be added`() {
    var random = RandomStream(seed: 1)
    let rule = RetryRule(count: .max, base: .seconds(Int64.max), cap: .seconds(Int64.max), jitter: .none)

    let delay = rule.delay(afterAttempt: .max, random: &random)

    #expect(delay == .seconds(Limits.seconds))
  }

  private func fetches(in effects: [Effect]) -> [FetchRequest] {
    effects.compactMap { if case .fetch(let request) = $0 { request } else { nil } }
  }
}
