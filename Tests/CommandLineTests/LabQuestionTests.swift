import Testing

/// `--best`: which policy is best within limits.
@Suite(.waiting) struct LabQuestionTests {
  private func lab(_ options: [String]) throws -> CommandResult {
    let scratch = try Scratch(script: "")
    return try Command.lookahead(
      ["lab", "--policy", "prefetchDistance", "--set", "items=1,20,60,200", "--sessions", "60"] + options
    ).within(scratch).run()
  }

  @Test func `the best is the one with the least stall that keeps the limit`() throws {
    let free = try lab(["--best", "stall"])
    let limited = try lab(["--best", "stall where waste <= 15"])
    let two = try lab(["--best", "waste where stall <= 0.6 and requests >= 1"])

    #expect(free.exitCode == 0, "\(free.errors)")
    #expect(free.lines.last?.hasPrefix("best by stall: prefetchDistance items=") == true, "\(free.output)")
    #expect(limited.exitCode == 0)
    #expect(
      limited.lines.last?.hasPrefix("best by stall where waste <= 15: prefetchDistance items=1, stall ")
        == true,
      "\(limited.output)")
    #expect(two.exitCode == 0)
    #expect(two.lines.last?.contains(": prefetchDistance items=20, waste ") == true, "\(two.output)")
  }

  @Test func `where no policy keeps a limit, the nearest is named and the command fails`() throws {
    let result = try lab(["--best", "stall where waste <= 1", "--format", "json"])

    #expect(result.exitCode == 1)
    #expect(
      result.errors.hasPrefix(
        "best by stall where waste <= 1: no policy has waste <= 1: the nearest is prefetchDistance items=1, waste "
      ),
      "\(result.errors)")
  }

  @Test(arguments: [
    ("stal", "expected one of stall, stalls"), ("stall where wast <= 3", "expected one of stall"),
    ("stall where waste < 3", "expected METRIC [where METRIC <= NUMBER"), ("", "got nothing"),
    ("stall where waste <= many", "got 'waste <= many'"), ("stall where ", "got nothing"),
  ])
  func `a question that is none is refused`(question: String, words: String) throws {
    let result = try lab(["--best", question])

    #expect(result.exitCode == 64)
    #expect(result.errors.contains(words), "\(result.errors)")
  }
}
