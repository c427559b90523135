import Testing

/// What was meant, where something else was typed.
@Suite(.waiting) struct SlipTests {
  @Test(arguments: [
    ("chek", "did you mean `lookahead check`?"),
    ("rnu feed.lua", "did you mean `lookahead run`?"),
    ("feed.lua --limit 1", "try `lookahead run feed.lua --limit 1`"),
  ])
  func `a command that is none is answered with the nearest`(line: String, advice: String) throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let result = try scratch.shell("lookahead \(line)")

    #expect(result.exitCode == 64)
    #expect(result.errors.contains("\n  \(advice)\n"), "\(result.errors)")
  }

  @Test func `a command that is near none has no advice`() throws {
    let result = try Scratch().lookahead("zzzzzz")

    #expect(result.exitCode == 64)
    #expect(!result.errors.contains("`lookahead"), "\(result.errors)")
  }

  @Test func `a policy is for the lab`() throws {
    let scratch = try Scratch()
    _ = try scratch.lookahead("new", "--bare", "policy", "eager")

    let result = try scratch.lookahead("run", "eager.lua")

    #expect(result.exitCode == 64)
    #expect(
      result.error
        == "error: the script returned a policy, which is for the lab: try `lookahead lab --policy eager.lua`"
    )
  }

  @Test(arguments: [
    ("", "warn: the script is empty: `lookahead new source NAME` writes one to start from"),
    ("-- a comment\n\n", "warn: the script is empty: `lookahead new source NAME` writes one to start from"),
    (
      "return 1",
      "warn: the script returned a number, which is nothing to read: return a source, or a list of them"
    ),
    (
      "return { name = 'a', fetch = function() return { items = {} } end }",
      "warn: the script returned a table, which is nothing to read: return a source, or a list of them"
    ),
    (
      "local s = lookahead.source { fetch = function() return { items = { { id = 1 } } } end }\nreturn s:items()",
      "warn: the script returned a function, which is nothing to read: return a source, or a list of them"
    ),
  ])
  func `a script that does nothing is warned of`(script: String, warning: String) throws {
    let result = try Scratch(script: script).lookahead("run", "feed.lua")

    #expect(result.exitCode == 0)
    #expect(result.errors.contains(warning), "\(result.errors)")
  }

  @Test func `a script that emits may return what it likes`() throws {
    let result = try Scratch(script: "lookahead.emit { id = 1 } return 1").lookahead("run", "feed.lua")

    #expect(result.exitCode == 0)
    #expect(!result.errors.contains("warn"), "\(result.errors)")
  }

  @Test(arguments: ["--limit", "--max-pages"])
  func `a source that is cut off can't be read again`(option: String) throws {
    let result = try Scratch(script: Scripts.numbers).lookahead(
      "run", "feed.lua", "--refresh", "1s", "--refreshes", "1", option, "5")

    #expect(result.exitCode == 64)
    #expect(result.errors.hasPrefix("error: --refresh and \(option): "), "\(result.errors)")
  }
}
