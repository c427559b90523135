import Foundation
import Testing

/// Folders, patterns and shares of traces on the command line and in scripts.
@Suite(.waiting) struct LabPopulationTests {
  private func scratch(
    _ script: String = "return lookahead.policy { name = 'p', shouldBatchFetch = function() return true end }"
  )
    throws -> Scratch
  {
    let scratch = try Scratch(script: script)
    for reader in 1...4 {
      let rows = (0...reader).map { "\($0 * 900),\($0 * 10),\($0 * 10 + 6)\n" }.joined()
      try scratch.write("readers/\(reader % 2)/r\(reader).csv", "t_ms,first,last\n" + rows)
      try scratch.write("nets/\(reader).txt", "0.\(reader)\n")
    }
    try scratch.write("readers/.hidden", "no trace")
    try scratch.write("nets/readme.md", "no network")
    return scratch
  }

  private struct Met: Decodable, Hashable {
    let reader: String?
    let trace: String?
  }

  private struct Result: Decodable {
    let sessions: [Met]
    let rows: [Row]
  }

  private struct Row: Decodable { let policy: String }

  private func met(_ scratch: Scratch, _ options: [String]) throws -> [Met] {
    let result = try Command.lookahead(["lab"] + options + ["--format", "json"]).within(scratch).run()
    #expect(result.exitCode == 0, "\(result.errors)")
    let found = try JSONDecoder().decode(Result.self, from: Data(result.output.utf8))
    return Array(found.sessions.prefix(found.sessions.count / max(1, found.rows.count)))
  }

  @Test func `a folder is all its traces, a pattern those that match, and both are crossed`() throws {
    let met = try met(
      try scratch(),
      [
        "--workload", "trace:readers", "--network", "measured:nets/*.txt", "--policy", "ramp", "--sessions",
        "16",
      ])

    #expect(Set(met).count == 16)
    #expect(
      Set(met.map(\.reader)) == [
        "readers/0/r2.csv", "readers/0/r4.csv", "readers/1/r1.csv", "readers/1/r3.csv",
      ])
    #expect(Set(met.map(\.trace)) == ["nets/1.txt", "nets/2.txt", "nets/3.txt", "nets/4.txt"])
  }

  @Test func `shares of a mixture are met`() throws {
    let met = try met(
      try scratch(),
      ["--workload", "3 fling:flings=2 + 1 trace:readers", "--policy", "ramp", "--sessions", "16"])

    #expect(met.count { $0.reader == nil } == 12)
    #expect(Set(met.compactMap(\.reader)).count == 4)
  }

  @Test(arguments: ["readers/0", "readers/0/"])
  func `a script's folder is read, from the lab and from a run`(folder: String) throws {
    let experiment = """
      lookahead.experiment { policies = "ramp", sessions = 8,
        workloads = lookahead.workload { kind = "trace", file = "\(folder)" }, networks = "measured:nets/3.txt" }
      """
    let declared = try met(try scratch("return " + experiment), ["feed.lua"])
    let run = try Command.lookahead(["run", "feed.lua", "--allow-read=."]).within(
      try scratch(
        """
        for _, session in ipairs(lookahead.lab.run(\(experiment)).sessions) do
          if session.policy == "ramp" then lookahead.emit { reader = session.reader } end
        end
        """)
    ).run()

    #expect(Set(declared.map(\.reader)) == ["readers/0/r2.csv", "readers/0/r4.csv"])
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(run.lines.count == 8)
    #expect(Set(run.lines) == [#"{"reader":"readers/0/r2.csv"}"#, #"{"reader":"readers/0/r4.csv"}"#])
  }

  @Test func `a verdict of one recorded reader says so, wherever it is given`() throws {
    let scratch = try scratch()
    let rows = (0...9).map { "\($0 * 400),\($0 * 10),\($0 * 10 + 6)\n" }.joined()
    try scratch.write("one.csv", "t_ms,first,last\n" + rows)
    func lab(_ workload: String) throws -> CommandResult {
      try scratch.lookahead(
        "lab", "--policy", "onDemand", "--policy", "leadingScreens(1)", "--workload", workload, "--network",
        "fixed:0.1", "--sessions", "40", "--best", "stall", "--fail-if",
        "onDemand worse than leadingScreens(1) by 0.05")
    }

    let (one, several) = (try lab("trace:one.csv"), try lab("trace:readers"))

    #expect(one.exitCode == 1)
    #expect(one.error.hasSuffix(" in stall, of one reader, not at most 0.05"), "\(one.errors)")
    #expect(one.output.contains("; one recorded reader: this says nothing of others\n"), "\(one.output)")
    #expect(one.lines.last?.hasSuffix(", of one reader") == true, "\(one.output)")
    #expect(!several.output.contains("one reader") && !several.output.contains("one recorded reader"))
    #expect(!several.errors.contains("one reader"), "\(several.errors)")
  }

  @Test(arguments: [
    (
      ["--network", "measured:nets"], 64,
      "network 'measured:nets': nets/readme.md: line 1: expected seconds from 0 on"
    ),
    (["--network", "measured:nets/*.csv"], 66, "can't read nets/*.csv: there is no file in it"),
    (["--workload", "trace:nowhere"], 66, "can't read nowhere"),
    (
      ["--workload", "2 fling + jumper"], 64,
      "expected WEIGHT WORLD + WEIGHT WORLD, as 3 fling + 1 jumper, got jumper"
    ),
    (
      ["--workload", "trace:readers", "--network", "measured:nets/1.txt", "--paired"], 64,
      "got 4 readers and 1 network"
    ),
    (
      ["--workload", "trace:readers", "--holdout", "0.5"], 64,
      "expected at least 6 readers to choose on and to check on"
    ),
    (
      ["--workload", "trace:readers/1/r1.csv,edge=stops"], 64,
      "edge: expected resumes, as such a reader does not fling, got stops"
    ),
    (["--workload", "fling:patience=0"], 64, "patience: expected a number from 0.001"),
    (["--network", "fixed:1,sharing=some"], 64, "sharing: expected fair or queue, got some"),
    (["--together"], 64, "--together: expected several sources to read at once, got one"),
    (["--network", "fixed:1,cache=2"], 64, "cache: expected a number from 0 to 1"),
  ])
  func `what can't be read or met is said`(options: [String], code: Int32, words: String) throws {
    let result = try Command.lookahead(["lab", "--policy", "ramp"] + options).within(try scratch()).run()

    #expect(result.exitCode == code)
    #expect(result.errors.contains(words), "\(result.errors)")
  }
}
