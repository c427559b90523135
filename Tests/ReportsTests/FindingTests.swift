import Experiments
import Foundation
import Reports
import Testing

/// What the headline of a report says.
@Suite struct FindingTests {
  private func headline(_ result: LabResult) -> String {
    let text = HTMLReport(result).text
    return text.components(separatedBy: "<h1>").last?.components(separatedBy: "</h1>").first ?? ""
  }

  @Test func `a better policy is named with its advantage`() {
    let result = SmallResult.result([("leadingScreens", 0.5), ("remainingTime", 0.38)])

    #expect(
      headline(result)
        == "remainingTime is better than leadingScreens by 0.120 s a session (95 % 0.080…0.160)")
  }

  @Test func `a baseline that is best is named with the next`() {
    let result = SmallResult.result(
      [("leadingScreens", 0.5), ("demand", 5), ("late", 0.75)], verdict: .worse)

    #expect(
      headline(result)
        == "leadingScreens is best: late, the next, is worse by 0.250 s a session (95 % 0.210…0.290)")
  }

  @Test func `the regret beside a headline is that of the policy that is best`() {
    let result = SmallResult.result([("leadingScreens", 0.5), ("late", 0.75)], verdict: .worse)

    let text = HTMLReport(result).text

    #expect(
      text.contains("leadingScreens waits 0.500 s a session longer than a schedule that knows the future."))
    #expect(text.contains("<dt>stall of leadingScreens</dt><dd><b>0.500</b> s a session</dd>"))
  }

  @Test func `what is not resolved is said to be so`() {
    let result = SmallResult.result([("one", 0.5), ("other", 0.49)], verdict: .notResolved)

    #expect(headline(result) == "Not resolved: other and one differ by 0.010 s a session (95 % −0.030…0.050)")
  }

  @Test func `what one recorded reader shows is said to be of one, in every report`() {
    for verdict in [PairedComparison.Verdict.better, .worse, .notResolved] {
      var result = SmallResult.result([("one", 0.5), ("other", 0.3)], verdict: verdict)
      let plain = headline(result)
      for place in result.rows.indices { result.rows[place].isOneReader = true }

      let words = "; one recorded reader: this says nothing of others"
      #expect(headline(result) == plain + words)
      #expect(TableReport(result).text.hasSuffix("\(words)\n"))
      #expect(JSONReport(result).text.contains("\(words)\""))
      #expect(JSONReport(result).text.contains("\"readers\":1,\"verdict\":"))
    }
  }

  @Test func `one policy alone is told as it is`() {
    #expect(headline(SmallResult.result([("only", 0.5)])) == "only waits 0.500 s a session")
  }

  @Test(arguments: [
    (
      -16.8, -20.0, -13.5, PairedComparison.Verdict.better,
      "wastes 16.8 items a session less (95 % 13.5…20.0)."
    ),
    (16.8, 13.5, 20.0, .worse, "wastes 16.8 items a session more (95 % 13.5…20.0)."),
  ])
  func `a price is an amount, with an interval of the same sign`(
    mean: Double, low: Double, high: Double, verdict: PairedComparison.Verdict, words: String
  ) throws {
    var result = SmallResult.result([("one", 0.5), ("other", 0.3)])
    result.rows[1].comparisons[.waste] = PairedComparison(
      mean: mean, low: low, high: high, pairs: 40, verdict: verdict)

    #expect(HTMLReport(result).text.contains(words))
  }

  @Test func `among equals the one that wastes least is named`() {
    var result = SmallResult.result([("base", 0.5), ("greedy", 0.25), ("modest", 0.25)])
    result.rows[1].scores[0].fetched = 50
    result.rows[1].summaries = DemoStatistics.summed(result.rows[1]).summaries

    #expect(headline(result).hasPrefix("modest is better than base"))
  }

  @Test func `with costs, policies are judged by cost`() {
    var result = SmallResult.result([("base", 1), ("dear", 0.5)])
    result.costs.waste = 0.1
    for place in result.rows.indices {
      result.rows[place].scores[0].cost = place == 0 ? 1 : 3
      result.rows[place].summaries = DemoStatistics.summed(result.rows[place]).summaries
    }
    result.rows[1].comparisons[.cost] = PairedComparison(
      mean: 2, low: 1.5, high: 2.5, pairs: 40, verdict: .worse)

    #expect(
      headline(result)
        == "base is best: dear, the next, is worse by 2.000 of cost a session (95 % 1.500…2.500)")
  }

  @Test func `what was chosen on training sessions is stated on those kept back`() {
    var result = SmallResult.result([("base", 0.5), ("lucky", 0.2), ("solid", 0.3)])
    let rows = result.rows
    for (part, stalls) in [(LabRow.Part.train, [0.5, 0.2, 0.3]), (.holdout, [0.5, 0.45, 0.3])] {
      for (row, stall) in zip(rows, stalls) {
        var row = row
        row.part = part
        row.scores[0].stall = stall
        row = DemoStatistics.summed(row)
        if row.comparisons[.stall] != nil {
          row.comparisons[.stall]? = PairedComparison(
            mean: stall - 0.5, low: stall - 0.6, high: stall - 0.4, pairs: 40,
            verdict: part == .train ? .better : .notResolved)
        }
        result.rows.append(row)
      }
    }

    #expect(
      headline(result) == "Not resolved: lucky and base differ by 0.050 s a session (95 % −0.050…0.150)")
  }

  @Test func `over several worlds, worlds are counted`() {
    var result = SmallResult.result([("base", 0.5), ("other", 0.4)])
    for (world, verdict) in [
      ("slow", PairedComparison.Verdict.worse), ("fast", .better), ("odd", .notResolved),
    ] {
      var rows = SmallResult.result([("base", 0.5), ("other", 0.4)], verdict: verdict).rows
      for place in rows.indices { rows[place].setting.network = world }
      result.rows += rows
    }

    #expect(headline(result) == "other is better than base in 2 of 4 worlds")
  }

  @Test func `where no policy is better in any world, that is all that is said of all`() {
    var result = SmallResult.result([("base", 0.5), ("other", 0.5), ("late", 9)], verdict: .notResolved)
    var rows = result.rows
    for place in rows.indices { rows[place].setting.network = "slow" }
    rows[2].comparisons[.stall] = PairedComparison(mean: 8.5, low: 8, high: 9, pairs: 40, verdict: .worse)
    result.rows += rows

    #expect(headline(result) == "No policy is better than base in any of 2 worlds")
    #expect(HTMLReport(result).text.contains("other is not resolved in 2. "))
  }
}
