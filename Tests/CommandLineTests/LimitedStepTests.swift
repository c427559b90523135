import Testing

/// Outputs of runs with steps that a limit ends, and of those that come behind them.
@Suite(.waiting) struct LimitedStepTests {
  private static let outputs = ["a.ndjson", "a.csv", "a.json", "a.ndjson.gz", "a/", "a.db"]

  /// How many words `w1`, `w2` … there are in all files or tables of the output, and how many of them are there twice.
  private func words(_ scratch: Scratch, in output: String) throws -> String {
    let text =
      switch output {
      case "a.db":
        "for table in $(sqlite3 a.db .tables | tr ' ' '\\n' | grep -v _lookahead); do sqlite3 a.db \"select w from $table\"; done"
      case "a/": "cat a/*"
      default: "zcat -f \(output)"
      }
    let count = "awk '{ all += $1; if ($1 > 1) twice++ } END { print all + 0, twice + 0 }'"
    return try scratch.shell("(\(text)) | grep -o 'w[0-9][0-9]*' | sort | uniq -c | \(count)").output
  }

  @Test(arguments: outputs, ["id = n, ", ""])
  func `what a step has brought until the limit is there, and in its place once the step is done`(
    output: String, id: String
  ) throws {
    let scratch = try Scratch(
      script: """
        lookahead.step("a", function()
          for n = 1, 10 do lookahead.emit { \(id)w = "w" .. n } end
        end)
        """)

    let cut = try scratch.lookahead("run", "feed.lua", "-o", output, "--limit", "5", "--summary", "s.json")
    let part = try words(scratch, in: output)
    let summary = try scratch.text("s.json")
    let whole = try scratch.lookahead("run", "feed.lua", "-o", output)

    #expect(cut.exitCode == 0, "\(cut.errors)")
    #expect(part == "5 0\n")
    #expect(cut.errors.contains("5 items, "), "\(cut.errors)")
    #expect(summary.contains("\"streams\":{\"feed\":5}"), "\(summary)")
    #expect(whole.exitCode == 0, "\(whole.errors)")
    #expect(try words(scratch, in: output) == "10 0\n")
  }

  @Test(arguments: outputs)
  func `a step that brings as many items as the limit has is whole`(output: String) throws {
    let scratch = try Scratch(
      script: """
        lookahead.step("a", function()
          for n = 1, 10 do lookahead.emit { id = n, w = "w" .. n } end
        end)
        """)

    let result = try scratch.lookahead("run", "feed.lua", "-o", output, "--limit", "10")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try words(scratch, in: output) == "10 0\n")
  }

  /// The reading is open then, so that the next run goes on with it: it does the step again, whose part has to go.
  @Test(
    arguments: outputs.map { ($0, "") } + ["a/", "a.db"].flatMap { [($0, "details"), ($0, "counted")] })
  func `a step that is cut while a page is fetched is done again by a run that goes on with the reading`(
    output: String, stream: String
  ) throws {
    let id = stream == "counted" ? "" : "id = 100 + n, "
    let name = stream.isEmpty ? "" : ", '\(stream)'"
    let scratch = try Scratch(
      script: """
        local list = lookahead.source { keys = "page", pageSize = 2, maxInFlight = 1 }
        function list.fetch(context)
          if context.key == 2 then
            lookahead.sleep(0.1)
            lookahead.step("detail", function()
              for n = 1, 10 do lookahead.emit({ \(id)w = "w" .. 100 + n }\(name)) end
            end)
          end
          local items = {}
          for n = context.key * 2 - 1, context.key * 2 do items[#items + 1] = { id = n, w = "w" .. n } end
          return { items = items, isLast = context.key == 3 }
        end
        return list
        """)

    let cut = try scratch.lookahead("run", "feed.lua", "-o", output, "--limit", "5")
    let part = try words(scratch, in: output)
    let whole = try scratch.lookahead("run", "feed.lua", "-o", output)

    #expect(cut.exitCode == 0, "\(cut.errors)")
    #expect(part == "5 0\n")
    #expect(whole.exitCode == 0, "\(whole.errors)")
    #expect(whole.errors.contains("going on at page 2: 2 items are there"), "\(whole.errors)")
    #expect(try words(scratch, in: output) == "16 0\n")
  }

  @Test(arguments: ["a.ndjson", "a.db"])
  func `items of steps that failed or were cancelled do not count`(output: String) throws {
    let scratch = try Scratch(
      script: """
        local isSlow = true
        local function work()
          lookahead.step("a", function()
            lookahead.emit { id = 1, w = "w1" }
            if isSlow then lookahead.sleep(5) end
          end)
        end
        pcall(lookahead.step, "b", function()
          for n = 1, 4 do lookahead.emit { id = n, w = "w" .. n } end
          lookahead.sleep(0.05)
          error("no")
        end)
        pcall(lookahead.all, { work, function() lookahead.sleep(0.05) error("other") end })
        isSlow = false
        work()
        for n = 11, 20 do lookahead.emit { id = n, w = "w" .. n } end
        """)

    let result = try scratch.lookahead(
      "run", "feed.lua", "-o", output, "--limit", "6", "--summary", "s.json")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try words(scratch, in: output) == "6 0\n")
    #expect(result.errors.contains("6 items, "), "\(result.errors)")
    let summary = try scratch.text("s.json")
    #expect(summary.contains("\"items\":6,") && summary.contains("\"streams\":{\"feed\":6}"), "\(summary)")
  }
}
