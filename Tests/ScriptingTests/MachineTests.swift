import Testing

@Suite struct MachineTests {
  /// One decision: the fields besides a viewport of 100 × 100 that scrolls vertically over 500, and the rule that answers.
  @Test(arguments: [
    ("targetOffset = { x = 0, y = 350 }, leadingScreens = 1", "true\twithinTrigger"),
    ("targetOffset = { x = 0, y = 100 }, leadingScreens = 1", "false\tbeyondTrigger"),
    ("targetOffset = { x = 0, y = 100 }, leadingScreens = 4", "true\twithinTrigger"),
    ("isFetching = true", "false\talreadyFetching"),
    ("leadingScreens = 0", "false\tnoLeadingScreens"),
    ("bounds = { width = 0, height = 100 }", "false\temptyBounds"),
    ("contentSize = { width = 100, height = 50 }", "true\tsmallContent"),
    ("isVisible = false", "false\tinvisible"),
    ("scrollDirection = { \"up\" }, targetOffset = { x = 0, y = 350 }", "false\ttowardsHead"),
    (
      "targetOffset = { x = 0, y = 350 }, velocity = { x = 0, y = 1 }, delegate = function(time, hint) return hint end",
      "true\tdelegateYes"
    ),
    (
      "targetOffset = { x = 0, y = 350 }, velocity = { x = 0, y = 1 }, delegate = function() return false end",
      "false\tdelegateNo"
    ),
    (
      "scrollableDirections = { \"left\", \"right\" }, scrollDirection = { \"right\" }, contentSize = { width = 500, height = 100 }, targetOffset = { x = 380, y = 0 }, leadingScreens = 1",
      "true\twithinTrigger"
    ),
  ])
  func `a decision says which rule answered`(_ fields: String, _ answer: String) throws {
    let script = """
      local state = {
        scrollableDirections = { "up", "down" }, scrollDirection = { "down" },
        bounds = { width = 100, height = 100 }, contentSize = { width = 100, height = 500 },
      }
      for key, value in pairs { \(fields) } do state[key] = value end
      print(lookahead.machine.shouldFetchBatch(state))
      """

    #expect(try printed(by: script) == [answer])
  }

  @Test func `the delegate is told the time and the hint`() throws {
    let lines = try printed(
      by: """
        lookahead.machine.shouldFetchBatch {
          scrollableDirections = { "down" }, scrollDirection = { "down" }, bounds = { width = 10, height = 10 },
          contentSize = { width = 10, height = 100 }, targetOffset = { x = 0, y = 50 }, velocity = { x = 0, y = 2 },
          leadingScreens = 1, delegate = function(time, hint) print(time, hint) return true end,
        }
        """)

    #expect(lines == ["0.02\tfalse"])
  }

  @Test func `a batch context begins, completes and cancels`() throws {
    let lines = try printed(
      by: """
        local context = lookahead.machine.batchContext()
        print(context.isFetching, context.wasCancelled)
        local first = context:begin()
        print(first, context.isFetching, context:complete(false), context.isFetching)
        print(context:complete(), context.isFetching, context.wasCancelled)
        local second = context:begin()
        print(context:complete(true, first), context.isFetching)
        print(context:cancel(second), context.isFetching, context.wasCancelled)
        print(context:begin(), context.wasCancelled)
        """)

    #expect(
      lines == [
        "false\tfalse", "1\ttrue\ttrue\tfalse", "true\tfalse\tfalse", "false\ttrue", "true\tfalse\ttrue",
        "3\tfalse",
      ])
  }

  @Test func `an index map goes both ways, counted from 1`() throws {
    let lines = try printed(
      by: """
        local map = lookahead.machine.indexMap(5, { 2 }, { 1, 3 })
        local new, old = {}, {}
        for position = 1, 5 do new[position] = tostring(map:new(position)) end
        for position = 1, 6 do old[position] = tostring(map:old(position)) end
        print(table.concat(new, " "))
        print(table.concat(old, " "))
        print(map:new(0), map:new(6), lookahead.machine.indexMap(3):new(2))
        """)

    #expect(lines == ["2 nil 4 5 6", "nil 1 nil 3 4 5", "nil\tnil\t2"])
  }

  @Test(arguments: [
    ScriptCase(
      script: "shouldFetchBatch()", message: "machine.shouldFetchBatch: expected a table, got nothing"),
    ScriptCase(
      script: "shouldFetchBatch {}", message: "machine.shouldFetchBatch: scrollableDirections is missing"),
    ScriptCase(
      script: "shouldFetchBatch { scrollDirection = \"down\" }",
      message:
        "machine.shouldFetchBatch: scrollDirection: expected a list of \"up\", \"down\", \"left\", \"right\", got \"down\""
    ),
    ScriptCase(
      script: "shouldFetchBatch { bounds = { width = 1 } }",
      message: "machine.shouldFetchBatch: bounds: expected a table { width, height }, got table"),
    ScriptCase(
      script: "shouldFetchBatch { bound = {} }",
      message: "machine.shouldFetchBatch: unknown key 'bound' (did you mean 'bounds'?)"),
    ScriptCase(
      script: "batchContext().begin()",
      message:
        "batchContext:begin: expected a batch context (write batchContext:begin(…), not batchContext.begin(…))"
    ),
    ScriptCase(
      script: "batchContext().isFetching = true",
      message: "a batch context is changed by begin, complete and cancel only"),
    ScriptCase(
      script: "indexMap(-1)",
      message: "machine.indexMap: argument 1: expected an integer of at least 0, got -1"),
    ScriptCase(
      script: "indexMap(3, { 0 })",
      message: "machine.indexMap: deleted: argument 1: expected an integer of at least 1, got 0"),
    ScriptCase(
      script: "indexMap(3, { 2, 9 })",
      message:
        "machine.indexMap: deleted: argument 2: expected a position of the old ones, 1 to 3, got 9"),
    ScriptCase(
      script: "indexMap(3):new(\"a\")", message: "machine.indexMap: expected a position, got string"),
  ])
  func `misuse is told at its line`(_ example: ScriptCase) throws {
    #expect(try failure(of: "lookahead.machine." + example.script) == "feed.lua:1: " + example.message)
  }
}
