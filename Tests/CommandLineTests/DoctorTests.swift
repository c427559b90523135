import Foundation
import Testing

@Suite(.waiting) struct DoctorTests {
  private struct Finding: Decodable {
    let name: String
    let state: String
    let text: String
  }

  @Test
  func `doctor says what the machine gives, and ends with 1 when something that holds scripts is missing`()
    throws
  {
    let result = try Command.lookahead(["doctor", "--format", "json"]).run()

    let findings = try JSONDecoder().decode([Finding].self, from: Data(result.output.utf8))
    #expect(
      findings.map(\.name) == [
        "landlock", "seccomp", "no_new_privs", "cage", "tls roots", "http", "sqlite", "terminal", "locale",
      ])
    #expect(findings.allSatisfy { !$0.text.isEmpty })
    #expect(result.exitCode == (findings.contains { $0.state == "missing" } ? 1 : 0))
  }

  @Test func `doctor's table has a line for each finding`() throws {
    let result = try Command.lookahead(["doctor"]).run()

    #expect(result.lines.count == 9)
    #expect(result.lines[0].hasPrefix("landlock      "))
  }

  @Test func `a cage that is left out is missing`() throws {
    var command = Command.lookahead(["doctor"])
    command.environment = ["LOOKAHEAD_CAGE": "off"]

    let result = try command.run()

    #expect(result.exitCode == 1)
    #expect(result.output.contains("left out: LOOKAHEAD_CAGE is off"))
  }
}
