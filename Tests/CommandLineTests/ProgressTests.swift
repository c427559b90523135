import Foundation
import Testing

/// What a run draws on a terminal; a pseudo-terminal stands for one.
@Suite struct ProgressTests {
  private static let clear = "\r\u{1B}[K"

  /// Runs on a terminal, which only sees standard error.
  private func terminal(
    _ arguments: String, script: String = Scripts.numbers, environment: [String: String] = [:]
  ) throws -> CommandResult {
    let line = "\(Repository.binary) run feed.lua \(arguments) > out.ndjson"
    var command = Command("/usr/bin/env", ["script", "-qec", line, "/dev/null"])
    command.environment = ["TERM": "xterm"].merging(environment) { $1 }
    return try command.within(Scratch(script: script)).run()
  }

  @Test func `progress says how far it is and how long it takes, and leaves a clean line`() throws {
    let result = try terminal("--param wait=0.1 -j 1")

    #expect(result.exitCode == 0)
    #expect(result.output.contains(" of 1,000 items · "))
    #expect(result.output.contains(" in flight"))
    #expect(result.output.contains(" s left"))
    let last = try #require(result.output.split(separator: "\r\n").last)
    let end = try #require(last.range(of: Self.clear, options: .backwards))
    #expect(String(last[end.upperBound...]).isSummary)
  }

  @Test func `progress says why it waits`() throws {
    let base = Server.faults.base(run: "progress", "items=1000/every_429=6/retry_after=1")

    let result = try terminal("--param base=\(base) --allow-net -j 1", script: Scripts.pages)

    #expect(result.output.contains("waiting 1.00 s: \(Server.faults.address) asked for it"))
    #expect(result.output.contains("1 retry"))
  }

  @Test(arguments: ["--progress never", "--quiet"])
  func `progress can be turned off`(option: String) throws {
    let result = try terminal("--param wait=0.1 \(option)")

    #expect(!result.output.contains("\u{1B}"))
    #expect(!result.output.contains("in flight"))
  }

  @Test func `a dumb terminal sees no control codes`() throws {
    let result = try terminal("--param wait=0.1", environment: ["TERM": "dumb", "NO_COLOR": "1"])

    #expect(!result.output.contains("\u{1B}"))
  }

  @Test func `no colour is drawn where it is not wanted`() throws {
    let result = try terminal("--param wait=0.1", environment: ["NO_COLOR": "1"])

    #expect(result.output.firstMatch(of: /\e\[[0-9;]*m/) == nil)
  }

  @Test func `progress into a file is a line now and then`() throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let result = try scratch.lookahead(
      "run", "feed.lua", "--param", "wait=0.1", "-j", "1", "--progress", "always")
    let auto = try scratch.lookahead("run", "feed.lua", "--param", "wait=0.1", "-j", "1")

    #expect(!result.errors.contains("\u{1B}"))
    #expect(result.errors.split(separator: "\n").filter { $0.contains(" in flight") }.count == 1)
    #expect(!auto.errors.contains(" in flight"))
  }
}
