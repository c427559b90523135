import Testing

/// Parts of the library that are loaded when they are first used: no script can tell.
@Suite struct LateLibraryTests {
  private static let functions = [
    "collection", "prefetcher", "network", "workload", "experiment", "machine.shouldFetchBatch",
    "machine.batchContext", "machine.indexMap", "machine.difference", "machine.ranges", "machine.bound",
    "lab.run",
  ]

  /// Each alone in a state, and each again when it is there.
  @Test(arguments: functions) func `its first call fails as every other does, at the script's line`(
    name: String
  ) throws {
    let script = """
      local function said(...)
        local isRight, message = pcall(...)
        return isRight and type(message) or message
      end
      local f = lookahead.\(name)
      print(said(function() local value = f("?", "?") return value end))
      print(said(function() local value = lookahead.\(name)("?", "?") return value end))
      print(f == lookahead.\(name))
      """

    let lines = try printed(by: script)

    try #require(lines.count == 3)
    #expect(lines[0].replacing(":6:", with: ":7:") == lines[1])
    #expect(
      lines[0] == "table" || lines[0].hasPrefix("feed.lua:6: ") && lines[0].contains(name), "\(lines[0])")
    #expect(lines[2] == "true")
  }

  @Test func `what the library has does not depend on what was used`() throws {
    let script = """
      local function names()
        local found = {}
        for _, library in ipairs { lookahead, lookahead.machine, lookahead.lab } do
          for name, value in pairs(library) do found[#found + 1] = name .. " " .. tostring(value) end
        end
        table.sort(found)
        return table.concat(found, "\\n")
      end
      local before = names()
      lookahead.collection { data = {} }
      lookahead.machine.difference({ 1 }, { 2 }, { id = tostring })
      pcall(lookahead.workload, {})
      pcall(lookahead.network, {})
      lookahead.prefetcher { fetch = function() end }
      pcall(lookahead.experiment, {})
      print(before == names())
      """

    #expect(try printed(by: script) == ["true"])
  }
}
