import Experiments
import Paging
import Simulation
import Testing

@Suite struct WorkloadTests {
  @Test(arguments: WorkloadKind.allCases.filter { $0 != .trace })
  func `equal seeds and sessions walk the same way, others do not`(kind: WorkloadKind) throws {
    let workload = try Workload(kind)

    let path = workload.path(seed: 5, session: 3)

    #expect(path == workload.path(seed: 5, session: 3))
    if kind != .steady {
      #expect(path != workload.path(seed: 5, session: 4))
      #expect(path != workload.path(seed: 6, session: 3))
    }
  }

  /// lab.md 2.5: 188 sessions, 51,698 items, 9.4 h. Counts of flings are exponential, so the mean of 188
  /// sessions has a standard error of 7 %.
  @Test func `the usual flings are those of the reference lab`() throws {
    let workload = try Workload(.fling)
    let paths = (0..<2000).map { workload.path(seed: 1, session: $0) }

    let items = Double(paths.reduce(0) { $0 + $1.itemsSeen }) / 2000
    let seconds = paths.reduce(0) { $0 + $1.end.seconds } / 2000

    #expect(abs(items / 275 - 1) < 0.14)
    #expect(abs(seconds / 180 - 1) < 0.14)
  }

  @Test func `one parameter changes only what it is about`() throws {
    var options = Workload.Options()
    options.parameters = ["dwellItems": 0]
    let hasty = try Workload(.fling, options).path(seed: 1, session: 1)
    let usual = try Workload(.fling).path(seed: 1, session: 1)

    #expect(hasty.itemsSeen == usual.itemsSeen)
    #expect(hasty.end < usual.end)
  }

  @Test func `Android readers go other ways than iOS readers`() throws {
    var options = Workload.Options()
    options.platform = .android

    let android = try Workload(.fling, options).path(seed: 1, session: 1)

    #expect(android != (try Workload(.fling).path(seed: 1, session: 1)))
    #expect(android.segments.contains { if case .ballistic = $0.motion { true } else { false } })
  }

  @Test func `a quitter leaves after five flings in the mean, a searcher comes back, a jumper leaves holes`()
    throws
  {
    let quitter = try Workload(.quitter)
    let flings = (0..<2000).map { session in
      quitter.path(seed: 1, session: session).segments.count {
        if case .decay = $0.motion { true } else { false }
      }
    }
    let searcher = try Workload(.searcher).path(seed: 1, session: 0)
    let jumper = try Workload(.jumper).path(seed: 1, session: 0)

    // Flings too slow to move anything, and those against the start, leave no segment.
    #expect(4.3...5.1 ~= Double(flings.reduce(0, +)) / 2000)
    #expect(searcher.steps.contains { $0.viewport.velocity < 0 })
    #expect(jumper.seenRanges.count > 1)
  }

  /// Beside the path's own account of what it shows.
  @Test(arguments: [
    "jumper:items=3000", "jumper:items=40000,around=0", "reader", "skimmer", "fling",
    "jumper:items=3000,dwellItems=0,reverse=1", "steady:speed=-5,first=500",
  ])
  func `what is seen is what comes into view, not what is jumped over`(_ text: String) throws {
    let workload = try Workload(try WorldText(text))
    let experiment = try LabRig.experiment(["leadingScreens"], workload: text, sessions: 12)
    let rows = try Lab(LabRig.options()).run(experiment).rows

    #expect(rows[0].scores.count == 12)
    for score in rows[0].scores {
      let path = workload.path(seed: experiment.seed, session: score.session)
      // A reader that turns back does not wait for what just shows its edge.
      #expect(path.itemsSeen - 8...path.itemsSeen ~= score.seen, "session \(score.session)")
      #expect(score.waste == score.fetched - score.seen && score.hits <= score.seen)
    }
  }

  @Test(arguments: [
    (WorkloadKind.fling, "reverse", 1.5, "fling.reverse", "1.5", "a number from 0 to 1"),
    (.fling, "speed", .nan, "fling.speed", "nan", "a number from 1 to 100000"),
    (
      .steady, "sped", 3, "steady", "sped",
      "one of speed, seconds, first, items, viewport, platform, patience, patienceSigma, edge, name"
    ),
  ])
  func `a wrong parameter says what was expected`(
    kind: WorkloadKind, parameter: String, value: Double, name: String, text: String, expected: String
  ) {
    var options = Workload.Options()
    options.parameters = [parameter: value]

    let error = #expect(throws: InvalidWorld.self) { try Workload(kind, options) }

    #expect(error == InvalidWorld(name: name, value: text, expected: expected))
  }

  @Test func `a trace needs a recording and nothing else does`() throws {
    var options = Workload.Options()
    #expect(throws: InvalidWorld.self) { try Workload(.trace) }
    options.trace = try ViewportTrace(points: [.init(milliseconds: 0, first: 0, last: 3)])
    #expect(throws: InvalidWorld.self) { try Workload(.fling, options) }
    #expect(try Workload(.trace, options).path(seed: 1, session: -5).itemsSeen == 4)
  }

  @Test(arguments: WorkloadKind.allCases.filter { $0 != .trace })
  func `a person at the ends of the ranges still leaves`(kind: WorkloadKind) throws {
    for useUpper in [false, true] {
      var options = Workload.Options()
      options.items = 500
      for parameter in kind.parameters {
        let end = useUpper ? parameter.range.upperBound : parameter.range.lowerBound
        // Counts stay small, so that the test is quick.
        options.parameters[parameter.name] = parameter.standard > 1 ? min(end, 5 * parameter.standard) : end
      }

      let path = try Workload(kind, options).path(seed: 1, session: 0)

      #expect(path.end >= .zero)
      #expect(path.viewport(at: path.end).lastVisible < 500)
    }
  }
}
