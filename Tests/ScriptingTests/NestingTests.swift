import Testing

/// Sources whose handlers read other sources, or themselves.
@Suite struct NestingTests {
  private static let refusal =
    "more than 100 handlers inside each other: is it read by its own fetch handler?"

  @Test(arguments: [
    "for item in source:items() do end", "return source", "for page in source:pages() do end",
  ])
  func `a source that reads itself inside its fetch is refused by name`(_ reading: String) throws {
    let run = try ScriptRun(
      """
      local source
      source = lookahead.source { name = "mirror", fetch = function()
        for item in source:items() do end
        return { items = {} }
      end }
      \(reading)
      """)

    #expect(run.failure == "feed.lua:3: source 'mirror': \(Self.refusal)")
    #expect(run.isFinished)
  }

  @Test func `item sets inside each other end too`() throws {
    let run = try ScriptRun(
      """
      local function set(n)
        return lookahead.source { name = "set", fetch = function()
          set(n + 1):fetchNextPage()
          return { items = {} }
        end }:itemSet()
      end
      set(1):fetchNextPage()
      """)

    #expect(run.failure?.hasSuffix("source 'set': \(Self.refusal)") == true)
  }

  @Test func `prefetchers inside each other end too`() throws {
    let run = try ScriptRun(
      """
      local function details(n)
        return lookahead.prefetcher { fetch = function(id) return details(n + 1):get(id) end }
      end
      details(1):get(1)
      """)

    #expect(run.failure?.contains(Self.refusal) == true)
  }

  @Test func `handlers one after another are not inside each other`() throws {
    let run = try ScriptRun(
      numbers
        + """
        local count = 0
        for n = 1, 300 do
          for item in numbers(3):items() do count = count + 1 end
        end
        print(count)
        """)

    #expect(run.outcome == ["900"])
  }

  @Test func `a source of sources may be read a few deep`() throws {
    let run = try ScriptRun(
      """
      local function level(n)
        return lookahead.source { name = "level " .. n, fetch = function()
          local count = 0
          if n > 0 then for item in level(n - 1):items() do count = count + item.count end end
          return { items = { { id = n, count = count + 1 } } }
        end }
      end
      for item in level(40):items() do print(item.count) end
      """)

    #expect(run.outcome == ["41"])
  }

  @Test(arguments: [
    "lookahead.spawn(deep, n - 1):wait()", "lookahead.all { function() deep(n - 1) end }",
    "lookahead.map({ 1 }, 1, function() deep(n - 1) end)",
  ])
  func `tasks that wait for each other in a long chain end without the host`(_ next: String) throws {
    let body = "local function deep(n) if n == 0 then error('the bottom') end \(next) end deep(20000)"

    let raised = try ScriptRun(body)
    #expect(raised.failure?.contains("the bottom") == true)

    // Left where it is: nobody waits for it any more.
    let left = try ScriptRun(
      body.replacing("error('the bottom')", with: "lookahead.sleep(1e9)"), interruptedAt: 1)
    #expect(left.isFinished)
  }
}
