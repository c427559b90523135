import Experiments
import Paging
import Simulation
import Testing

/// What a lab concludes from many settings at once.
@Suite struct ManySettingsTests {
  /// Settings over the same skewed sessions, each with noise of its own; one may be better than the others.
  private func result(_ settings: Int, sessions: Int, seed: UInt64, gain: Double = 0) -> LabResult {
    var dice = RandomStream(seed: seed, "settings")
    func skewed() -> Double { -Elementary.log(1 - dice.unit()) }
    let common = (0..<sessions).map { _ in 2 * skewed() }
    var result = LabResult()
    result.seed = seed
    result.sessions = sessions
    for number in 0..<settings {
      var row = LabRow(setting: LabSetting(source: "s", policy: "p\(number)", workload: "w", network: "n"))
      row.sessions = sessions
      row.scores = (0..<sessions).map { session in
        var score = SessionScore(session: session)
        score.stall = common[session] + 0.5 * skewed() - (number == 3 ? gain : 0)
        return score
      }
      result.rows.append(row)
    }
    result.compare(with: "p0")
    return result
  }

  @Test func `among 30 equal settings there is no winner`() {
    let results = (0..<200).map { result(30, sessions: 40, seed: UInt64($0 + 1)) }

    let winners = results.count { $0.rows.count(where: \.mayBeBest) == 1 }
    let missed = results.count { !$0.rows[5].mayBeBest }
    let better = results.count { result in
      result.rows.contains { $0.comparisons[.stall]?.adjustedVerdict == .better }
    }
    let single = results.count { result in
      result.rows.contains { $0.comparisons[.stall]?.verdict == .better }
    }
    // 5 of 100, and three deviations of a binomial.
    #expect(winners <= 10, "\(winners) of 200 name one winner")
    #expect(missed <= 19, "\(missed) of 200 exclude a setting that is as good as any")
    #expect(better <= 19, "\(better) of 200 have a setting that is better than the baseline")
    #expect(single > 40, "the unadjusted intervals have \(single) of 200")
  }

  @Test func `a setting that is better is found`() {
    let found = (UInt64(0)..<50).count { seed in
      let rows = result(30, sessions: 40, seed: seed + 1, gain: 0.7).rows
      return rows[3].mayBeBest && rows.count(where: \.mayBeBest) == 1
        && rows[3].comparisons[.stall]?.adjustedVerdict == .better
    }

    #expect(found >= 40, "found in \(found) of 50")
  }

  @Test func `an adjusted interval contains the one of the comparison alone`() throws {
    for row in result(8, sessions: 25, seed: 4, gain: 0.4).rows.dropFirst() {
      let comparison = try #require(row.comparisons[.stall])

      #expect(comparison.adjustedLow <= comparison.low)
      #expect(comparison.adjustedHigh >= comparison.high)
    }
  }

  @Test func `all sessions are paired where there are too many to keep`() throws {
    let experiment = try LabRig.experiment(
      ["leadingScreens", "onDemand"], workload: "reader:items=40", sessions: 12_500)

    let result = try Lab(LabRig.options()).run(experiment)

    let row = try result.row("onDemand")
    let comparison = try #require(row.comparisons[.stall])
    let mean = try result.mean("onDemand", .stall) - result.mean("leadingScreens", .stall)
    #expect(row.scores.count == LabResult.keptSessions)
    #expect(comparison.pairs == 12_500)
    #expect(abs(comparison.mean - mean) < 0.001)
  }

  @Test func `a name that a workload is given is the one in titles`() throws {
    let experiment = try LabRig.experiment(
      ["leadingScreens"], workload: "reader:items=40,name=me", sessions: 2)

    #expect(try Lab(LabRig.options()).run(experiment).rows[0].setting.workload == "me")
  }
}
