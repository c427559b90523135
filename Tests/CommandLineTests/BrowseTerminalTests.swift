import Foundation
import Testing

@Suite(.waiting) struct BrowseTerminalTests {
  /// Browses a server of 5,000 items that takes its time.
  private func browse(_ terminal: TmuxTerminal, run: String, _ options: String = "") throws {
    let base = Server.faults.base(run: run, "items=5000/latency_ms=250")
    let command =
      "LC_ALL=C.UTF-8 exec \(Repository.binary) browse scripts/sources/offset.lua -e base=\(base) --allow-net=127.0.0.1 \(options)"
    try terminal.write("browse.sh", "echo $$ > '\(terminal.path("id"))'\n\(command)\n")
    try terminal.type("sh '\(terminal.path("browse.sh"))'; echo ended $?")
    try terminal.wait { $0.contains("1 of 5000 | 0 in flight") }
  }

  @Test func `a list is browsed from one end to the other and left as it was found`() throws {
    let terminal = try TmuxTerminal()
    try browse(terminal, run: "browse-all", "--summary '\(terminal.path("summary"))'")

    try terminal.press("NPage", times: 30)
    try terminal.wait { $0.contains("···") && $0.contains("in flight") }
    let down = try terminal.wait { !$0.contains("···") && $0.contains(" 661 of 5000 | 0 in flight") }
    #expect(down.prefix(23).dropFirst().map(Self.number) == (661...682).map { $0 })

    try terminal.press("PPage", times: 10)
    let up = try terminal.wait { $0.contains(" 441 of 5000 | 0 in flight") && !$0.contains("···") }
    #expect(up.prefix(23).dropFirst().map(Self.number) == (441...462).map { $0 })

    try terminal.press("G")
    let end = try terminal.wait { $0.contains("5000 of 5000 | 0 in flight") && !$0.contains("···") }
    #expect(end.prefix(23).dropFirst().map(Self.number) == (4979...5000).map { $0 })

    try terminal.press("r")
    try terminal.wait { $0.contains("refreshing") }
    let refreshed = try terminal.wait {
      $0.contains("5000 of 5000 | 0 in flight") && !$0.contains("refreshing")
    }
    #expect(refreshed.prefix(23) == end.prefix(23))

    try terminal.press("q")
    try terminal.wait { $0.contains("ended 0") && $0.contains("before") }
    #expect(try terminal.changedModes() == [])
    let summary = try #require(json(try terminal.text("summary")) as? [String: Any])
    #expect(summary["keys"] as? Int == 43)
    #expect((summary["stallSeconds"] as? Double ?? 0) > 0)
  }

  @Test func `a search goes on into what is not there yet, and an item opens as a tree`() throws {
    let terminal = try TmuxTerminal()
    try browse(terminal, run: "browse-search")

    try terminal.press("/")
    try terminal.type("777")
    try terminal.wait { $0.contains(" 777 of 5000") && !$0.contains("searching") }
    try terminal.press("Enter")
    let tree = try terminal.wait { $0.hasPrefix("item 777") }
    #expect(tree.contains { $0.hasPrefix("  id: 777") })

    try terminal.press("q", "t")
    try terminal.wait { $0.contains("visible 7") && $0.contains("preload") && $0.contains("fetch") }
    try terminal.press("q")
    try terminal.wait { $0.contains("ended 0") }
  }

  @Test func `it is stopped and goes on, and takes the terminal's new size`() throws {
    let terminal = try TmuxTerminal()
    try browse(terminal, run: "browse-stop")

    try terminal.press("C-z")
    try terminal.wait { $0.contains("before") }
    #expect(try terminal.changedModes() == [])
    try terminal.type("fg")
    try terminal.wait { $0.contains("1 of 5000 | 0 in flight") }

    try terminal.resize(columns: 50, rows: 10)
    let small = try terminal.wait {
      $0.split(separator: "\n", omittingEmptySubsequences: false).prefix(10).last?.contains("of 5000")
        ?? false
    }
    #expect(small.allSatisfy { $0.count <= 50 })
    try terminal.press("q")
    try terminal.wait { !$0.contains("of 5000") }
    try terminal.type("echo over $?")
    try terminal.wait { $0.contains("over 0") }
  }

