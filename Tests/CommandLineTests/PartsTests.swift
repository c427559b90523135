import Foundation
import Testing

/// A folder with a part for each partition, and `lookahead collect`.
@Suite(.waiting) struct PartsTests {
  private func files(_ scratch: Scratch, _ pattern: String) throws -> [String] {
    try scratch.shell("cd all/parts && ls | grep '\(pattern)'").lines
  }

  @Test func `a run leaves a part for each partition and a manifest, and nothing else`() throws {
    let scratch = try Scratch(script: PartedScript.text)
    let result = try scratch.lookahead("run", "feed.lua", "-o", "all/", "--parts")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try files(scratch, "").count == 24)
    #expect(try files(scratch, "[.]1[.]ndjson$").count == 12)
    let manifest = try JSONDecoder().decode(Manifest.self, from: Data(scratch.text("all/manifest.json").utf8))
    #expect(manifest.partitions == 12 && manifest.parts.count == 12 && manifest.nextEpoch == 2)
    for part in manifest.parts {
      let rows = try scratch.text("all/\(part.file)")
      #expect(rows.utf8.count == part.bytes)
      #expect(rows.split(separator: "\n").count == part.items && part.pages * 10 <= part.items)
    }
    #expect(try PartedScript.rows(of: "all/", in: scratch) == PartedScript.rows())
  }

  private struct Manifest: Decodable {
    let partitions: Int
    let nextEpoch: Int
    let parts: [Part]
    struct Part: Decodable {
      let file: String
      let items: Int
      let pages: Int
      let bytes: Int
    }
  }

  @Test func `a run that is killed goes on, and fetches one page again at most`() throws {
    let scratch = try Scratch(script: PartedScript.text)
    let killed = try scratch.shell(
      "lookahead run feed.lua -o all/ --parts -e hold=7 2> first & until grep -q 'page 4 of 7' first; do sleep 0.01; done\n"
        + "sleep 0.2; kill -9 $(pgrep -P $! -f hold=7 || echo $!); wait")
    let first = try scratch.text("first")
    let second = try scratch.lookahead("run", "feed.lua", "-o", "all/", "--parts")

    #expect(!scratch.has("all/manifest.json") || second.exitCode == 0, "\(killed.errors)")
    #expect(second.exitCode == 0, "\(second.errors)")
    #expect(try files(scratch, "[.]2[.]done$").count >= 1)
    // Pages are counted, so the last one before the position is looked at again.
    for page in 1...2 {
      #expect(PartedScript.fetches(page, of: 7, in: first + second.errors) == 1, "page \(page)")
    }
    #expect((1...6).reduce(0) { $0 + PartedScript.fetches($1, of: 7, in: first + second.errors) } <= 8)
    #expect(try PartedScript.rows(of: "all/", in: scratch) == PartedScript.rows())
  }

  @Test func `the next run begins anew and takes the place of the last one when it is whole`() throws {
    let scratch = try Scratch(script: PartedScript.text)
    _ = try scratch.lookahead("run", "feed.lua", "-o", "all/", "--parts")
    let old = try scratch.text("all/manifest.json")
    let failed = try scratch.lookahead("run", "feed.lua", "-o", "all/", "--parts", "-e", "fault=9")
    let between = try scratch.text("all/manifest.json")
    let second = try scratch.lookahead("run", "feed.lua", "-o", "all/", "--parts")

    #expect(failed.exitCode != 0)
    #expect(between == old)
    #expect(second.exitCode == 0, "\(second.errors)")
    #expect(try scratch.text("all/manifest.json") != old)
    #expect(try PartedScript.rows(of: "all/", in: scratch) == PartedScript.rows())
  }

  @Test func `an incomplete folder is refused, and what is missing is named`() throws {
    let scratch = try Scratch(script: PartedScript.text)
    let lines = try PartedScript.partitions(scratch)
    _ = try scratch.lookahead("run", "feed.lua", "-o", "all/", "--parts", "-e", "fault=9")
    let missing = try #require(lines.first { $0.hasSuffix("{\"account\":9}}") })
    let id = missing.split(separator: "\"")[3]
    let begun = try scratch.lookahead("collect", "all/")
    try scratch.write("all/partitions.ndjson", lines.joined(separator: "\n") + "\n")
    let listed = try scratch.lookahead("collect", "all/", "-o", "all.ndjson")

    #expect(begun.exitCode == 1)
    #expect(begun.errors.contains("\(id) was begun and is not whole"), "\(begun.errors)")
    #expect(listed.exitCode == 1)
    #expect(listed.errors.contains(missing), "\(listed.errors)")
    #expect(listed.errors.contains(" all/partitions.ndjson | lookahead work SCRIPT -o all/ --parts"))
    #expect(!scratch.has("all/manifest.json") && !scratch.has("all.ndjson"))
  }

  @Test(arguments: [
    "truncate -s -3 $F", "truncate -s 0 $F", "rm $F", "echo '{}' >> $F", "sed -i 's/1/2/g' $F",
    "rm ${F%ndjson}done",
  ])
  func `a part that is not as it was when it was whole is refused, before and after the manifest`(
    damage: String
  ) throws {
    let scratch = try Scratch(script: PartedScript.text)
    _ = try scratch.lookahead("run", "feed.lua", "-o", "all/", "--parts")
    let before = try scratch.lookahead("collect", "all/", "-o", "all.ndjson")
    _ = try scratch.shell("F=$(ls all/parts/*.ndjson | head -1); \(damage)")

    let result = try scratch.lookahead("collect", "all/", "-o", "again.ndjson")

    #expect(before.exitCode == 0, "\(before.errors)")
    #expect(result.exitCode != 0 && result.errors.contains("is damaged: "), "\(result.errors)")
    #expect(!scratch.has("again.ndjson"))
  }

  @Test func `shares of several runs are collected once all are there`() throws {
    let scratch = try Scratch(script: PartedScript.text)
    for index in 1...2 {
      let run = try scratch.lookahead("run", "feed.lua", "-o", "all/", "--parts", "--shard", "\(index)/3")
      #expect(run.exitCode == 0, "\(run.errors)")
    }
    let early = try scratch.lookahead("collect", "all/")
    _ = try scratch.lookahead("run", "feed.lua", "-o", "all/", "--parts", "--shard", "3/3")
    let late = try scratch.lookahead("collect", "all/")

    #expect(early.exitCode == 1)
    #expect(early.errors.contains("of 3 shares, 3/3 is missing"), "\(early.errors)")
    #expect(late.exitCode == 0, "\(late.errors)")
    #expect(try PartedScript.rows(of: "all/", in: scratch) == PartedScript.rows())
  }

  /// A list of partitions that is in a file.
  private static let listed = """
    local rows = lookahead.source { name = "rows" }
    function rows.fetch(context)
      local p = context.parameters.p
      return { items = { { id = p .. "-1" }, { id = p .. "-2" } } }
    end
    local list = {}
    for line in lookahead.fs.lines("list.txt") do list[#list + 1] = { p = line } end
    return rows:partitions(list, function(each) return each end)
    """

  @Test func `a list that is older than the work loses no part`() throws {
    let scratch = try Scratch(script: Self.listed)
    let result = try scratch.shell(
      """
      mkdir all; printf 'a\nb\n' > list.txt; lookahead partitions feed.lua > all/partitions.ndjson
      printf 'a\nb\nc\n' > list.txt; lookahead partitions feed.lua | lookahead work feed.lua -o all/ --parts > events
      lookahead collect all/ -o c.ndjson; echo $?
      """)

    #expect(result.output.hasSuffix("0\n"), "\(result.errors)")
    #expect(try scratch.text("c.ndjson").split(separator: "\n").count == 6)
  }

  @Test func `shares of which each has seen another list are no whole, until they are read again`() throws {
    let scratch = try Scratch(script: Self.listed)
    let early = try scratch.shell(
      """
      printf 'a\nb\n' > list.txt; lookahead run feed.lua -q -o all/ --parts --shard 1/2
      printf 'a\nb\nc\nd\ne\nf\ng\nh\n' > list.txt; lookahead run feed.lua -q -o all/ --parts --shard 2/2
      lookahead collect all/ -o c.ndjson
      """)
    let late = try scratch.shell(
      "lookahead run feed.lua -q -o all/ --parts --shard 1/2 && lookahead collect all/ -o c.ndjson")

    #expect(early.exitCode == 1)
    #expect(early.errors.contains("--shard 1/2"), "\(early.errors)")
    #expect(late.exitCode == 0, "\(late.errors)")
    #expect(try scratch.text("c.ndjson").split(separator: "\n").count == 16)
  }

  @Test func `no time and no name of a manifest ends the program`() throws {
    let scratch = try Scratch(script: Self.listed)
    let result = try scratch.shell(
      """
      printf 'a\nb\n' > list.txt
      for i in 1 2; do lookahead run feed.lua -q -o all/ --parts --shard $i/2; done
      touch -d 1950-01-01 all/manifest.1-of-2.json; cp all/manifest.1-of-2.json all/manifest.1-of-0.json
      cp all/manifest.1-of-2.json all/manifest.7-of-3.json
      cp all/manifest.1-of-2.json all/manifest.1-of-9000000000000000000.json
      lookahead collect all/ -o c.ndjson
      """)

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try scratch.text("c.ndjson").split(separator: "\n").count == 4)
  }

  /// Copying gives the files of all shares one time, and machines have clocks of their own.
  @Test func `no times of files say that shares are whole that have seen fewer partitions than others`()
    throws
  {
    let result = try Scratch(script: Self.listed).shell(
      """
      printf 'a\nb\nc\nd\n' > list.txt
      for i in 1 2 3; do lookahead run feed.lua -q -o all/ --parts --shard $i/3; done
      printf 'a\nb\nc\nd\ne\nf\ng\nh\n' > list.txt; lookahead run feed.lua -q -o all/ --parts --shard 1/2
      touch -d 2001-01-01 all/manifest.1-of-2.json
      lookahead collect all/ -o c.ndjson; echo "exit $?"; ls c.ndjson
      rm all/manifest.?-of-3.json; lookahead run feed.lua -q -o all/ --parts --shard 2/2
      lookahead collect all/ -o c.ndjson && wc -l < c.ndjson
      """)

    #expect(result.output.contains("exit 73"), "\(result.output)")
    #expect(
      result.errors.contains("shares of 3, whose files are the newest, and of 2, which have seen more"),
      "\(result.errors)")
    #expect(result.lines.last == "16", "\(result.output) \(result.errors)")
  }

  @Test func `of shares of several counts those count that were read last`() throws {
    let scratch = try Scratch(script: Self.listed)
    let mixed = try scratch.shell(
      """
      printf 'a\nb\nc\nd\n' > list.txt
      for i in 1 2; do lookahead run feed.lua -q -o all/ --parts --shard $i/2; done
      printf 'a\nb\nc\nd\ne\nf\ng\nh\n' > list.txt; lookahead run feed.lua -q -o all/ --parts --shard 2/3
      lookahead collect all/ -o c.ndjson
      """)
    let whole = try scratch.shell(
      "for i in 1 3; do lookahead run feed.lua -q -o all/ --parts --shard $i/3; done; lookahead collect all/ -o c.ndjson"
    )

    #expect(mixed.exitCode == 1)
    #expect(mixed.errors.contains("of 3 shares, 1/3, 3/3 are missing"), "\(mixed.errors)")
    #expect(whole.exitCode == 0, "\(whole.errors)")
    #expect(try scratch.text("c.ndjson").split(separator: "\n").count == 16)
  }

  @Test func `parts become the table that a run makes`() throws {
    let scratch = try Scratch(script: PartedScript.text)
    let table = "'SELECT id, account FROM rows ORDER BY id'"
    let result = try scratch.shell(
      """
      lookahead run feed.lua -q -o whole.db && lookahead run feed.lua -q -o all/ --parts &&
      lookahead collect all/ -o all.db && diff <(sqlite3 whole.db \(table)) <(sqlite3 all.db \(table)) && echo same
      """)

    #expect(result.output.hasSuffix("same\n"), "\(result.errors) \(result.output)")
  }

  @Test func `what a script emits itself belongs to no part`() throws {
    let script = PartedScript.text.replacingOccurrences(
      of: "return rows:", with: "lookahead.emit { id = 1 }\nreturn rows:")
    let result = try Scratch(script: script).lookahead("run", "feed.lua", "-o", "all/", "--parts")

    #expect(result.exitCode != 0)
    #expect(result.errors.contains("belongs to none"), "\(result.errors)")
  }

  @Test(arguments: [
    ["-o", "all.ndjson"], ["-o", "all/", "--limit", "3"], ["-o", "all/", "--no-state"],
    ["-o", "all/", "--format", "csv"], ["-o", "all/", "--refresh", "1s"],
  ])
  func `parts are not for everything`(arguments: [String]) throws {
    let result = try Command.lookahead(["run", "feed.lua", "--parts"] + arguments).within(
      Scratch(script: PartedScript.text)
    ).run()

    #expect(result.exitCode == 64)
    #expect(result.errors.contains("--parts"), "\(result.errors)")
  }

  @Test func `an incremental source goes on from what its part has learned`() throws {
    let script = """
      local rows = lookahead.source { name = "rows", bookmark = "id" }
      function rows.fetch(context)
        local from = context.bookmark or 0
        return { items = { { id = from + 1, n = context.parameters.n } } }
      end
      return rows:partitions({ 1, 2 }, function(n) return { n = n } end)
      """
    let scratch = try Scratch(script: script)
    for _ in 1...3 {
      let run = try scratch.lookahead("run", "feed.lua", "-o", "all/", "--parts")
      #expect(run.exitCode == 0, "\(run.errors)")
    }
    let rows = try PartedScript.rows(of: "all/", in: scratch)

    #expect(rows == (1...3).flatMap { id in (1...2).map { #"{"id":\#(id),"n":\#($0)}"# } }.sorted())
  }
}
