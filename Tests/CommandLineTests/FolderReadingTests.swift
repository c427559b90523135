import Testing

/// Streams in a folder, each with a file of its own: what is over is read again by the next run, whatever others are in the middle of.
@Suite(.waiting) struct FolderReadingTests {
  private static let script = """
    local n = lookahead.parameters { n = { default = 3, partition = false }, fails = { default = false, partition = false } }
    local function make(name, count)
      local new = lookahead.source { name = name, pageSize = 20, retries = 0, BOOKMARK }
      function new.fetch(context)
        if n.fails and name == "long" and context.key == 41 then error("closed") end
        local first, items = context.key or context.bookmark or 1, lookahead.json.array {}
        for id = first, math.min(first + 19, count) do items[#items + 1] = { id = id } end
        return { items = items, nextKey = first + 20 <= count and first + 20 or nil }
      end
      return new
    end
    return { make("short", n.n), make("long", 1000) }
    """

  @Test(
    arguments: ["dir/", "o.db"],
    [
      (["--max-pages", "2"], ""), (["-e", "fails=true"], ""), (["--max-pages", "2"], "bookmark = 'id'"),
      (["-e", "fails=true"], "bookmark = 'id'"),
    ])
  func `a short stream is new each night while a long one goes on`(
    output: String, way: (options: [String], bookmark: String)
  ) throws {
    let (options, bookmark) = way
    let scratch = try Scratch(script: Self.script.replacing("BOOKMARK", with: bookmark))
    for n in [3, 5, 8, 13] {
      let result = try Command.lookahead(["run", "feed.lua", "-o", output, "-e", "n=\(n)"] + options)
        .within(scratch).run()

      #expect(result.exitCode == (options.contains("fails=true") ? 65 : 0), "\(result.errors)")
      // A text takes the place of the one before when all is well.
      if output == "dir/", result.exitCode != 0 { continue }
      let count =
        try output == "dir/"
        ? scratch.text("dir/short.ndjson").split(separator: "\n").count
        : Int(scratch.values("SELECT count(*) AS value FROM short", in: output).first ?? "")
      #expect(count == n, "\(result.errors)")
    }
    let last = try scratch.lookahead("run", "feed.lua", "-o", output, "-e", "n=20")

    #expect(last.exitCode == 0, "\(last.errors)")
    if output == "dir/" {
      #expect(try scratch.text("dir/short.ndjson").split(separator: "\n").count == 20)
      #expect(try scratch.text("dir/long.ndjson").split(separator: "\n").count == 1000)
    }
  }
}