  /// Browses a script that has no source for some seconds.
  private func browseLate(_ terminal: TmuxTerminal) throws {
    try terminal.write(
      "late.lua",
      """
      lookahead.sleep(4)
      local s = lookahead.source { name = "late", keys = "offset", pageSize = 50 }
      function s.fetch(c)
        local items = {}
        for i = c.key + 1, c.key + c.size do items[#items + 1] = { id = i } end
        return { items = items, total = 500 }
      end
      return s
      """)
    try terminal.type("LC_ALL=C.UTF-8 \(Repository.binary) browse '\(terminal.path("late.lua"))'")
    try terminal.wait { !$0.contains("before") && !$0.contains("browse") }
  }

  @Test func `the size that the terminal gets before there is a list is not lost`() throws {
    let terminal = try TmuxTerminal()
    try browseLate(terminal)

    try terminal.resize(columns: 50, rows: 10)

    let screen = try terminal.wait { $0.contains("1 of 500") }
    #expect(screen.prefix(10).last?.contains("1 of 500") == true, "\(screen)")
    try terminal.press("q")
    try terminal.wait { !$0.contains("of 500") }
  }

  @Test func `it is stopped and goes on before there is a list`() throws {
    let terminal = try TmuxTerminal()
    try browseLate(terminal)

    try terminal.press("C-z")
    try terminal.wait { $0.contains("before") }
    try terminal.type("fg")

    try terminal.wait { $0.contains("1 of 500") }
    try terminal.press("q")
    try terminal.wait { $0.contains("before") }
  }

  @Test(arguments: [(SIGTERM, 130), (SIGINT, 130), (SIGSEGV, 139), (SIGABRT, 134)])
  func `whatever ends it, the terminal is as it was`(signal: Int32, code: Int) throws {
    let terminal = try TmuxTerminal()
    try browse(terminal, run: "browse-\(signal)")

    let id = try #require(Int32(terminal.text("id").trimmingCharacters(in: .newlines)))

    #expect(kill(id, signal) == 0)
    try terminal.wait { $0.contains("ended \(code)") && $0.contains("before") }
    #expect(try terminal.changedModes() == [])
  }

  @Test func `the wheel scrolls, a click selects, and the policy is exchanged meanwhile`() throws {
    let terminal = try TmuxTerminal()
    try browse(terminal, run: "browse-mouse")

    // What a terminal sends for a notch down, and for a click into the sixth row.
    try terminal.sendBytes("1b", "5b", "4d", "61", "25", "25")
    let scrolled = try terminal.wait { $0.contains(" 4 of 5000") }
    #expect(Self.number(scrolled[1]) == 4)
    try terminal.sendBytes("1b", "5b", "4d", "20", "25", "26")
    try terminal.wait { $0.contains(" 8 of 5000") }

    try terminal.press("P")
    try terminal.type("everything")
    try terminal.wait { $0.contains("policy: everything") && $0.contains(" 8 of 5000") }
    try terminal.press("q")
    try terminal.wait { $0.contains("ended 0") }
  }

  @Test(arguments: [("dumb", "can't place its cursor"), ("nonsense", "is of an unknown type")])
  func `a terminal that can show no list is left alone`(type: String, words: String) throws {
    let terminal = try TmuxTerminal(columns: 120)

    try terminal.type("TERM=\(type) \(Repository.binary) browse scripts/sources/csv_file.lua; echo ended $?")

    try terminal.wait {
      $0.contains("error: browse: the terminal \(words) (see TERM)") && $0.contains("ended 64")
    }
    #expect(try terminal.changedModes() == [])
  }

  /// The number that a row of the table begins with.
  private static func number(_ line: String) -> Int? {
    line.split(separator: " ").first.flatMap { Int($0) }
  }
}
