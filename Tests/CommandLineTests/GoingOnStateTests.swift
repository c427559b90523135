import Foundation
import Testing

/// What is remembered of pages whose handlers go on behind `context:complete`: nothing before they have ended.
@Suite(.waiting) struct GoingOnStateTests {
  /// Two partitions of one page each, whose handlers go on for a moment: that of N fails there as long as a file `failN` is there, and
  /// none ends as long as `slow` is.
  private static let parted = """
    local rows = lookahead.source { name = "rows", keys = "page", pageSize = 1 }
    function rows.fetch(context)
      local n = math.tointeger(context.parameters.n)
      context:append { { id = n } }
      context:complete(false)
      lookahead.sleep(0.1)
      if lookahead.fs.exists("slow") then print("going on with " .. n) end
      while lookahead.fs.exists("slow") do lookahead.sleep(0.01) end
      if lookahead.fs.exists("fail" .. n) then error("late " .. n, 0) end
      print("confirmed " .. n)
    end
    return rows:partitions({ 1, 2 }, function(n) return { n = n } end)
    """

  /// Four pages, whose handlers emit an item more at their ends: as long as `slow` is there only the first one ends, and that before the
  /// second page comes where `waits` is there, too.
  private static let list = """
    local isSlow, waits = lookahead.fs.exists("slow"), lookahead.fs.exists("waits")
    local isConfirmed = false
    local list = lookahead.source { name = "list", keys = "page", pageSize = 1, maxInFlight = 1 }
    function list.fetch(context)
      local key = math.tointeger(context.key)
      while isSlow and waits and key == 2 and not isConfirmed do lookahead.sleep(0.01) end
      context:append { { id = key } }
      context:complete(key < 4)
      lookahead.sleep(0.1)
      if isSlow and key > 1 then
        print("going on with " .. key)
        while true do lookahead.sleep(0.01) end
      end
      lookahead.emit({ id = key + 100 }, "late")
      isConfirmed = true
    end
    return list
    """

  /// The ids in an output, sorted: those of a database, a folder of parts, a folder, or a text.
  private func ids(in output: String, of streams: String..., scratch: Scratch) throws -> [Int] {
    let name = output.split(separator: " ")[0]
    let query = streams.map { "SELECT id FROM \($0)" }.joined(separator: " UNION ALL ")
    let line: String =
      if output.hasSuffix("--parts") {
        "lookahead collect \(name) -o collected.ndjson > /dev/null && cat collected.ndjson"
      } else if name.hasSuffix(".db") {
        "sqlite3 \(name) '\(query)'"
      } else if name.hasSuffix("/") {
        "cat \(name)*.ndjson"
      } else {
        name.hasSuffix(".zst") ? "zstdcat \(name)" : "zcat -f \(name)"
      }
    let found = try scratch.shell("{ \(line); } | grep -oE '\\b(10)?[1-4]\\b'")
    return found.lines.compactMap { Int($0) }.sorted()
  }

  /// A run that is ended when so many handlers have said that they go on.
  private func ended(
    by signal: Int32, _ output: String, goingOn count: Int, _ scratch: Scratch
  ) throws -> CommandResult {
    var command = Command.lookahead(
      ["run", "feed.lua", "-o"] + output.split(separator: " ").map { String($0) })
    command.isToBeInterrupted = { $0.errors.components(separatedBy: "going on with").count > count }
    command.signals = [signal]
    return try command.within(scratch).run()
  }

  @Test(arguments: ["all/ --parts", "all.db"])
  func `a partition whose handler fails in the end has failed, and is read by the next worker`(
    output: String
  ) throws {
    let scratch = try Scratch(script: Self.parted)
    let line = "lookahead partitions feed.lua | lookahead work feed.lua -o \(output)"

    let first = try scratch.shell("touch fail2; \(line)")
    let second = try scratch.shell("rm fail2; \(line)")

    #expect(first.exitCode == 1, "\(first.errors)")
    #expect(first.lines.count { $0.contains(#""event":"done""#) } == 1, "\(first.output)")
    #expect(first.lines.count { $0.contains(#""event":"failed""#) } == 1, "\(first.output)")
    #expect(first.lines.last?.contains(#""partitions":{"done":1,"failed":1}"#) == true, "\(first.output)")
    #expect(first.errors.contains("late 2"))
    #expect(second.exitCode == 0, "\(second.errors)")
    #expect(second.lines.count { $0.contains(#""isNew":true"#) } == 1, "\(second.output)")
    #expect(second.errors.contains("confirmed 2") && !second.errors.contains("confirmed 1"))
    #expect(try ids(in: output, of: "rows", scratch: scratch) == [1, 2])
  }

  @Test(
    arguments: ["all/ --parts", "all.db", "all.ndjson", "all.json", "all.csv", "all.ndjson.gz", "all/"],
    ["", "--jobs 2"])
  func `a run whose handler fails in the end has not read its page`(output: String, jobs: String) throws {
    let scratch = try Scratch(script: Self.parted)
    let line = "lookahead run feed.lua \(jobs) -o \(output)"

    let first = try scratch.shell("touch fail2; \(line)")
    let second = try scratch.shell("rm fail2; \(line)")

    #expect(first.exitCode == 65 && first.errors.contains("late 2"), "\(first.errors)")
    #expect(second.exitCode == 0 && second.errors.contains("confirmed 2"), "\(second.errors)")
    #expect(try ids(in: output, of: "rows", scratch: scratch) == [1, 2])
  }

