import Testing

/// Policies and sources of one name, from several files: an old version of a policy and its edited copy, say.
@Suite(.waiting) struct LabNameTests {
  private func policy(_ name: String, items: Int) -> String {
    """
    return lookahead.policy {
      name = "\(name)", shouldBatchFetch = function(view) return view.remainingItems < \(items) end,
    }
    """
  }

  private func scratch() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write("old.lua", policy("mine", items: 1))
    try scratch.write("new.lua", policy("mine", items: 40))
    return scratch
  }

  @Test func `policies of one name are told apart by their files, and compared as any others`() throws {
    let scratch = try scratch()

    let result = try scratch.lookahead(
      "lab", "old.lua", "new.lua", "--policy", "leadingScreens(2)", "--sessions", "50", "--quiet")

    let rows = try #require(LabTable.all(in: result.output).first).rows
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(
      rows.filter { !$0.isOracle }.map(\.policy) == ["mine (old.lua)", "mine (new.lua)", "leadingScreens(2)"])
    #expect(result.output.ranges(of: "baseline").count == 1)
    #expect(result.output.contains("\nmine (new.lua) is better than mine (old.lua) by "))

    // The same as two policies of other names.
    try scratch.write("other.lua", policy("other", items: 40))
    let named = try scratch.lookahead(
      "lab", "old.lua", "other.lua", "--policy", "leadingScreens(2)", "--sessions", "50", "--quiet")
    let others = try #require(LabTable.all(in: named.output).first).rows
    #expect(rows.map(\.figures) == others.map(\.figures))
  }

  @Test func `a gate and a baseline name one of them by its file`() throws {
    let scratch = try scratch()
    func run(_ arguments: String...) throws -> CommandResult {
      try Command.lookahead(["lab", "old.lua", "new.lua", "--sessions", "50", "--quiet"] + arguments)
        .within(scratch).run()
    }

    let gate = try run("--fail-if", "mine (old.lua) worse than mine (new.lua) by 0.5")
    let based = try run("--baseline", "mine (new.lua)")
    let either = try run("--baseline", "mine")

    #expect(gate.exitCode == 1)
    #expect(gate.errors.hasPrefix("error: --fail-if: mine (old.lua) is worse than mine (new.lua) by "))
    #expect(based.output.contains("against mine (new.lua)"))
    #expect(either.exitCode == 64)
    #expect(
      either.errors
        == "error: --baseline: expected one of 'mine (old.lua)', 'mine (new.lua)', got mine\n")
  }

  @Test func `sources of one name are told apart by their files`() throws {
    let scratch = try Scratch()
    for (file, size) in [("small.lua", 10), ("large.lua", 50)] {
      try scratch.write(file, "return lookahead.source { name = 'feed', pageSize = \(size) }")
    }

    let result = try scratch.lookahead(
      "lab", "small.lua", "large.lua", "--policy", "onDemand", "--sessions", "8", "--quiet", "--format", "csv"
    )

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.output.contains(",feed (small.lua),") && result.output.contains(",feed (large.lua),"))
  }

  @Test func `a source's own policy is told apart from one of its name`() throws {
    let scratch = try Scratch(
      script: "return lookahead.source { name = 'feed', policy = lookahead.policy.leadingScreens(3) }")

    let result = try scratch.lookahead(
      "lab", "feed.lua", "--policy", "leadingScreens(3)", "--sessions", "8", "--quiet")

    let rows = try #require(LabTable.all(in: result.output).first).rows
    #expect(rows.filter { !$0.isOracle }.map(\.policy) == ["leadingScreens(3)", "leadingScreens(3) (own)"])
  }

  @Test(arguments: [
    (["--policy", "onDemand", "--policy", "onDemand"], "policies", "onDemand"),
    (["old.lua", "old.lua"], "policies", "mine (old.lua)"),
    (["--workload", "fling", "--workload", "fling"], "workloads", "fling"),
    (["--network", "instant", "--network", "instant"], "networks", "instant"),
  ])
  func `what cannot be told apart is refused`(arguments: [String], kind: String, name: String) throws {
    let result = try Command.lookahead(["lab", "--sessions", "2"] + arguments).within(try scratch()).run()

    #expect(result.exitCode == 64)
    #expect(
      result.errors.hasPrefix("error: \(kind): expected a name of its own for each, got two called '\(name)'")
    )
    #expect(result.output == "")
  }
}
