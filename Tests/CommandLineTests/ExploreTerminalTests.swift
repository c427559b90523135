import Foundation
import Testing

/// A source explored in a real terminal.
@Suite(.waiting) struct ExploreTerminalTests {
  /// A terminal with a prompt for the script, which has opened its source.
  private func open(_ script: String) throws -> ReplTerminal {
    let repl = try ReplTerminal(rows: 60)
    try repl.terminal.write("feed.lua", script)
    try repl.terminal.press("C-d")
    try repl.wait { $0.last == "$" }
    try repl.start("feed.lua")
    try repl.terminal.type(":open")
    try repl.wait { $0.last == "numbers@0 1>" }
    return repl
  }

  /// Types a command and waits for the prompt behind it; what it has shown is returned.
  private func run(_ line: String, _ repl: ReplTerminal) throws -> [String] {
    try repl.terminal.type(line)
    let screen = try repl.wait { screen in
      guard screen.last?.hasSuffix(" 1>") == true else { return false }
      return screen.last { $0.contains(" 1> ") }?.hasSuffix(" 1> \(line)") == true
    }
    let start = screen.lastIndex { $0.contains(" 1> ") } ?? 0
    return Array(screen[(start + 1)...])
  }

  @Test func `an earlier moment is gone back to, and lived again with another outcome`() throws {
    let repl = try open(Scripts.numbers.replacing("pageSize = 100", with: "pageSize = 10"))

    let first = try run(":run", repl)
    let moment = try #require(first.last?.firstMatch(of: #/@(\d+) /#).flatMap { Int($0.1) })
    #expect(try run(":scroll to 25", repl).last == "numbers@\(moment + 1) 1>")
    #expect(try run(":run 1s", repl).contains { $0.contains("page of fetch") })
    let before = try run(":state", repl)
    #expect(try run(":goto \(moment)", repl).last == "numbers@\(moment) 1>")
    let back = try run(":state", repl)
    #expect(try run(":policy everything", repl).last == "numbers@\(moment + 1) 1>")
    _ = try run(":run", repl)
    let after = try run(":state", repl)

    func items(_ shown: [String]) -> String? {
      shown.first { $0.hasPrefix("items ") }.map { $0.dropFirst(6).trimmingCharacters(in: .whitespaces) }
    }
    #expect(items(before) == "1–60 of 1,000")
    #expect(items(back) == "1–40 of 1,000")
    #expect(items(after) == "1–1,000 of 1,000")
  }

  @Test func `a handler that never ends is stopped with Ctrl-C, and mended and asked again`() throws {
    let repl = try open(
      """
      local numbers = lookahead.source { name = "numbers", fetch = function(context)
        print("computing")
        while true do pcall(function() while true do end end) end
      end }
      return numbers
      """)

    for times in 1...2 {
      try repl.terminal.type(":run")
      try repl.wait { screen in screen.count { $0 == "computing" } == times }
      try repl.terminal.press("C-c")
      try repl.wait { screen in
        screen.last == "numbers@0 1>" && screen.count { $0 == "interrupted" } == times
      }
    }
    try repl.terminal.write(
      "feed.lua",
      """
      local numbers = lookahead.source { name = "numbers", fetch = function(context)
        return { items = { { id = 1 } }, isLast = true }
      end }
      return numbers
      """)
    #expect(try run(":reload", repl).contains { $0.contains("continues with the new handlers") })
    #expect(try run(":run", repl).contains { $0.contains("answers: 1 item") })
  }

  @Test func `a wait for the source shows its progress and can be stopped`() throws {
    let repl = try open(
      """
      local numbers = lookahead.source { name = "numbers", fetch = function(context)
        lookahead.sleep(1000)
        return { items = {} }
      end }
      return numbers
      """)

    try repl.terminal.type(":run")
    try repl.wait { $0.contains { $0.contains("waiting: 1 in flight") && $0.contains("(Ctrl-C stops it)") } }
    try repl.terminal.press("C-c")
    let stopped = try repl.wait { $0.last == "numbers@0 1>" && $0.contains("interrupted") }

    #expect(stopped.last { $0.hasPrefix("to come") } == "to come: the source answers fetch 1 (:step, :run)")
  }

  @Test func `a run whose policy takes its time is stopped between two moments`() throws {
    let repl = try open(
      """
      local numbers = lookahead.source { name = "numbers", keys = "offset", pageSize = 1, maxItems = 100000 }
      function numbers.shouldBatchFetch(view)
        if view.itemCount == 50 then print("fifty") end
        for _ = 1, view.itemCount > 50 and 20000 or 0 do end
        return true
      end
      function numbers.fetch(context) return { items = { { id = context.key } }, total = 100000 } end
      return numbers
      """)

    try repl.terminal.type(":run")
    try repl.wait { $0.contains("fifty") }
    try repl.terminal.press("C-c")
    let stopped = try repl.wait { $0.last?.hasSuffix(" 1>") == true && $0.contains("interrupted") }

    #expect(stopped.last { $0.hasPrefix("to come") || $0.hasPrefix("lived") }?.hasPrefix("to come") == true)
  }
}
