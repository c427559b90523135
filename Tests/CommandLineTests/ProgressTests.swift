import Foundation
import Testing

/// What a run draws on a terminal; a pseudo-terminal stands for one.
@Suite(.waiting) struct ProgressTests {
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

    #expect(result.output.contains("waiting 1 s: \(Server.faults.address) asked for it"))
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

  @Test(arguments: [40, 60])
  func `progress wraps on no terminal`(columns: UInt16) throws {
    let scratch = try Scratch(script: Scripts.numbers)
    let terminal = try PseudoTerminal(
      ["run", "feed.lua", "--param", "wait=0.1", "-j", "1", "-o", "out.ndjson"], folder: scratch.path,
      columns: columns)

    #expect(terminal.end() == 0)

    let drawn = String(decoding: terminal.output, as: UTF8.self).components(separatedBy: Self.clear)
    let lines = drawn.filter { $0.contains("items ·") || $0.contains(" of 1,000 items") }
    #expect(!lines.isEmpty)
    #expect(lines.allSatisfy { $0.count < columns || $0.contains("\n") }, "\(lines)")
  }

  @Test func `a first page that takes long has a clock`() throws {
    let result = try terminal("--param wait=2.5 --param count=100 -j 1")

    for second in 0...2 { #expect(result.output.contains("waiting for the first page: \(second) s")) }
  }

  @Test func `progress knows how much was asked for`() throws {
    #expect(try terminal("--param wait=0.1 -j 1 --limit 500").output.contains(" of 500 items"))
  }

  @Test func `progress into a file is a log line every few seconds, unless nothing is to be logged`() throws {
    let scratch = try Scratch(script: Scripts.numbers)
    func lines(_ options: String...) throws -> [Substring] {
      let result = try Command.lookahead(
        ["run", "feed.lua", "--param", "wait=0.6", "-j", "1", "--no-state", "-o", "out.ndjson"] + options
      ).within(scratch).run()
      #expect(!result.errors.contains("\u{1B}"))
      return result.errors.split(separator: "\n").filter {
        $0.contains("in flight") || $0.contains("in_flight")
      }
    }

    let text = try lines()
    #expect(text.count == 1)
    #expect(
      text[0].wholeMatch(of: /info: \d00 of 1,000 items · 1\d\d\/s · 1 in flight · \d s left/) != nil,
      "\(text)")
    let json = try lines("--log-format", "json")
    #expect(json.count == 1 && json[0].hasPrefix("{\"time\":\"2"))
    #expect(json[0].contains("\"message\":\"progress\",\"items\":") && json[0].contains("\"total\":1000,"))
    #expect(try lines("--log-level", "warn").isEmpty)
    #expect(try lines("--log-level", "warn", "--progress", "always").count == 1)
    #expect(try lines("--quiet").isEmpty)
  }
}
