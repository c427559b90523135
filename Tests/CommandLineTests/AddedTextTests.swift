import Foundation
import Testing

/// Texts to which some readings add, beside readings that are written anew.
@Suite(.waiting) struct AddedTextTests {
  private static let sources = """
    local p = lookahead.parameters { night = { default = 1, partition = false } }
    local plain = lookahead.source { name = "plain", keys = "page" }
    function plain.fetch() return { items = { { id = p.night }, { id = 10 + p.night } }, isLast = true } end
    local new = lookahead.source { name = "new", keys = "page", bookmark = "at", parameters = { account = 0 } }
    function new.fetch(context)
      return { items = { { id = p.night, at = p.night, of = context.parameters.account } }, isLast = true }
    end

    """

  private func nights(_ ending: String, _ options: String) throws -> (Scratch, [CommandResult]) {
    let scratch = try Scratch(script: Self.sources + ending)
    return (
      scratch,
      try (1...3).map { try scratch.shell("lookahead run feed.lua \(options) -e night=\($0)") }
    )
  }

  @Test(arguments: ["{ plain, new }", "{ new, plain }"])
  func `in a folder what is new is added to its file, and what is read anew replaces its own`(order: String)
    throws
  {
    let (scratch, nights) = try nights("return \(order)", "-o out/")

    #expect(nights.allSatisfy { $0.exitCode == 0 }, "\(nights.map(\.errors))")
    #expect(try scratch.shell("jq -c .id out/new.ndjson").output == "1\n2\n3\n")
    #expect(try scratch.shell("jq -c .id out/plain.ndjson").output == "3\n13\n")
  }

