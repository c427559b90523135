import Foundation
import Testing

/// Refreshes, and what becomes of places, numbers and details.
@Suite(.waiting) struct BrowseRefreshTests {
  private func browse(_ keys: String, size: String, _ script: String) throws -> CommandResult {
    let result = try Command.lookahead(["browse", "feed.lua", "--script", keys, "--size", size])
      .within(Scratch(script: script)).run()
    #expect(result.exitCode == 0, "\(result.errors)")
    return result
  }

  /// The numbers of a screen's row: its own, and those of its item.
  private func numbers(_ result: CommandResult, row: Int) -> [Int] {
    guard result.lines.indices.contains(row) else { return [] }
    return result.lines[row].split(separator: " ").compactMap { Int($0) }
  }

  /// Numbered items whose pages take a while.
  private static func counted(_ total: Int, pause: String = "0.3", _ beginning: String = "") -> String {
    """
    local s = lookahead.source { name = "m", keys = "offset", pageSize = 20, retries = 0 }
    function s.fetch(c)
      \(beginning)
      lookahead.sleep(\(pause))
      local items = {}
      for i = c.key + 1, math.min(\(total), c.key + 20) do items[#items + 1] = { id = i } end
      return { items = items, total = \(total) }
    end
    return s
    """
  }

  private static let cursor = """
    local s = lookahead.source { name = "cur", pageSize = 20 }
    function s.fetch(c)
      lookahead.sleep(0.1)
      local at = c.key and tonumber(c.key:sub(2)) or 0
      local items = {}
      for i = at + 1, math.min(300, at + 20) do items[#items + 1] = { id = i } end
      return { items = items, nextKey = at + 20 < 300 and "c" .. math.tointeger(at + 20) or nil }
    end
    return s
    """

  @Test(arguments: [8, 24, 40])
  func `the end is reached by a reader who has just refreshed`(rows: Int) throws {
    let result = try browse("settle r G wait:2s", size: "80x\(rows)", Self.counted(120))

    #expect(numbers(result, row: rows - 2) == [120, 120], "\(result.output)")
    #expect(result.output.contains("m 120 of 120 | 0 in flight"), "\(result.output)")
  }

  @Test(arguments: [("g", 1), ("PageUp", 111), ("PageUp*2", 89), ("PageDown", 155)])
  func `a reader who moves during a refresh is where it has gone`(keys: String, first: Int) throws {
    let result = try browse(
      "settle PageDown*6@30ms settle r \(keys) wait:2s", size: "60x24", Self.counted(300))

    #expect(numbers(result, row: 1) == [first, first], "\(result.output)")
    #expect(numbers(result, row: 22) == [first + 21, first + 21], "\(result.output)")
  }

  @Test(arguments: [("g", 1), ("PageDown", 155)])
  func `rows of cursors keep their numbers`(keys: String, first: Int) throws {
    let result = try browse(
      "settle PageDown*6@250ms settle r \(keys) wait:2s", size: "60x24", Self.cursor)

    #expect(numbers(result, row: 1) == [first, first], "\(result.output)")
    #expect(numbers(result, row: 22) == [first + 21, first + 21], "\(result.output)")
  }

  @Test func `pages behind those that fail are asked for where the reader goes`() throws {
    let failing = """
      if c.generation > 1 and c.key >= 60 and c.key <= 100 then error { code = "http", status = 500 } end
      """
    let result = try browse(
      "settle PageDown*3@100ms settle r wait:300ms G wait:1s", size: "80x24",
      Self.counted(180, pause: "0.05", failing))

    #expect(numbers(result, row: 22) == [180, 180], "\(result.output)")
    #expect(!result.output.contains("not refreshed"), "\(result.output)")
  }

  @Test func `an open item never gets the details of another one`() throws {
    let script = """
      local s = lookahead.source { name = "d", keys = "offset", pageSize = 20 }
      function s.fetch(c)
        lookahead.sleep(0.2)
        local items = {}
        for i = 1, 20 do
          if not (c.generation > 1 and i == 5) then items[#items + 1] = { id = i, text = "item " .. i } end
        end
        return { items = items, total = #items, isLast = true }
      end
      function s.prefetchItem(id)
        lookahead.sleep(1)
        return { of = "item " .. math.tointeger(id) }
      end
      return s
      """

    let result = try browse("settle:1s Down*4 r Enter wait:4s", size: "70x10", script)

    #expect(result.output.contains("id: 5"), "\(result.output)")
    #expect(!result.output.contains("of: item 6"), "\(result.output)")
  }

  @Test func `details are fetched again after a refresh`() throws {
    let script = """
      local s = lookahead.source { name = "d", keys = "offset", pageSize = 20 }
      local version = 0
      function s.fetch(c)
        version = c.generation
        local items = {}
        for i = 1, 20 do items[i] = { id = i, price = 10 * version } end
        return { items = items, total = 20 }
      end
      function s.prefetchItem(id) return { price = 10 * version } end
      return s
      """

    let result = try browse("settle wait:100ms r settle wait:200ms Enter wait:300ms", size: "70x10", script)

    let prices = result.lines.filter { $0.contains("price:") }
    #expect(prices.count == 2 && prices.allSatisfy { $0.contains("price: 20") }, "\(result.output)")
  }

  @Test(arguments: [
    ("if item.id % 2 == 1 then return item end", 150, 299),
    ("return { { id = item.id * 10 }, { id = item.id * 10 + 1 } }", 600, 3001),
  ])
  func `the rows of a transform are counted when the end was reached`(
    transform: String, rows: Int, last: Int
  ) throws {
    let script = Self.counted(300, pause: "0.01").replacing(
      "retries = 0", with: "id = 'id', transform = function(item) \(transform) end")

    let result = try browse("settle G settle:10s", size: "60x8", script)
    let before = try browse("settle", size: "60x8", script)

    #expect(numbers(result, row: 6) == [rows, last], "\(result.output)")
    #expect(result.output.contains("m \(rows) of \(rows) |"), "\(result.output)")
    #expect(before.output.contains("+ | 0 in flight"), "\(before.output)")
  }

  @Test func `a key script that goes to the end of a list of unknown length is settled there`() throws {
    let result = try browse("settle G settle:10s", size: "60x8", Self.cursor)

    #expect(numbers(result, row: 6) == [300, 300], "\(result.output)")
  }
}
