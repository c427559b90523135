import Items
import TestSupport
import Paging
import Testing

/// Feeds with one policy go the same way: one asks it about every move, another leaves out those in its dead zone, and a third
/// makes no notes as well.
@Suite struct DeadZoneTests {
  static let policies = [
    "leadingScreens", "leadingScreens(0.5)", "leadingScreens(0)", "prefetchDistance(7)",
    "prefetchDistance(1)",
    "remainingTime(2)", "remainingTime(0)", "onDemand", "everything",
  ]

  @Test(arguments: policies, 0..<40)
  func `a feed does the same whether or not its policy is asked about every move`(
    _ name: String, _ seed: UInt64
  ) throws {
    var dice = RandomStream(seed: seed)
    let source = NumberSource(
      count: Int.random(in: 1...400, using: &dice), tellsTotal: Bool.random(using: &dice))
    var options = FeedConfiguration.Options()
    set(&options, source, seed, &dice)
    let configuration = try FeedConfiguration(options)
    options.makesNotes = false
    let policy = try BuiltInPolicies.policy(name)
    var (feed, asked, silent) = (
      Feed(configuration: configuration, policy: policy),
      Feed(configuration: configuration, policy: AlwaysAsked(policy)),
      Feed(configuration: try FeedConfiguration(options), policy: policy)
    )
    var waiting: [FetchRequest] = []
    var (time, place) = (0, 0.0)
    for step in 0..<600 {
      time += Int.random(in: 0...200, using: &dice)
      let event = event(source, &waiting, &place, &dice)
      let now = Instant(nanoseconds: Int64(time) * 1_000_000)

      let what: Comment = "\(name), seed \(seed), step \(step): \(event)"
      let isDead =
        if case .placesViewed(let viewport) = event {
          feed.deadZone(at: now)?.contains(viewport) ?? false
        } else { false }

      let effects = feed.handle(event, at: now)
      let expected = asked.handle(event, at: now)

      try #require(effects == expected, what)
      try #require(!isDead || effects.isEmpty, what)
      try #require(silent.handle(event, at: now) == effects.filter { !$0.isNote }, what)
      for case .apply(_, let revision) in effects where Bool.random(using: &dice) {
        let acknowledged = feed.handle(.applied(revision: revision), at: now)
        try #require(
          acknowledged == asked.handle(.applied(revision: revision), at: now),
          "\(name), seed \(seed), step \(step)")
        #expect(
          silent.handle(.applied(revision: revision), at: now) == acknowledged.filter { !$0.isNote }, what)
        for case .fetch(let request) in acknowledged { waiting.append(request) }
      }
      #expect(feed.appliedRevision == asked.appliedRevision)
      #expect(feed.viewport == asked.viewport && feed.places.wanted == asked.places.wanted)
      for case .fetch(let request) in effects { waiting.append(request) }
      for case .cancel(let id) in effects { waiting.removeAll { $0.id == id } }
    }
    #expect(feed.statistics == asked.statistics && feed.statistics == silent.statistics)
  }

  private func set(
    _ options: inout FeedConfiguration.Options, _ source: NumberSource, _ seed: UInt64,
    _ dice: inout RandomStream
  ) {
    options.keys = Bool.random(using: &dice) ? .offset : .cursor
    options.pageSize = Int.random(in: 1...25, using: &dice)
    if options.keys == .offset {
      options.maxInFlight = Int.random(in: 1...4, using: &dice)
      options.jumpsToPlaces = Bool.random(using: &dice)
      if Bool.random(using: &dice) { options.firstKey = .integer(Int64(source.count / 2)) }
    }
    options.maxItems = Bool.random(using: &dice) ? nil : 60
    options.rechecksOnCompletion = Bool.random(using: &dice)
    options.seed = seed
  }

  private func event(
    _ source: NumberSource, _ waiting: inout [FetchRequest], _ place: inout Double, _ dice: inout RandomStream
  ) -> Event {
    switch Int.random(in: 0..<40, using: &dice) {
    case 0: return .refreshed([.start, .anchor].randomElement(using: &dice)!)
    case 1: return .cancelled
    case 2: return .retried
    case 3: return .woke
    case 4: return .edited(.remove([.integer(Int64.random(in: 0..<Int64(source.count), using: &dice))]))
    case 5..<11 where !waiting.isEmpty:
      let request = waiting.remove(at: Int.random(in: 0..<waiting.count, using: &dice))
      let failure = FetchFailure(code: "http", message: "503", isTransient: true)
      let answer = FetchAnswer.page(source.page(for: request))
      return .answered(request.id, Int.random(in: 0..<6, using: &dice) == 0 ? .failed(failure) : answer)
    default:
      let speed = [0.0, 1, 4, 20, -1, -6].randomElement(using: &dice)!
      place = max(0, min(Double(source.count), place + speed * Double.random(in: 0...1, using: &dice)))
      if Int.random(in: 0..<60, using: &dice) == 0 { place = Double.random(in: 0...400, using: &dice) }
      let length = Int.random(in: 0..<30, using: &dice) == 0 ? 7 : 4.5
      return .placesViewed(
        Viewport(
          firstVisible: Int(place), lastVisible: Int(place + length), length: length, velocity: speed,
          isVisible: Int.random(in: 0..<30, using: &dice) > 0))
    }
  }
}

extension Effect {
  var isNote: Bool { if case .note = self { true } else { false } }
}

/// A policy without a dead zone.
private struct AlwaysAsked: FetchPolicy {
  var policy: any FetchPolicy

  init(_ policy: any FetchPolicy) { self.policy = policy }

  mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict { policy.shouldBatchFetch(view) }
}
