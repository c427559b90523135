import Foundation
import Testing

/// Texts of a run that reads its sources again and again: whole after each reading.
@Suite(.waiting) struct RefreshOutputTests {
  /// A page for each turn; a late turn brings another member. The first reading says when it begins, the others too.
  private static let script = """
    local turns = lookahead.source { name = "turns", keys = "page", pageSize = 100 }
    function turns.fetch(context)
      local items, turn = {}, context.generation
      if context.key > 1 then return { items = items } end
      print("reading " .. turn)
      for place = 1, 100 do items[place] = { id = turn * 100 + place, late = turn > 2 and turn or nil } end
      return { items = items }
    end
    return turns
    """

  /// What is in the file when the fourth reading begins, and after the signal.
  private func watched(_ output: String, _ signal: Int32) throws -> (during: String, after: String, Scratch) {
    let scratch = try Scratch(script: Self.script)
    try scratch.write(output, "old\n")
    var command = Command.lookahead(["run", "feed.lua", "-o", output, "--refresh", "30ms"])
    nonisolated(unsafe) var during = ""
    command.isToBeInterrupted = { sofar in
      guard sofar.errors.contains("reading 5\n") else { return false }
      during = (try? scratch.text(output)) ?? ""
      return true
    }
    command.signals = [signal]
    let result = try command.within(scratch).run()
    #expect(result.exitCode == (signal == SIGINT ? 130 : signal), "\(result.errors)")
    return (during, try scratch.text(output), scratch)
  }

  @Test(arguments: [SIGINT, SIGKILL])
  func `JSON is one list after each reading, and after a kill`(signal: Int32) throws {
    let (during, after, scratch) = try watched("a.json", signal)

    #expect((json(during) as? [Any])?.count ?? 0 >= 300)
    #expect((json(after) as? [Any])?.count ?? 0 >= 300)
    #expect(try scratch.names == ["a.json", "feed.lua"])
  }

  @Test(arguments: [SIGINT, SIGKILL])
  func `a CSV has a header for all of its rows after each reading`(signal: Int32) throws {
    let (during, after, _) = try watched("a.csv", signal)

    for text in [during, after] {
      let rows = text.split(separator: "\r\n")
      #expect(rows.first == "id,late")
      #expect(rows.count >= 301)
      #expect(rows.allSatisfy { $0.count { $0 == "," } == 1 })
    }
  }

  @Test func `lines are there after the first reading, and the old ones until then`() throws {
    let (during, after, _) = try watched("a.ndjson", SIGKILL)

    #expect(Items(lines: during)?.count ?? 0 >= 300)
    #expect(after.hasPrefix(during))
  }

  @Test(arguments: ["", "--changes"])
  func `JSON on a pipe is one list, closed at the end`(options: String) throws {
    let result = try Scratch(script: Self.script).shell(
      "lookahead run feed.lua --format json --refresh 1ms --refreshes 2 \(options) | cat")

    #expect((json(result.output) as? [Any])?.count ?? 0 >= 300, "\(result.errors)")
    #expect(!result.errors.contains("error"))
  }

  @Test func `a second run on what is kept up to date is refused`() throws {
    let scratch = try Scratch(script: Self.script)
    var command = Command.lookahead(["run", "feed.lua", "-o", "a.ndjson", "--refresh", "30ms"])
    nonisolated(unsafe) var second: CommandResult?
    command.isToBeInterrupted = { sofar in
      guard sofar.errors.contains("reading 3\n") else { return false }
      second = second ?? (try? scratch.lookahead("run", "feed.lua", "-o", "a.ndjson"))
      return true
    }

    _ = try command.within(scratch).run()

    #expect(second?.exitCode == 73)
    #expect(second?.error.contains("another run is writing it") == true)
    #expect(try scratch.names == ["a.ndjson", "feed.lua"])
  }
}
