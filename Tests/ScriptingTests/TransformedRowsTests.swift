import TestSupport
import Testing

/// Whatever a transform makes of rows of a document and of tables: what comes is the answers, one after the other.
@Suite struct TransformedRowsTests {
  /// What a transform does with `row`, whose id is `$`, and what is to come of it; `first` is the first row of the page.
  private static let deeds: [(text: String, items: [String])] = [
    ("return row", [came]),
    ("local v = row.v return row", [came]),
    ("lookahead.sleep(1) return row", [came]),
    ("rawset(row, 'id', row.id) return row", [#"{"id":$,"v":1.5,"lines":[{"of":$}]}"#]),
    ("row.v = 2 return row", [#"{"id":$,"v":2,"lines":[{"of":$}]}"#]),
    ("row.half = 0.75 return row", [#"{"id":$,"v":1.50,"lines":[{"of":$}],"half":0.75}"#]),
    ("return first", ["first"]),
    ("return", []),
    ("return {}", []),
    ("return { id = row.id }", [#"{"id":$}"#]),
    ("return { row, { id = -row.id }, row }", [came, #"{"id":-$}"#, came]),
    ("return row.lines", [#"{"of":$}"#]),
    ("row.id, row.v, row.lines = nil return row", []),
    ("for k in pairs(row) do row[k] = nil end return row", []),
    ("while next(row) do row[next(row)] = nil end return row", []),
    ("row.id, row.v, row.lines = nil row.x = row.id or 1 return row", [#"{"x":1}"#]),
  ]
  private static let came = #"{"id":$,"v":1.50,"lines":[{"of":$}]}"#

  @Test(arguments: ["page", "table.move(page, 1, #page, 1, {})"], 1...20 as ClosedRange<UInt64>)
  func `what comes is what it answers`(_ list: String, _ seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    let count = 1 + Int.random(in: 0..<12, using: &dice)
    // Most answer with the row: only where all do, the list stays what it was.
    let chosen = (1...count).map { position in
      let isSame = position == 1 || Int.random(in: 0..<3, using: &dice) > 0
      return Self.deeds[Int.random(in: 0..<(isSame ? 3 : Self.deeds.count), using: &dice)]
    }
    func filled(_ text: String, _ id: Int) -> String {
      text == "first" ? filled(Self.came, 1) : text.replacing("$", with: "\(id)")
    }
    let rows = (1...count).map { filled(Self.came, $0) }.joined(separator: ",")
    let deeds = chosen.map { "function(row) \($0.text) end" }.joined(separator: ", ")
    let run = try ScriptRun(
      """
      local first
      local deeds, position = { \(deeds) }, 0
      return lookahead.source { id = false,
        transform = function(row)
          position = position + 1
          first = first or row
          return deeds[position](row)
        end,
        fetch = function()
          local page = lookahead.json.decode('[\(rows)]')
          return { items = \(list) }
        end,
      }
      """)

    #expect(run.failure == nil)
    let expected = chosen.enumerated().flatMap { index, deed in deed.items.map { filled($0, index + 1) } }
    #expect(run.items() == expected, "\(chosen.map(\.text))")
  }

  @Test(arguments: [
    "page[1] = { id = 9 }", "page[#page] = nil", "table.insert(page, { id = 9 })", "table.remove(page, 1)",
  ])
  func `a transform that changes its own list loses no item`(deed: String) throws {
    let run = try ScriptRun(
      """
      local page
      return lookahead.source {
        transform = function(row) if row.id == 2 then \(deed) end return row end,
        fetch = function()
          page = lookahead.json.decode('[{"id":1},{"id":2},{"id":3}]')
          return { items = page }
        end,
      }
      """)

    #expect(run.items() == [#"{"id":1}"#, #"{"id":2}"#, #"{"id":3}"#])
  }

  @Test func `what a transform does while another one waits is not mixed up`() throws {
    let run = try ScriptRun(
      """
      local source = lookahead.source { name = "n",
        transform = function(row)
          lookahead.sleep(math.random())
          if row.id % 3 == 0 then return nil end
          if row.id % 5 == 0 then return { row, { id = -row.id } } end
          return row
        end,
      }
      function source.fetch(context)
        local page = {}
        for id = 1, 20 do page[id] = ('{"id":%d}'):format(context.parameters.n * 100 + id) end
        return { items = lookahead.json.decode('[' .. table.concat(page, ',') .. ']') }
      end
      return source:partitions({ 1, 2, 3 }, function(n) return { n = n } end)
      """)

    #expect(run.failure == nil)
    let ids = (1...3).flatMap { n in (1...20).map { n * 100 + $0 } }.filter { $0 % 3 != 0 }
    let expected = ids + ids.filter { $0 % 5 == 0 }.map { -$0 }
    #expect(run.items().sorted() == expected.map { #"{"id":\#($0)}"# }.sorted())
  }
}
