import Foundation
import Testing

@Suite(.waiting) struct TerminalTextTests {
  /// A script whose every text is hostile: names, cells, help, messages.
  private static let script = """
    local evil = "x\\27[2J\\27]52;c;eA==\\7\\194\\155\\226\\128\\174y"
    lookahead.parameters { ["p" .. evil] = { default = evil, help = evil } }
    local source = lookahead.source { name = "s" .. evil }
    function source.fetch()
      print(evil)
      lookahead.log.warn(evil, { [evil] = evil })
      return { items = { { id = 1, ["n" .. evil] = "c" .. evil } } }
    end
    return source
    """

  private static func isHarmless(_ output: [UInt8]) -> Bool {
    let text = String(decoding: output, as: UTF8.self)
    return !text.unicodeScalars.contains { scalar in
      scalar.value < 0x20 && !"\n\r\t".unicodeScalars.contains(scalar) || 0x7F...0x9F ~= scalar.value
        || 0x202A...0x202E ~= scalar.value
    }
  }

  @Test(arguments: [
    ["run", "feed.lua", "--progress", "never"],
    ["run", "feed.lua", "--format", "json", "--progress", "never"],
    ["run", "feed.lua", "--format", "csv", "--progress", "never"],
    ["run", "feed.lua", "-o", "/dev/tty", "--progress", "never"],
    ["run", "feed.lua", "--preview", "--progress", "never"], ["run", "feed.lua", "--help-script"],
    ["run", "feed.lua", "--log-format", "json", "--summary", "-", "--progress", "never"],
    ["run", "feed.lua", "--tag", "--trace", "/dev/tty", "--progress", "never"], ["check", "feed.lua"],
    ["check", "--format", "json", "feed.lua"], ["lab", "feed.lua", "--sessions", "2", "--quiet"],
    ["run", "\u{1B}[2J\u{9B}.lua"], ["browse", "feed.lua", "--script", "settle"],
  ])
  func `nothing of a hostile script steers a terminal`(arguments: [String]) throws {
    let scratch = try Scratch(script: Self.script)
    let terminal = try PseudoTerminal(arguments, folder: scratch.path, environment: ["NO_COLOR": "1"])

    let code = terminal.end()

    #expect(code >= 0 && !terminal.output.isEmpty)
    #expect(
      Self.isHarmless(terminal.output), "\(String(decoding: terminal.output, as: UTF8.self).debugDescription)"
    )
  }

  @Test func `what goes into a file or a pipe stays as it came`() throws {
    let scratch = try Scratch(script: Self.script)

    let piped = try scratch.lookahead("run", "feed.lua", "--quiet")

    #expect(
      piped.output.unicodeScalars.contains("\u{9B}") && piped.output.unicodeScalars.contains("\u{202E}"))
  }

  @Test func `the items that a terminal is shown are the same JSON`() throws {
    let scratch = try Scratch(script: Self.script)
    let terminal = try PseudoTerminal(["run", "feed.lua", "--quiet"], folder: scratch.path)
    _ = terminal.end()
    let shown = String(decoding: terminal.output, as: UTF8.self).split(whereSeparator: \.isNewline).first {
      $0.hasPrefix("{")
    }

    let piped = try scratch.lookahead("run", "feed.lua", "--quiet").lines.first { $0.hasPrefix("{") }

    let objects = try [shown.map(String.init), piped].map { line in
      try JSONSerialization.jsonObject(with: Data((line ?? "").utf8)) as? NSDictionary
    }
    #expect(objects[0] != nil && objects[0] == objects[1])
  }

  @Test func `the error of a script is cut, and what was cut is counted`() throws {
    let scratch = try Scratch(script: "error(('x'):rep(1000000), 0)")

    let result = try scratch.lookahead("run", "feed.lua")

    #expect(result.exitCode == 65)
    #expect(result.errors.utf8.count < 5000)
    #expect(result.errors.contains("x… (997952 bytes more)"), "\(result.errors.suffix(80))")
  }

  @Test(arguments: [(65535, 65535), (0, 0), (1, 1), (65535, 1), (1, 65535)] as [(UInt16, UInt16)])
  func `a terminal of any size is browsed, and has a prompt`(columns: UInt16, rows: UInt16) throws {
    let scratch = try Scratch(script: Scripts.numbers)
    let browser = try PseudoTerminal(
      ["browse", "feed.lua"], folder: scratch.path, columns: columns, rows: rows)
    #expect(browser.wait { !$0.isEmpty })
    browser.resize(columns: rows, rows: columns)
    browser.type("q".utf8)
    #expect(browser.end() == 0)

    let prompt = try PseudoTerminal(
      ["repl", "--no-init", "-q"], folder: scratch.path, columns: columns, rows: rows)
    #expect(prompt.wait { !$0.isEmpty })
    prompt.type("\u{4}".utf8)
    #expect(prompt.end() == 0)
  }
}
