import Testing

/// Partitions of which more may be open than are opened at once.
@Suite(.waiting) struct OpenPartitionsTests {
  /// Handlers that all wait until as many are open as may be, so that the run ends only where they are.
  private func script(count: Int, limit: Int) -> String {
    """
    local rows = lookahead.source { name = "rows", keys = "page", pageSize = 1 }
    local open, most = 0, 0

    function rows.fetch(context)
      if context.key == 1 then
        open = open + 1
        most = math.max(most, open)
        while most < \(min(count, limit)) do lookahead.sleep(0.2) end
      end
      if context.key == 2 then open = open - 1 end
      return { items = { { id = context.parameters.part * 2 + context.key, most = most } }, isLast = context.key == 2 }
    end

    local parts = {}
    for part = 1, \(count) do parts[part] = part end
    return rows:partitions(parts, function(part) return { part = part } end, { limit = \(limit) })
    """
  }

  @Test(arguments: [(700, 600), (300, 1000), (600, 256), (257, 257)])
  func `as many are open as may be, where their handlers only wait`(count: Int, limit: Int) throws {
    let scratch = try Scratch(script: script(count: count, limit: limit))

    let result = try scratch.lookahead("run", "feed.lua")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.lines.count == 2 * count)
    #expect(result.lines.allSatisfy { $0.hasSuffix("\"most\":\(min(count, limit))}") })
  }

  @Test func `they are opened where there is always something else to do, too`() throws {
    let busy = "local parts = {}\nlookahead.spawn(function() while open < 400 do lookahead.sleep(0) end end)"
    let scratch = try Scratch(
      script: script(count: 400, limit: 400).replacing("open = open - 1", with: "")
        .replacing("local parts = {}", with: busy))

    let result = try scratch.lookahead("run", "feed.lua")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.lines.count == 800)
  }

  @Test func `a replay opens them in the same order`() throws {
    let scratch = try Scratch(
      script: script(count: 400, limit: 400).replacing("while most < 400 do", with: "for _ = 1, part % 7 do")
        .replacing("open = open + 1", with: "local part = context.parameters.part open = open + 1"))

    let replayed = try Replayed(["feed.lua"], in: scratch)

    #expect(replayed.live.exitCode == 0 && replayed.replay.exitCode == 0, "\(replayed.replay.errors)")
    #expect(replayed.difference == nil)
    #expect(replayed.replay.output == replayed.live.output)
    #expect(replayed.live.lines.count == 800)
  }
}
