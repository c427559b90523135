import Foundation
import Testing

/// The lab compared with an earlier result.
@Suite(.waiting) struct LabBaselineTests {
  private func policy(ahead: Int) -> String {
    """
    return lookahead.policy {
      name = "mine",
      shouldBatchFetch = function(view) return view.remainingItems < \(ahead) end,
    }
    """
  }

  @Test func `a policy is compared with itself in an earlier result, session by session`() throws {
    let scratch = try Scratch(script: policy(ahead: 40))
    _ = try scratch.lookahead("lab", "feed.lua", "--sessions", "40", "--format", "json", "-o", "then.json")
    let gate = ["--baseline", "then.json", "--fail-if", "mine worse than baseline by 0.01"]

    let same = try Command.lookahead(["lab", "feed.lua", "--sessions", "40"] + gate).within(scratch).run()
    try scratch.write("feed.lua", policy(ahead: 1))
    let worse = try Command.lookahead(["lab", "feed.lua", "--sessions", "40"] + gate).within(scratch).run()

    #expect(same.exitCode == 0, "\(same.errors)")
    #expect(same.lines.last?.hasSuffix("the same") == true, "\(same.output)")
    #expect(worse.exitCode == 1)
    #expect(worse.error.hasPrefix("error: --fail-if: mine is worse than baseline by "), "\(worse.errors)")
    #expect(worse.lines.last?.hasSuffix("worse") == true, "\(worse.output)")
  }

  @Test(arguments: [
    (["--seed", "2"], "expected rows of the seed 2 to compare with, got the seed 1"),
    (["--policy", "ramp"], ""),
    (["--network", "instant"], "got none of this run's rows"),
  ])
  func `another run's result is refused`(options: [String], words: String) throws {
    let scratch = try Scratch(script: policy(ahead: 40))
    _ = try scratch.lookahead("lab", "feed.lua", "--sessions", "8", "--format", "json", "-o", "then.json")

    let result = try Command.lookahead(
      ["lab", "feed.lua", "--sessions", "8", "--baseline", "then.json"] + options
    ).within(scratch).run()

    #expect(result.exitCode == (words.isEmpty ? 0 : 64))
    #expect(result.errors.contains(words) || words.isEmpty, "\(result.errors)")
    if words.isEmpty { #expect(result.output.contains("ramp: not in then.json")) }
  }

  @Test func `a result of other readers under the same name is refused`() throws {
    let scratch = try Scratch(script: policy(ahead: 40))
    let lab = ["lab", "feed.lua", "--sessions", "8", "--workload", "trace:way.csv"]
    try scratch.write("way.csv", "time,first,last\n0,0,9\n10,10,19\n")
    _ = try Command.lookahead(lab + ["--format", "json", "-o", "then.json"]).within(scratch).run()
    let same = try Command.lookahead(lab + ["--baseline", "then.json"]).within(scratch).run()
    try scratch.write("way.csv", "time,first,last\n0,0,9\n10,60,69\n")
    let other = try Command.lookahead(lab + ["--baseline", "then.json"]).within(scratch).run()

    #expect(same.exitCode == 0, "\(same.errors)")
    #expect(other.exitCode == 64)
    #expect(
      other.error.contains("expected the same readers and networks, but workload trace:way.csv has changed"),
      "\(other.errors)")
  }

  @Test func `a policy that readers leave fails the gate, however short their waits`() throws {
    let scratch = try Scratch(script: policy(ahead: 40))

    let result = try scratch.lookahead(
      "lab", "--policy", "onDemand", "--set", "pageSize=20,200", "--workload", "fling:items=500,patience=2",
      "--network", "fixed:0.1,bandwidth=20000", "--sessions", "40",
      "--fail-if", "onDemand pageSize=200 worse than onDemand pageSize=20", "--best", "stall")

    #expect(result.exitCode == 1)
    #expect(
      result.error
        == "error: --fail-if: 100.0 % more readers leave onDemand pageSize=200 than onDemand pageSize=20, "
        + "and who has left waits no more")
    #expect(result.output.contains("best by stall: onDemand pageSize=20, stall 9."), "\(result.output)")
    #expect(result.output.contains("not resolved: 100.0 % more of its readers leave"), "\(result.output)")
  }

  @Test(arguments: ["{}", "no JSON", "[1]"])
  func `a file that is no result is refused`(contents: String) throws {
    let scratch = try Scratch(script: policy(ahead: 40))
    try scratch.write("then.json", contents)

    let result = try scratch.lookahead("lab", "feed.lua", "--sessions", "8", "--baseline", "then.json")

    #expect(result.exitCode == 64)
    #expect(result.error.contains("expected what lookahead lab --format json wrote"), "\(result.errors)")
  }
}
