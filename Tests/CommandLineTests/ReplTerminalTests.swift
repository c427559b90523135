import Foundation
import Testing

/// Prompts in a real terminal: what is typed, and what is seen then.
@Suite(.waiting) struct ReplTerminalTests {
  @Test func `a prompt greets in two lines, shows values and leaves with Ctrl-D`() throws {
    let repl = try ReplTerminal()

    let greeting = try repl.wait(forPrompt: 1)
    #expect(greeting.count == 3)
    #expect(greeting[0].hasPrefix("Lookahead ") && greeting[0].contains(":? lists the commands"))
    #expect(greeting[1].hasPrefix("allowed: no net"))
    #expect(try repl.run("1 + 1", then: 2).suffix(3) == ["1> 1 + 1", "2", "2>"])
    #expect(try repl.run("_ * 10", then: 3).suffix(2) == ["20", "3>"])

    try repl.terminal.press("C-d")
    try repl.wait { $0.contains("ended 0") }
    #expect(try repl.terminal.changedModes() == [])
  }

  @Test func `a function of many lines is indented, kept as one entry and edited as a block`() throws {
    let repl = try ReplTerminal()

    for (line, next) in [
      ("function double(x)", ".."), ("if x then", ".."), ("return x * 2", ".."), ("end", ".."),
    ] {
      try repl.terminal.type(line)
      try repl.wait { $0.last == next }
    }
    try repl.run("end", then: 2)
    let called = try repl.run("double(21)", then: 3)
    #expect(
      called.suffix(8) == [
        "1> function double(x)", "..   if x then", "..     return x * 2", "..   end", ".. end",
        "2> double(21)", "42",
        "3>",
      ])

    // Up over the call to the block, then up in it to the line that is changed.
    try repl.terminal.press("Up", "Up", "Left", "Up", "Up", "End")
    try repl.terminal.press("Space", "+", "Space", "1")
    try repl.wait { $0.contains("..     return x * 2 + 1") }
    try repl.terminal.press("M-Enter")
    try repl.wait { $0.last == "4>" }
    #expect(try repl.run("double(21)", then: 5).suffix(2) == ["43", "5>"])
  }

  @Test func `a name, a field, a key, a command and a file are completed`() throws {
    let repl = try ReplTerminal()
    try repl.terminal.write("readings.csv", "a,b")
    try repl.run("measured = { temperature = 21, [\"wind speed\"] = 3 }", then: 2)

    try repl.terminal.press("m", "e", "a", "s", "Tab", ".", "t", "Tab")
    try repl.wait { $0.last == "2> measured.temperature" }
    try repl.terminal.press("Enter")
    try repl.wait { $0.suffix(2) == ["21", "3>"] }

    try repl.terminal.type("measured")
    try repl.wait(forPrompt: 4)
    try repl.terminal.press("_", ".", "Tab")
    try repl.wait { $0.contains("4> _.temperature") }
    try repl.terminal.press("C-c")
    try repl.wait { $0.last == "4>" }

    try repl.terminal.press(":", "h", "i", "Tab")
    try repl.wait { $0.last == "4> :history" }
    try repl.terminal.press("C-c")
    try repl.wait { $0.last == "4>" }
    try repl.terminal.press(":", "l", "o", "a", "d", "Space", "r", "e", "a", "d", "Tab")
    try repl.wait { $0.last == "4> :load readings.csv" }
    try repl.terminal.press("C-c")
    try repl.wait { $0.last == "4>" }

    try repl.terminal.press("s", "t", "r", "i", "n", "g", ".", "Tab")
    let list = try repl.wait { $0.last?.contains("upper") ?? false }
    #expect(list.contains { $0.contains("format") })
    try repl.terminal.press("u")
    try repl.wait { $0.last == "4> string.u" }
  }

  @Test func `history outlives the prompt, belongs to its owner only and is searched`() throws {
    let repl = try ReplTerminal()
    try repl.run("first = 'one'", then: 2)
    try repl.run("second = 'two'", then: 3)
    try repl.run("second = 'two'", then: 4)
    try repl.terminal.press("C-d")
    try repl.wait { $0.contains("ended 0") }

    try repl.start()
    try repl.terminal.press("Up", "Up")
    try repl.wait { $0.last == "1> first = 'one'" }
    try repl.terminal.press("C-u", "C-r")
    try repl.terminal.press("t", "w", "o")
    try repl.wait { $0.suffix(2) == ["1> second = 'two'", "search: two"] }
    try repl.terminal.press("Enter")
    try repl.wait(forPrompt: 2)

    let file = repl.terminal.path("state/lookahead/history")
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try repl.terminal.text("state/lookahead/history") == "first = 'one'\nsecond = 'two'\n")
  }

  @Test func `a paste of many lines is one block, and runs when it is whole`() throws {
    let repl = try ReplTerminal()

    try repl.terminal.paste("function triple(x)\n  local y = x\n\treturn 3 * y\nend\n")
    try repl.wait(forPrompt: 2)
    #expect(try repl.run("triple(5)", then: 3).suffix(2) == ["15", "3>"])
    try repl.terminal.paste("for i = 1, 2 do\n  print(i)")
    try repl.wait { $0.suffix(2) == ["3> for i = 1, 2 do", "..   print(i)"] }
    try repl.terminal.press("Enter")
    try repl.terminal.type("end")
    try repl.wait { $0.suffix(3) == ["1", "2", "4>"] }

    try repl.terminal.paste("a = 20\na + 1\n:history triple\n")
    let seen = try repl.wait { $0.last == "6>" }
    #expect(seen.contains("21"))
    #expect(!seen.joined().contains("00~") && !seen.joined().contains("01~"))
  }

  @Test func `an error names its place, and more is told of it`() throws {
    let repl = try ReplTerminal()
    try repl.run("function broken(x) return x.y.z end", then: 2)

    let failed = try repl.run("broken({})", then: 3)
    #expect(failed.contains { $0.hasPrefix("error: prompt:1:1: attempt to index a nil value (field 'y')") })
    let syntax = try repl.run("x = = 1", then: 4)
    #expect(syntax.suffix(2).first?.hasPrefix("error: prompt:3:1: ") == true)
    try repl.run("broken({})", then: 5)
    _ = try repl.run(":wtf", then: 5)
    let told = try repl.wait { $0.contains("> 1  broken({})") }
    #expect(told.contains("> 1  function broken(x) return x.y.z end"))
  }

  @Test func `letters of any width and lines longer than the terminal are edited where they are seen`() throws
  {
    let repl = try ReplTerminal(columns: 40, rows: 12)

    try repl.terminal.press("t", "=", "'")
    try repl.terminal.press("世", "界", "é", "'", "Left", "Left", "BSpace", "Left", "x", "End")
    try repl.wait { $0.last == "1> t='x世é'" }
    try repl.terminal.press("Enter")
    try repl.wait(forPrompt: 2)
    try repl.terminal.paste("s = '" + String(repeating: "0123456789", count: 6) + "'")
    try repl.wait {
      $0.suffix(2) == ["2> s = '01234567890123456789012345678901", "2345678901234567890123456789'"]
    }
    try repl.terminal.press("C-a", "Delete", "u")
    try repl.wait { $0.suffix(2).first == "2> u = '01234567890123456789012345678901" }
    try repl.terminal.press("Enter")
    try repl.wait(forPrompt: 3)
    #expect(try repl.run("#u, t", then: 4).suffix(3) == ["60", "\"x世é\"", "4>"])
  }
}
