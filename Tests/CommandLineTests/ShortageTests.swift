import Testing

/// Machines and containers that have no thread more. The room for stacks stands for it, which holds for root, too.
@Suite(.waiting) struct ShortageTests {
  private static let noThreads = "ulimit -s 4000000; ulimit -v 3000000"

  @Test(arguments: ["", "-o out.db", "-o all/ --parts"])
  func `a run without threads says what is missing`(output: String) throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let result = try scratch.shell("\(Self.noThreads); lookahead run feed.lua \(output); echo $?")

    #expect(result.lines == ["73"], "\(result.output)")
    #expect(result.errors.contains("error: the system has no thread for "), "\(result.errors)")
    #expect(result.errors.contains("(see ulimit -u"), "\(result.errors)")
  }

  @Test func `it is said as JSON where all is`() throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let result = try scratch.shell("\(Self.noThreads); lookahead run feed.lua --log-format json")

    let line = object(result.errors)
    #expect(result.exitCode == 73)
    #expect(line["level"] as? String == "error", "\(result.errors)")
    #expect((line["message"] as? String)?.hasPrefix("the system has no thread for ") == true)
  }

  @Test func `a lab without threads takes its own, and brings the same`() throws {
    let lab = "lookahead lab --sessions 2 --quiet --format json"

    let result = try Scratch().shell("\(lab) --jobs 1 | cksum; (\(Self.noThreads); \(lab) --jobs 4 | cksum)")

    #expect(result.lines.count == 2 && Set(result.lines).count == 1, "\(result.output) \(result.errors)")
  }
}
