import Testing

/// Names on the command line: a slip is told the name that was meant.
@Suite(.waiting) struct CheckedNameTests {
  @Test(arguments: [
    (["lab", "--policy", "rmap"], "error: --policy rmap: unknown policy \"rmap\" (did you mean 'ramp'?)"),
    (["lab", "--policy", "ramp", "--workload", "flnig"], "got flnig (did you mean 'fling'?)"),
    (["lab", "--policy", "ramp", "--network", "fixd:0.2"], "got fixd (did you mean 'fixed'?)"),
    (["browse", "feed.lua", "--policy", "leadingscreen(2)"], "(did you mean 'leadingScreens'?)"),
    (
      ["run", "feed.lua", "--source", "nubmers"],
      "error: --source nubmers: there is no such source (did you mean 'numbers'?)"
    ),
    (
      ["run", "feed.lua", "-e", "waait=1"],
      "error: --param waait: the script has no such parameter (did you mean 'wait'?)"
    ),
    (["run", "feed.lua", "--source", "x"], "error: --source x: there is no such source (known: numbers)"),
  ])
  func `a slip in a name is told what was meant`(arguments: [String], error: String) throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let result = try Command.lookahead(arguments).within(scratch).run()

    #expect(result.exitCode == 64)
    #expect(result.errors.contains(error), "\(result.errors)")
    #expect(result.output == "")
  }

  @Test func `a slip in the name of a policy is told at run time, too`() throws {
    let result = try Scratch(script: "print(lookahead.policy.rmap)").lookahead("run", "feed.lua")

    #expect(result.exitCode == 65)
    #expect(
      result.error == "error: feed.lua:1: lookahead.policy: unknown policy 'rmap' (did you mean 'ramp'?)")
  }
}
