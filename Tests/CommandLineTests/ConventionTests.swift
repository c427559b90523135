import Testing

/// Plain `get` against the paging of APIs as their documentation has it: nothing is missing, nothing comes twice, or it says no.
@Suite(.waiting) struct ConventionTests {
  @Test(arguments: ConventionCase.runs)
  func `a list is read to its last item, or refused`(run: ConventionRun) throws {
    let result = try Command.lookahead(["get", run.url] + (run.convention.options ?? [])).run()

    let numbers = Self.numbers(result.lines)
    if result.exitCode == 0 {
      #expect(numbers == Array(1..<run.items + 1), "\(result.errors)")
      #expect(run.expected != .refused)
    } else {
      #expect(run.expected != .all, "\(result.errors)")
      #expect([1, 65].contains(result.exitCode), "\(result.errors)")
      #expect(Self.isSaid(result), "\(result.errors)")
      #expect(numbers == Array(1..<numbers.count + 1))
    }
  }

  @Test(arguments: ConventionCase.runs.filter { [.plain, .exact].contains($0.variation) })
  func `the script that a list stands for reads it to its last item, or refuses`(run: ConventionRun) throws {
    let arguments = ["get", run.marked("script").url, "--as-script"] + (run.convention.options ?? [])
    let told = try Command.lookahead(arguments).run()
    let scratch = try Scratch(script: told.output)

    let result = told.exitCode == 0 ? try scratch.lookahead("run", "feed.lua", "--allow-net=127.0.0.1") : told

    let numbers = Self.numbers(result.lines)
    #expect(run.expected != .all || result.exitCode == 0, "\(result.errors)")
    #expect(result.exitCode != 0 || numbers == Array(1..<run.items + 1), "\(result.errors)")
    #expect([0, 1, 65].contains(result.exitCode), "\(result.errors)")
    #expect(result.exitCode == 0 || Self.isSaid(result), "\(result.errors)")
  }

  @Test func `every convention of the server has a case`() throws {
    let result = try Command("/usr/bin/env", ["python3", "Tests/Servers/api_server.py", "--list"]).run()
    let served = try #require(json(result.output) as? [[String: String]])

    #expect(served.count >= 24)
    #expect(Set(served.compactMap { $0["name"] }) == Set(ConventionCase.runs.map(\.convention.name)))
    #expect(served.allSatisfy { $0["documentation"]?.hasPrefix("https://") == true })
  }

  /// Whether a refusal is one, and no slip of what looks at answers.
  private static func isSaid(_ result: CommandResult) -> Bool {
    result.error.hasPrefix("error: ")
      && ["attempt to", "bad argument", "stack traceback"].allSatisfy { !result.error.contains($0) }
  }

  /// The numbers of the items on lines; a line that is not of one item counts as none.
  private static func numbers(_ lines: [String]) -> [Int] {
    lines.map { line in
      let found = line.matches(of: /nr-(\d{4})/)
      return found.count == 1 ? Int(found[0].1) ?? 0 : 0
    }
  }
}
