import Foundation
import Testing

/// Ctrl-C at a prompt, waits, and what ends a prompt from outside; in a real terminal.
@Suite(.waiting) struct ReplInterruptTests {
  @Test(arguments: [
    "while true do end", "while true do pcall(function() while true do end end) end",
    "local t = setmetatable({}, { __index = function(t, k) while true do end end }) return t.x",
  ])
  func `Ctrl-C stops a loop and not the program`(loop: String) throws {
    let repl = try ReplTerminal(columns: 120)
    try repl.run("kept = 7", then: 2)

    try repl.terminal.type("print('on') \(loop)")
    try repl.wait { $0.last == "on" }
    try repl.terminal.press("C-c")
    let stopped = try repl.wait(forPrompt: 3)

    #expect(stopped.suffix(2) == ["interrupted", "3>"])
    #expect(try repl.run("kept", then: 4).suffix(2) == ["7", "4>"])
  }

  @Test func `one long call of the library that can't be stopped is told, and can be left`() throws {
    let repl = try ReplTerminal(columns: 120)

    try repl.terminal.type("string.find(string.rep('a', 60), string.rep('a?', 60) .. string.rep('a', 60))")
    try repl.wait { $0.last?.contains("string.find") ?? false }
    try repl.terminal.press("C-c")
    try repl.wait { $0.contains { $0.contains("Ctrl-\\ ends the program") } }
    try repl.terminal.press("C-\\")

    try repl.wait { $0.contains { $0.contains("ended 131") } }
    #expect(try repl.terminal.changedModes() == [])
  }

  @Test func `Ctrl-C stops a hundred loops one after the other`() throws {
    let repl = try ReplTerminal()

    for number in 1...100 {
      try repl.terminal.type("print('on \(number)') while true do end")
      try repl.wait { $0.last == "on \(number)" }
      try repl.terminal.press("C-c")
      try repl.wait { $0.suffix(2) == ["interrupted", "\(number + 1)>"] }
    }

    #expect(try repl.run("1 + 1", then: 102).suffix(2) == ["2", "102>"])
  }

  @Test func `Ctrl-C throws away what is typed, a block too`() throws {
    let repl = try ReplTerminal()

    try repl.terminal.type("if x then")
    try repl.wait { $0.last == ".." }
    try repl.terminal.press("y")
    try repl.wait { $0.last == "..   y" }
    try repl.terminal.press("C-c")
    let thrown = try repl.wait(forPrompt: 1)

    #expect(thrown.suffix(3) == ["1> if x then", "..   y^C", "1>"])
    #expect(try repl.run("2", then: 2).suffix(2) == ["2", "2>"])
  }

  @Test func `a call that waits shows how it goes, and its value when it is there`() throws {
    let base = Server.faults.base(run: "repl-wait", "items=300/latency_ms=700")
    let repl = try ReplTerminal("--allow-net=127.0.0.1", columns: 120)

    try repl.terminal.type("reply = lookahead.http.get('\(base)/items?limit=2&offset=0')")
    try repl.wait { $0.last?.hasPrefix("waiting: 1 request · 0.") ?? false }
    let waited = try repl.wait(forPrompt: 2)

    #expect(!waited.joined().contains("waiting:"))
    #expect(try repl.run("reply.status", then: 3).suffix(2) == ["200", "3>"])
  }

  @Test func `a call that waits is stopped, and printed lines stand above the progress`() throws {
    let repl = try ReplTerminal()

    try repl.terminal.type("for i = 1, 100 do print('step ' .. i) lookahead.sleep(0.4) end")
    let waiting = try repl.wait { $0.last?.hasPrefix("waiting: ") ?? false && $0.contains("step 2") }
    #expect(Array(waiting.suffix(3).prefix(2)) == ["step 1", "step 2"] || waiting.contains("step 3"))
    try repl.terminal.press("C-c")

    #expect(try repl.wait(forPrompt: 2).suffix(2) == ["interrupted", "2>"])
  }

  @Test func `what is typed meanwhile is taken afterwards`() throws {
    let repl = try ReplTerminal()

    try repl.terminal.type("lookahead.sleep(0.5)")
    try repl.terminal.type("40 + 2")

    #expect(try repl.wait(forPrompt: 3).suffix(3) == ["2> 40 + 2", "42", "3>"])
  }

  @Test(arguments: [(SIGTERM, 130), (SIGSEGV, 139), (SIGHUP, 130)])
  func `whatever ends it, the terminal is as it was`(signal: Int32, code: Int) throws {
    let repl = try ReplTerminal()
    let identifier = try #require(repl.identifier)

    #expect(kill(identifier, signal) == 0)
    try repl.wait { $0.contains { $0.contains("ended \(code)") } }

    #expect(try repl.terminal.changedModes() == [])
  }

  @Test func `it is stopped, goes on, and takes the terminal's new size`() throws {
    let repl = try ReplTerminal()
    try repl.terminal.press("a", "b")
    try repl.wait { $0.last == "1> ab" }
    try repl.terminal.press("C-z")
    try repl.wait { $0.last == "$" }
    #expect(try repl.terminal.changedModes() == [])

    try repl.terminal.type("fg")
    try repl.wait { $0.last == "1> ab" }
    try repl.terminal.resize(columns: 30, rows: 10)
    try repl.terminal.press("c")
    try repl.wait { $0.last == "1> abc" }
    try repl.terminal.press("C-u")
    #expect(try repl.run("6 * 7", then: 2).suffix(2) == ["42", "2>"])
  }
}
