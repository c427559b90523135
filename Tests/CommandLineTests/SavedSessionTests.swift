import Foundation
import Testing

/// A saved session says what the session said.
@Suite(.waiting) struct SavedSessionTests {
  private func saved(_ lines: [String]) throws -> (text: String, run: CommandResult) {
    let scratch = try Scratch()
    var command = Command.lookahead(["repl", "--no-init"]).within(scratch)
    command.input = (lines + [":save saved.lua"]).map { $0 + "\n" }.joined()
    _ = try command.run()
    return (try scratch.text("saved.lua"), try scratch.lookahead("run", "saved.lua", "-q"))
  }

  @Test(arguments: [
    (["function show() return v end", "v = 9", "print(show())"], "9"),
    (["f = function() return g() end", "function g() return 'later' end", "print(f())"], "later"),
    (["if true then return 3 end", "z = _", "print(z)"], "3"),
    (["5", "return 7", "y = _ + 1", "print(y)"], "8"),
    (["5", "return 7", "print(_2)"], "7"),
    (["f = function() return _ end", "5", "print(f())"], "5"),
    (["local b <const> = 3", "b = 4", "print(b)"], "4"),
    (["_G.k = 3", "print(k)"], "3"),
    (["local fact = function(n) return n < 2 and 1 or n * fact(n - 1) end", "print(fact(5))"], "120"),
    (["local old = print", "print = function(x) old('new ' .. x) end", "print('b')"], "new b"),
    (["goto e ::e::", "goto e ::e::", "print('labels')"], "labels"),
    (["n = 0", "function up() n = n + 1 return n end", "up() + 1", "return up()", "print(n)"], "2"),
    (["local s <close> = nil", "local s <close> = nil", "print('closed')"], "closed"),
  ])
  func `variables and values are those of the prompt`(lines: [String], printed: String) throws {
    let (text, run) = try saved(lines)

    #expect(run.exitCode == 0, "\(text)\n\(run.errors)")
    #expect(run.errors.split(separator: "\n").last.map(String.init) == printed, "\(text)\n\(run.errors)")
  }

  @Test func `more variables than a script can declare are in a table`() throws {
    let (text, run) = try saved((1...250).map { "local v\($0) = \($0)" } + ["print(v1 + v250)"])

    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(run.errors.contains("251"), "\(run.errors)")
    #expect(text.hasPrefix("-- A session of lookahead repl.\n-- Its variables are in a table"), "\(text)")
  }

  @Test func `a variable is declared by its own line where no other names it before`() throws {
    let (text, _) = try saved([
      "local n = 1", "function show() return later end", "local later = n", "later = 2",
    ])

    #expect(
      text == """
        -- A session of lookahead repl.
        local show, later
        local n = 1
        function show() return later end
        later = n
        later = 2

        """, "\(text)")
  }
}