  @Test(arguments: ["{ plain, new }", "{ new, plain }"])
  func `one file can't keep what one source has brought and replace what another has`(order: String) throws {
    let (scratch, nights) = try nights("return \(order)", "--tag -o a.ndjson")

    #expect(nights.map(\.exitCode) == [0, 73, 73])
    #expect(
      nights[2].errors.contains("source 'plain' is read anew, and what it brought to a.ndjson before"),
      "\(nights[2].errors)")
    #expect(try scratch.shell("jq -c .id a.ndjson | sort -n").output == "1\n1\n11\n")
  }

  @Test(arguments: ["-o a.ndjson", "-o a.csv", "-o a.json", "-o out/"])
  func `a part that is read for the first time takes nothing from the others, though it begins first`(
    output: String
  ) throws {
    let (scratch, nights) = try nights(
      """
      local accounts = p.night == 1 and { 1 } or p.night == 2 and { 2, 1 } or { 3, 2, 1 }
      return new:partitions(accounts, function(account) return { account = account } end, { limit = 1 })
      """, output)
    let read =
      switch output {
      case "-o a.csv": "tail -n +2 a.csv | wc -l"
      case "-o a.json": "jq length a.json"
      case "-o out/": "wc -l < out/new.ndjson"
      default: "wc -l < a.ndjson"
      }

    #expect(nights.allSatisfy { $0.exitCode == 0 }, "\(nights.map(\.errors))")
    #expect(try scratch.shell(read).output == "6\n")
  }

  @Test func `nothing is added to a file in another form`() throws {
    let scratch = try Scratch(script: Self.sources + "return new")
    _ = try scratch.shell("lookahead run feed.lua -o a.txt --format ndjson")
    let before = try scratch.text("a.txt")

    let other = try scratch.shell("lookahead run feed.lua -o a.txt --format json -e night=2")
    let same = try scratch.shell("lookahead run feed.lua -o a.txt --format ndjson -e night=2")

    #expect(other.exitCode == 73 && other.errors.contains("nothing is added to it"), "\(other.errors)")
    #expect(same.exitCode == 0, "\(same.errors)")
    #expect(try scratch.text("a.txt") == before + before.replacing("1", with: "2"))
  }

  @Test func `a file that was changed is refused again, also where another of the folder is written anew`()
    throws
  {
    let scratch = try Scratch(
      script: Self.sources + """
        local fetch = new.fetch
        function new.fetch(context)
          if p.night == 2 then error("closed for lunch") end
          return fetch(context)
        end
        return { plain, new }
        """)
    let options = "lookahead run feed.lua -o out/ --retries 0 -e night="
    _ = try scratch.shell(options + "1")
    _ = try scratch.shell(options + "2")
    _ = try scratch.shell("echo '{}' > out/new.ndjson; for file in out/*partial; do rm -f $file; done")

    let later = try (3...4).map { try scratch.shell(options + "\($0)") }

    #expect(later.map(\.exitCode) == [73, 73], "\(later.map(\.errors))")
    #expect(try scratch.text("out/new.ndjson") == "{}\n")
    #expect(try scratch.shell(options + "5 --fresh").exitCode == 0)
    #expect(try scratch.shell("jq -c .id out/new.ndjson").output == "5\n")
  }

  /// What somebody else has written behind is theirs.
  @Test(
    arguments: ["a.ndjson", "a.csv", "a.json", "a.ndjson.gz", "out/"], ["append", "stopped", "killed"])
  func `lines that somebody has added are not lost as a run goes on`(output: String, before: String) throws {
    let scratch = try Scratch(
      script: """
        local p = lookahead.parameters { to = { default = 0, partition = false } }
        local things = lookahead.source { name = "feed", keys = "page", pageSize = 2 }
        function things.fetch(context)
          if context.key == p.to then print("it waits") lookahead.sleep(3600) end
          return { items = { { id = context.key * 2 }, { id = context.key * 2 + 1 } }, isLast = context.key == 9 }
        end
        return things
        """)
    let file = output == "out/" ? "out/feed.ndjson" : output
    let write = before == "append" ? ["--write", "append"] : []
    func run(_ options: String...) throws -> CommandResult {
      try Command.lookahead(["run", "feed.lua", "-o", output] + write + options).within(scratch).run()
    }
    _ = try run("--max-pages", before == "append" ? "100" : "3")
    if before == "killed" {
      var killed = Command.lookahead(["run", "feed.lua", "-o", output, "-e", "to=7"]).within(scratch)
      killed.isToBeInterrupted = { $0.errors.contains("it waits") }
      killed.signals = [SIGKILL]
      _ = try killed.run()
    }
    let length = try scratch.shell("stat -c %s \(file)").output.prefix { $0.isNumber }
    let mine = output.hasSuffix("gz") ? "echo mine | gzip" : "echo mine"
    _ = try scratch.shell("\(mine) >> \(file)")
    let whole = try scratch.shell("sha256sum < \(file)").output

    let refused = try run()
    let after = try scratch.shell("sha256sum < \(file)").output
    _ = try scratch.shell("truncate -s \(length) \(file)")
    let again = try run()

    #expect(refused.exitCode == 73, "\(refused.errors)")
    #expect(
      refused.errors.contains("that the last run left, and going on would lose them"), "\(refused.errors)")
    #expect(refused.errors.contains("truncate -s"))
    #expect(after == whole)
    #expect(again.exitCode == 0, "\(again.errors)")
    let text = try scratch.shell("[[ \(file) = *.gz ]] && zcat \(file) || cat \(file)").output
    #expect(text.matches(of: /\d+/).count == (before == "append" ? 36 : 18), "\(text)")
    #expect(!text.contains("mine"))
  }

  @Test func `a source that says it is appended keeps all its readings`() throws {
    let scratch = try Scratch(
      script: Self.sources.replacing("name = \"plain\",", with: "name = \"plain\", write = \"append\",")
        + "return plain")

    let nights = try (1...3).map { try scratch.shell("lookahead run feed.lua -o a.ndjson -e night=\($0)") }

    #expect(nights.allSatisfy { $0.exitCode == 0 }, "\(nights.map(\.errors))")
    #expect(try scratch.shell("jq -c .id a.ndjson | tr '\\n' ' '").output == "1 11 2 12 3 13 ")
  }

  @Test func `a source whose bookmark was forgotten is not read into what others keep`() throws {
    let scratch = try Scratch(
      script: Self.sources
        + "return new:partitions({ 1, 2 }, function(account) return { account = account } end, { limit = 1 })"
    )
    _ = try scratch.shell("lookahead run feed.lua -o a.ndjson")
    let whole = try scratch.text("a.ndjson")
    _ = try scratch.shell("lookahead state a.ndjson --reset --source new")

    let again = try scratch.shell("lookahead run feed.lua -o a.ndjson")

    #expect(again.exitCode == 0, "\(again.errors)")
    #expect(try scratch.text("a.ndjson") == whole)
  }

  @Test(arguments: [
    "a.ndjson", "a.ndjson.gz", "a.ndjson.zst", "a.csv", "a.csv.gz", "a.json", "a.json.gz", "out/",
  ])
  func `what a reading without items has left is added to by the next one`(output: String) throws {
    let scratch = try Scratch(
      script: """
        local p = lookahead.parameters { count = { default = 0, partition = false } }
        return lookahead.source { name = "s", keys = "page", write = "append", fetch = function()
          local items = {}
          for id = 1, p.count do items[id] = { id = id } end
          return { items = items, isLast = true }
        end }
        """)

    let runs = try [0, 2, 0, 1].map {
      try scratch.lookahead("run", "feed.lua", "-o", output, "-e", "count=\($0)")
    }
    let file = output == "out/" ? "out/s.ndjson" : output

    #expect(runs.allSatisfy { $0.exitCode == 0 }, "\(runs.map(\.errors))")
    let unpack = file.hasSuffix("gz") ? "gzip -dc" : file.hasSuffix("zst") ? "zstd -dc" : "cat"
    let text = try scratch.shell("\(unpack) \(file)").output
    #expect(text.matches(of: /1|2/).map(\.output) == ["1", "2", "1"], "\(text)")
  }

  @Test(arguments: ["a.ndjson", "a.csv", "a.json", "out/"])
  func `a text that keeps the lines of items that are gone says so`(output: String) throws {
    let scratch = try Scratch(
      script: """
        return lookahead.source { name = "s", fetch = function(context)
          if context.key then return { items = { { id = 2 } }, removed = { 5 } } end
          return { items = { { id = 1 }, { id = 5 } }, nextKey = "b" }
        end }
        """)

    let result = try scratch.lookahead("run", "feed.lua", "-o", output)

    #expect(result.exitCode == 0)
    #expect(
      result.errors.contains("the source says that 1 item is gone: it stays"), "\(result.errors)"
    )
    #expect(!result.errors.contains("1 removed"), "\(result.errors)")
  }
}