  @Test(arguments: ["all/ --parts", "all.db", "all.ndjson"], [SIGINT, SIGKILL])
  func `no partition is read to its end whose handler goes on`(output: String, signal: Int32) throws {
    let scratch = try Scratch(script: Self.parted)
    try scratch.write("slow", "")
    _ = try ended(by: signal, output, goingOn: 2, scratch)
    let done = try scratch.shell("ls all/parts 2> /dev/null | grep -c done")

    let second = try scratch.shell("rm slow; lookahead run feed.lua -o \(output)")

    #expect(done.lines == ["0"])
    #expect(second.exitCode == 0, "\(second.errors)")
    #expect((1...2).allSatisfy { second.errors.contains("confirmed \($0)") }, "\(second.errors)")
    #expect(try ids(in: output, of: "rows", scratch: scratch) == [1, 2])
  }

  private static let outputs = [
    "all.db", "all.ndjson --tag", "all.json --tag", "all.csv --tag", "all.ndjson.gz --tag",
    "all.csv.zst --tag", "all/",
  ]

  @Test(arguments: outputs, [SIGINT, SIGKILL])
  func `what handlers have left to do is done by the next run, and no item comes twice`(
    output: String, signal: Int32
  ) throws {
    let scratch = try Scratch(script: Self.list)
    try scratch.write("slow", "")
    _ = try ended(by: signal, output, goingOn: 3, scratch)

    let second = try scratch.shell("rm slow; lookahead run feed.lua -o \(output)")

    #expect(second.exitCode == 0, "\(second.errors)")
    #expect(!second.errors.contains("going on") && !second.errors.contains("already"), "\(second.errors)")
    #expect(
      try ids(in: output, of: "list", "late", scratch: scratch) == [1, 2, 3, 4, 101, 102, 103, 104])
  }

  /// The page before the place at which a reading goes on is looked at again, and its handler emits again.
  @Test(arguments: outputs)
  func `a run that is stopped goes on behind the pages whose handlers had ended`(output: String) throws {
    let scratch = try Scratch(script: Self.list)
    for name in ["slow", "waits"] { try scratch.write(name, "") }
    let first = try ended(by: SIGINT, output, goingOn: 3, scratch)

    let second = try scratch.shell("rm slow; lookahead run feed.lua -o \(output)")
    let found = try ids(in: output, of: "list", "late", scratch: scratch)

    #expect(first.exitCode == 130, "\(first.errors)")
    #expect(second.exitCode == 0, "\(second.errors)")
    #expect(second.errors.contains("going on at page 2: 1 item is there"), "\(second.errors)")
    #expect(found.filter { $0 < 100 } == [1, 2, 3, 4])
    #expect(Set(found.filter { $0 > 100 }) == [101, 102, 103, 104])
  }

  @Test(arguments: ["all.ndjson --tag", "all.csv --tag", "all.json.gz --tag", "all/"])
  func `half a page that was the first to come is not there twice`(output: String) throws {
    let scratch = try Scratch(
      script: """
        local list = lookahead.source { name = "list" }
        function list.fetch(context)
          context:append { { id = 1 } }
          if lookahead.fs.exists("slow") then
            lookahead.sleep(0.1)
            print("going on with 1")
            while true do lookahead.sleep(0.01) end
          end
          context:append { { id = 2 } }
          context:complete(false)
        end
        return list
        """)
    try scratch.write("slow", "")
    let first = try ended(by: SIGINT, output, goingOn: 1, scratch)

    let second = try scratch.shell("rm slow; lookahead run feed.lua -o \(output)")

    #expect(first.exitCode == 130, "\(first.errors)")
    #expect(second.exitCode == 0, "\(second.errors)")
    #expect(try ids(in: output, of: "list", scratch: scratch) == [1, 2])
  }

  @Test(arguments: ["all.ndjson --tag", "all.csv --tag", "all.ndjson.gz --tag", "all/", "all.db"])
  func `a step of a handler that goes on is over with its page`(output: String) throws {
    let scratch = try Scratch(
      script: """
        local list = lookahead.source { name = "list", keys = "page", pageSize = 1, maxInFlight = 1 }
        function list.fetch(context)
          local key = math.tointeger(context.key)
          context:append { { id = key } }
          context:complete(key < 2)
          lookahead.step("details of " .. key, function() lookahead.emit({ id = key + 100 }, "late") end)
          if lookahead.fs.exists("slow") then
            lookahead.sleep(0.1)
            print("going on with " .. key)
            while true do lookahead.sleep(0.01) end
          end
        end
        return list
        """)
    try scratch.write("slow", "")
    let first = try ended(by: SIGINT, output, goingOn: 2, scratch)

    let second = try scratch.shell("rm slow; lookahead run feed.lua -o \(output)")

    #expect(first.exitCode == 130, "\(first.errors)")
    #expect(second.exitCode == 0, "\(second.errors)")
    #expect(try ids(in: output, of: "list", "late", scratch: scratch) == [1, 2, 101, 102])
  }
}
