import Testing

/// What the lab says when something is wrong.
@Suite(.waiting) struct LabTests {
  @Test(arguments: [
    (["--set", "x"], 64, "error: --set x: expected NAME=A,B,C or NAME=LOW..HIGH[:STEP], got x"),
    (["--set", "factor=3..1"], 64, "error: --set factor=3..1: expected a high end above the low one"),
    (["--set", "items=5", "--policy", "onDemand"], 64, "error: --set items: expected one of pageSize,"),
    (
      ["--workload", "fling:spede=1"], 64, "error: workload 'fling:spede=1': expected one of flings, reverse,"
    ),
    (["--workload", "fling,patienceSigma=0.5"], 64, "got fling,patienceSigma=0.5"),
    (["--workload", "flng"], 64, "error: workload 'flng': expected one of fling, reader,"),
    (["--workload", "fling:speed=-5"], 64, "expected a number from 1 to 100000, got -5"),
    (["--workload", "trace:nofile"], 66, "error: can't read nofile: no such file or directory"),
    (["--policy", "nope"], 64, "error: --policy nope: unknown policy"),
    (["--policy", "missing.lua"], 66, "error: can't read the script missing.lua: no such file"),
    (["--baseline", "nope"], 64, "expected one of 'leadingScreens(2)', 'onDemand', got nope"),
    (["--tune", "stall", "--policy", "ramp"], 64, "error: --tune stall: there is nothing to choose among"),
    (["--trace", "t.jsonl"], 64, "error: --trace: expected with --replay"),
    (["--replay", "r.jsonl", "--set", "x=1"], 64, "error: --sessions: not with --replay"),
    (["--holdout", "-0.5"], 64, "error: --holdout -0.5: expected 0 up to"),
    (["--report", "a.txt", "-o", "a.txt"], 64, "error: --report a.txt: expected another file"),
    (["-o", "no/such/folder.txt"], 73, "error: can't write no/such/folder.txt: no such file or directory"),
    (["--report", "no/lab.html"], 73, "error: can't write no/lab.html: no such file or directory"),
    (["--sort", "nope"], 64, "error: --sort nope: expected one of policy, stall,"),
    (["--fail-if", "onDemand is bad"], 64, "expected POLICY worse than POLICY [by AMOUNT] [in METRIC]"),
    (
      ["--fail-if", "onDemand worse than nope"], 64,
      "error: --fail-if: expected one of 'leadingScreens(2)', 'onDemand', got nope"
    ),
    (["--fail-if", "onDemand worse than leadingScreens(2) by x"], 64, "expected an amount of zero or more"),
    (["--fail-if", "onDemand worse than leadingScreens(2) in x"], 64, "expected one of stall, stalls"),
    (["--cost", "waste"], 64, "error: --cost waste: expected NAME=COST, as waste=0.01, got waste"),
    (
      ["--cost", "bites=1"], 64,
      "error: costs: expected stall, event, request, waste, memory, bytes, energy or left, got bites"
    ),
    (["--margin", "-1"], 64, "expected 0 or more"),
    (
      ["--holdout", "0.5"], 64,
      "error: --holdout 0.5: expected at least 6 sessions to choose on and to check on"
    ),
    (["--holdout", "2"], 64, "error: --holdout 2.0: expected 0 up to, but not, 1"),
  ])
  func `what is wrong with the command line is said`(arguments: [String], code: Int32, error: String) throws {
    let scratch = try Scratch()

    let result = try Command.lookahead(["lab", "--sessions", "2"] + arguments).within(scratch).run()

    #expect(result.exitCode == code)
    #expect(result.errors.contains(error), "\(result.errors)")
    #expect(result.output == "")
  }

  @Test(arguments: [
    (
      "onDemand worse than leadingScreens(2) by 0.5", 1,
      "error: --fail-if: onDemand is worse than leadingScreens(2) by "
    ),
    ("leadingScreens(2) worse than onDemand", 0, ""),
    ("onDemand worse than leadingScreens(2) by 1 in requests", 0, ""),
    (
      "onDemand worse than leadingScreens(2) by 3", 0,
      "warning: --fail-if: not resolved whether onDemand is worse"
    ),
  ])
  func `a gate fails only beyond doubt, with one line why`(condition: String, code: Int32, line: String)
    throws
  {
    let result = try Scratch().lookahead("lab", "--sessions", "60", "--fail-if", condition)

    #expect(result.exitCode == code)
    #expect(line.isEmpty ? result.errors == "" : result.errors.hasPrefix(line), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == (line.isEmpty ? 0 : 1))
  }

  @Test func `a gate that is not resolved says the whole interval`() throws {
    let result = try Scratch().lookahead(
      "lab", "--sessions", "20", "--policy", "prefetchDistance", "--set", "pageSize=20,21", "--fail-if",
      "prefetchDistance pageSize=20 worse than prefetchDistance pageSize=21")

    #expect(result.exitCode == 0)
    #expect(result.output.contains("differ by 0.003 s a session (95 % −0.002…0.011)"))
    #expect(result.errors.contains("by 0: 0.003 (95 % −0.002…0.011) in stall"), "\(result.errors)")
  }

