import Foundation
import TestSupport
import Testing

@Suite(.waiting) struct CheckFuzzTests {
  private static let seeds: [UInt64] = (1...4).map { $0 &* 7919 }

  @Test(arguments: seeds)
  func `nothing is said of scripts that are right`(seed: UInt64) throws {
    let scratch = try Scratch()
    let names = (0..<16).map { "s\($0).lua" }
    for (number, name) in names.enumerated() {
      try scratch.write(name, RandomScript(seed: seed + UInt64(number)).text)
    }

    let result = try Command.lookahead(["check", "--strict"] + names).within(scratch).run()

    #expect(result.exitCode == 0, "seed \(seed)")
    #expect(result.errors == "", "seed \(seed)")
    #expect(result.lines == names.map { "\($0): ok" }, "seed \(seed)")
  }

  @Test(arguments: seeds)
  func `one mistake in a script is found, and nothing else`(seed: UInt64) throws {
    let scratch = try Scratch()
    var random = SeededGenerator(seed: seed)
    var expected: [String] = []
    let names = (0..<16).map { "s\($0).lua" }
    for (number, name) in names.enumerated() {
      var lines = RandomScript(seed: seed + UInt64(number)).lines
      let slots = lines.indices.filter { lines[$0].hasSuffix(RandomScript.slot) }
      let slot = try #require(slots.randomElement(using: &random))
      let mistake = try #require(Self.mistakes.randomElement(using: &random))
      let column = lines[slot].count - RandomScript.slot.count + mistake.column
      lines[slot] = lines[slot].replacing(RandomScript.slot, with: mistake.text)
      try scratch.write(name, lines.joined(separator: "\n"))
      expected.append("\(name):\(slot + 1):\(column) \(mistake.rule)")
    }

    let result = try Command.lookahead(["check", "--format", "json"] + names).within(scratch).run()

    let findings = try JSONDecoder().decode([CheckFinding].self, from: Data(result.output.utf8))
    #expect(
      findings.map { "\($0.file):\($0.line):\($0.column ?? 0) \($0.rule)" } == expected, "seed \(seed)")
    #expect(result.exitCode == 65, "seed \(seed)")
  }

  /// Statements that are wrong anywhere, with the column of what is wrong.
  private static let mistakes: [(text: String, column: Int, rule: String)] = [
    ("undeclared = keep", 1, "globalWrite"), ("keep(undeclared)", 6, "unknownGlobal"),
    ("keep(1 + undeclared.field)", 10, "unknownGlobal"), ("keep(string.fromat('x'))", 13, "unknownField"),
    ("lookahead.htpp.get('x')", 11, "unknownField"),
    ("keep(lookahead.http.get('x', { qurey = {} }))", 32, "unknownKey"),
    ("local unread = keep", 7, "unusedLocal"), ("keep { twice = 1, twice = 2 }", 8, "uselessKey"),
    ("local function lonely() return lonely() end", 16, "unusedLocal"),
  ]
}
