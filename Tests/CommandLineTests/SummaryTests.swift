import Testing

/// What `--summary` says of how a run ended.
@Suite(.waiting) struct SummaryTests {
  @Test(arguments: ["--report", "--trace", "--record"])
  func `the summary has the exit code of a run whose other files can't be written`(option: String) throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let result = try scratch.lookahead(
      "run", "feed.lua", "-o", "out.ndjson", "--summary", "sum.json", option, "/dev/full")

    let summary = object(try scratch.text("sum.json"))
    #expect(result.exitCode == 73, "\(result.errors)")
    #expect(summary["exitCode"] as? Int == 73)
    #expect(summary["complete"] as? Bool == false)
    #expect(summary["items"] as? Int == 1000)
  }

  @Test func `the summary has the exit code of a run whose standard output is full`() throws {
    let scratch = try Scratch(script: Scripts.asking)

    let result = try scratch.shell(
      "lookahead run feed.lua --allow-net --dry-run --summary sum.json > /dev/full; echo $?; cat sum.json")

    #expect(result.lines.first == "73", "\(result.errors)")
    #expect(result.output.contains(#""exitCode":73"#), "\(result.output)")
  }

  @Test(arguments: [Scripts.numbers, Scripts.asking])
  func `a dry run is no complete one`(script: String) throws {
    let scratch = try Scratch(script: script)

    let result = try scratch.lookahead("run", "feed.lua", "--dry-run", "--allow-net", "--summary", "sum.json")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(object(try scratch.text("sum.json"))["complete"] as? Bool == false)
  }
}