  @Test(arguments: [
    ("error(\"boom\")", "error: feed.lua:1: boom"),
    ("local x = 1", "error: feed.lua: the lab cannot use what the script returned (expected a source,"),
    ("return lookahead.experiment { polices = {} }", "unknown key 'polices' (did you mean 'policies'?)"),
    ("lookahead.sleep(1)", "error: feed.lua:1: lookahead.sleep waits while it is loaded"),
  ])
  func `what is wrong with a script is said once`(script: String, error: String) throws {
    let result = try Scratch(script: script).lookahead("lab", "feed.lua", "--jobs", "4")

    #expect(result.exitCode == 65)
    #expect(result.errors.ranges(of: error).count == 1, "\(result.errors)")
  }

  @Test(arguments: ["1", "4"])
  func `a policy that fails has a failed row in every format, and no numbers`(jobs: String) throws {
    let scratch = try Scratch(
      script: """
        return lookahead.policy { name = "bad", shouldBatchFetch = function(view) return view.nosuch + 1 end }
        """)

    let failure = "session 0: the policy failed: feed.lua:1: the view has no field 'nosuch'"
    let shown = [
      "table": "bad: failed: \(failure)", "csv": ",bad,all,,failure,\(failure)\n",
      "json": "\"policy\":\"bad\"",
    ]

    for (format, row) in shown {
      let result = try scratch.lookahead(
        "lab", "feed.lua", "--policy", "onDemand", "--sessions", "8", "--jobs", jobs, "--format", format,
        "--report", "page.html")

      #expect(result.exitCode == 1)
      #expect(result.errors.contains("warn:") == false)
      #expect(result.output.contains(row), "\(result.output)")
      #expect(result.output.ranges(of: "the view has no field").count == 1, "\(result.output)")
      #expect(!result.output.contains("bad is best") && !result.output.contains(",bad,all,0,"))
      #expect(try scratch.text("page.html").contains("failed: session 0: the policy failed: feed.lua:1:"))
    }
  }

  @Test func `an experiment keeps its title, and others have their file's name`() throws {
    let scratch = try Scratch(
      script: "return lookahead.experiment { title = \"mine\", policies = \"onDemand\" }")
    try scratch.write(
      "plain.lua", "return lookahead.policy { shouldBatchFetch = function() return true end }")

    let titled = try scratch.lookahead("lab", "feed.lua", "--sessions", "2")
    let plain = try scratch.lookahead("lab", "plain.lua", "--sessions", "2")

    #expect(titled.output.hasPrefix("mine: 2 sessions a row, seed 1\n"))
    #expect(plain.output.hasPrefix("plain.lua: 2 sessions a row, seed 1\n"))
  }

  @Test func `sessions below one are refused by their number`() throws {
    let result = try Scratch().lookahead("lab", "--sessions", "-3")

    #expect(result.exitCode == 64)
    #expect(result.errors.hasPrefix("error: --sessions -3: expected 1 or more"))
  }

  @Test func `a file that can't be written is said before anything is simulated`() throws {
    let scratch = try Scratch(
      script: """
        return lookahead.policy { shouldBatchFetch = function() lookahead.log.warn("asked") return true end }
        """)

    let result = try scratch.lookahead("lab", "feed.lua", "--sessions", "2", "--report", "no/lab.html")

    #expect(result.exitCode == 73)
    #expect(!result.errors.contains("asked"))
    #expect(result.output == "")
  }

  @Test func `an experiment that fails leaves its old output as it was, and no empty file`() throws {
    let scratch = try Scratch()
    try scratch.write("old.txt", "precious")

    let result = try scratch.lookahead(
      "lab", "--set", "nosuch=1,2", "-o", "old.txt", "--report", "new.html")

    #expect(result.exitCode == 64)
    #expect(try scratch.text("old.txt") == "precious")
    #expect(!scratch.has("new.html"))
  }

  @Test func `a recording beside the script is found, a missing one is an input that is not there`() throws {
    let scratch = try Scratch(
      script: "return lookahead.workload { kind = \"trace\", file = \"monday.csv\" }")
    try scratch.write("away.lua", "return lookahead.network { latency = { file = \"../net.json\" } }")

    let missing = try scratch.lookahead("lab", "feed.lua", "--sessions", "1")
    try scratch.write("monday.csv", "t_ms,first,last\n0,0,6\n1000,30,36\n")
    let found = try scratch.lookahead("lab", "feed.lua", "--sessions", "1")
    let away = try scratch.lookahead("lab", "away.lua", "--sessions", "1")

    #expect(missing.exitCode == 66)
    #expect(missing.errors.hasPrefix("error: feed.lua: can't read monday.csv: no such file or directory"))
    #expect(found.exitCode == 0, "\(found.errors)")
    #expect(away.exitCode == 77)
    #expect(away.errors.contains("is not below the script's folder"))
  }
}
