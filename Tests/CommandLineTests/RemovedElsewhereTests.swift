import TestSupport
import Testing

/// What one part of a source says is gone, where another part has brought it.
@Suite(.waiting) struct RemovedElsewhereTests {
  /// Y moves from the second account to the first one, which the second one notes as its end.
  private static let source = """
    local p = lookahead.parameters { night = { default = 1, partition = false }, account = 1 }
    local s = lookahead.source { name = "t", id = "id", bookmark = "at", isRemoved = function(item) return item.gone end }
    local nights = {
      { { { id = "a", at = 1 } }, { { id = "Y", at = 1, text = "old" }, { id = "b", at = 1 } } },
      { { { id = "Y", at = 6, text = "moved" } }, { { id = "Y", at = 5, gone = true } } },
    }
    local function items(account) return { items = nights[p.night][account] } end

    """
  private static let byParameter = source + "function s.fetch() return items(p.account) end\nreturn s"
  private static let inOneRun =
    source + """
      function s.fetch(context) return items(context.parameters.account) end
      return s:partitions({ ORDER }, function(account) return { account = account } end, { limit = 1 })
      """

  private func run(_ night: Int, _ options: [String], _ scratch: Scratch) throws -> CommandResult {
    var command = Command.lookahead(["run", "feed.lua", "-e", "night=\(night)"] + options).within(scratch)
    command.environment = TestDatabases.environment
    let result = try command.run()
    #expect(result.exitCode == 0, "\(result.errors)")
    return result
  }

  @Test(arguments: ["1, 2", "2, 1"])
  func `a row that another part has brought since stays, whichever of them is read first`(order: String)
    throws
  {
    let scratch = try Scratch(script: Self.inOneRun.replacing("ORDER", with: order))

    for night in [1, 2] { _ = try run(night, ["-o", "a.db"], scratch) }

    let first = order == "1, 2" ? (1, 2) : (2, 1)
    #expect(try rows("a.db", scratch) == ["Y moved \(first.0)", "a  \(first.0)", "b  \(first.1)"])
  }

  /// Id, text and part of each row.
  private func rows(_ output: String, _ scratch: Scratch) throws -> [String] {
    try scratch.values(
      "SELECT id || ' ' || coalesce(text, '') || ' ' || _partition AS value FROM t ORDER BY 1", in: output)
  }

  private static let outputs = TestDrivers.areInstalled ? ["a.db", "a.duckdb"] : ["a.db"]

  @Test(arguments: outputs, [[], ["--write", "mirror"]])
  func `a run for one parameter takes no row of another's`(output: String, options: [String]) throws {
    let scratch = try Scratch(script: Self.byParameter)
    for (night, account) in [(1, 1), (1, 2), (2, 1)] {
      _ = try run(night, ["-o", output, "-e", "account=\(account)"] + options, scratch)
    }

    _ = try run(2, ["-o", output, "-e", "account=2", "--summary", "s.json"] + options, scratch)

    #expect(try rows(output, scratch) == ["Y moved 1", "a  1", "b  2"])
    #expect(try scratch.shell("jq .removed s.json").output == "0\n")
  }

  @Test func `what a part has brought itself it takes back`() throws {
    let scratch = try Scratch(script: Self.byParameter)

    for (night, account) in [(1, 1), (1, 2), (2, 2)] {
      _ = try run(night, ["-o", "a.db", "-e", "account=\(account)"], scratch)
    }

    #expect(try rows("a.db", scratch) == ["a  1", "b  2"])
  }
}
