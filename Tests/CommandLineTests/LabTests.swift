import Testing

/// What the lab says when something is wrong.
@Suite struct LabTests {
  @Test(arguments: [
    (["--set", "x"], 64, "error: --set x: expected NAME=A,B,C or NAME=LOW..HIGH[:STEP], got x"),
    (["--set", "factor=3..1"], 64, "error: --set factor=3..1: expected a high end above the low one"),
    (["--set", "items=5", "--policy", "onDemand"], 64, "error: --set items: expected one of pageSize,"),
    (["--workload", "fling:spede=1"], 64, "error: workload 'fling:spede=1': fling.spede: expected one of"),
    (["--workload", "fling:speed=-5"], 64, "expected a number from 1 to 100000, got -5"),
    (["--workload", "trace:nofile"], 66, "error: can't read nofile: no such file or directory"),
    (["--policy", "nope"], 64, "error: --policy nope: unknown policy"),
    (["--policy", "missing.lua"], 66, "error: can't read the script missing.lua: no such file"),
    (["--sort", "nope"], 64, "error: --sort nope: expected one of policy, stall,"),
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

  @Test func `a policy that fails is told once, however many threads ask it`() throws {
    let scratch = try Scratch(
      script: """
        return lookahead.policy { name = "bad", shouldBatchFetch = function(view) return view.nosuch + 1 end }
        """)

    let result = try scratch.lookahead("lab", "feed.lua", "--sessions", "8", "--jobs", "4")

    #expect(result.exitCode == 0)
    #expect(result.errors.ranges(of: "warn: policy 'bad': the policy failed: feed.lua:1:").count == 1)
    #expect(result.output.contains("\nbad "))
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
}
