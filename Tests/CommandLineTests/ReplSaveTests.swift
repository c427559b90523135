import Foundation
import Testing

/// A session written down as a script.
@Suite(.waiting) struct ReplSaveTests {
  private func saved(_ lines: [String], script: String? = nil) throws -> (Scratch, text: String) {
    let scratch = try Scratch()
    if let script { try scratch.write("feed.lua", script) }
    var command = Command.lookahead(["repl", "--no-init"] + (script == nil ? [] : ["feed.lua"])).within(
      scratch)
    command.input = (lines + [":save saved.lua"]).map { $0 + "\n" }.joined()
    _ = try command.run()
    return (scratch, try scratch.text("saved.lua"))
  }

  @Test func `what succeeded is kept in order, what failed is left out, and the script runs`() throws {
    let (scratch, text) = try saved([
      "local function double(x)", "  return 2 * x", "end", "n = double(4)", "error('no')", "x = = 2",
      "local n = n + 1",
      "print('n is ' .. n)", "double(3)", "_ + 1", "lookahead.emit({ id = n, six = _9 or 6 })",
    ])

    let run = try scratch.lookahead("run", "saved.lua", "-q")

    #expect(run.exitCode == 0, "\(text)\n\(run.errors)")
    #expect(run.errors.contains("n is 9"))
    #expect(run.output.contains("\"id\":9"))
    #expect(!text.contains("error('no')") && !text.contains("= ="))
  }

  @Test func `the script that was given comes first, and what it returns last`() throws {
    let (scratch, text) = try saved(
      ["local extra = 1", "function helper() return extra end", "helper()"], script: Scripts.numbers)

    let run = try scratch.lookahead("run", "saved.lua", "--param", "count=5")
    let plain = try scratch.lookahead("run", "feed.lua", "--param", "count=5")

    #expect(run.exitCode == 0, "\(text)\n\(run.errors)")
    #expect(run.output == plain.output)
  }

  @Test(arguments: [
    ["y = print", "(function() y('a bracket') end)()"],
    ["local n = 2 if n > 1 then return n end", "print('a bracket' .. (n == 2 and '' or n))"],
    ["do return 3 end", "print('a bracket')"],
  ])
  func `lines that would change what stands around them are kept apart`(lines: [String]) throws {
    let (scratch, text) = try saved(lines)

    let run = try scratch.lookahead("run", "saved.lua", "-q")

    #expect(run.exitCode == 0, "\(text)\n\(run.errors)")
    #expect(run.errors.contains("a bracket"), "\(text)")
  }

  @Test func `a file that is there is left alone`() throws {
    let scratch = try Scratch()
    try scratch.write("mine.lua", "-- mine")
    var command = Command.lookahead(["repl", "--no-init"]).within(scratch)
    command.input = "x = 1\n:save mine.lua\n"

    let result = try command.run()

    #expect(result.errors.hasPrefix("error: mine.lua is there already"))
    #expect(try scratch.text("mine.lua") == "-- mine")
  }
}
