import Foundation
import Testing

/// Folders of parts in which a run has begun and not ended: what it had not come to is named by nothing else.
@Suite(.waiting) struct UnendedRunTests {
  /// Four accounts on two pages; with `fails`, the second page fails once so many parts are whole, and with `holds` it never comes.
  private static let script = """
    local p = lookahead.parameters {
      fails = { default = -1, partition = false }, holds = { default = false, partition = false },
    }
    local function areWhole(count)
      for _, name in ipairs(lookahead.fs.list("all/parts")) do
        if name:find("%.done$") then count = count - 1 end
      end
      return count <= 0
    end
    local accounts = lookahead.source { name = "accounts", keys = "page", maxInFlight = 1 }
    function accounts.fetch(context)
      while context.key == 2 and p.holds do lookahead.sleep(0.01) end
      if context.key == 2 and p.fails >= 0 then
        while not areWhole(p.fails) do lookahead.sleep(0.005) end
        error("the list is broken")
      end
      local key = math.tointeger(context.key)
      return { items = { { id = key * 2 - 1 }, { id = key * 2 } }, isLast = key == 2 }
    end
    local rows = lookahead.source { name = "rows" }
    function rows.fetch(context) return { items = { { id = context.parameters.account } } } end
    return rows:partitions(accounts, function(account) return { account = account.id } end)
    """
  private static let run = "lookahead run feed.lua -q -o all/ --parts"
  private static let collect = "lookahead collect all/ -o all.ndjson; echo $?; cat all.ndjson"
  private static let work = "lookahead partitions feed.lua | lookahead work feed.lua -o all/ --parts > events"
  private static let rows = (1...4).map { #"{"id":\#($0)}"# }

  @Test func `a run that failed at its list leaves no whole folder, and the next one does`() throws {
    let scratch = try Scratch(script: Self.script)
    try scratch.write("all.ndjson", "old\n")

    let failed = try scratch.shell("\(Self.run) -e fails=2; echo $?; \(Self.collect)")
    let whole = try scratch.shell("\(Self.run) && \(Self.collect) | sort; ls all")

    #expect(failed.lines == ["65", "1", "old"], "\(failed.output) \(failed.errors)")
    #expect(
      failed.errors.contains("all/ is not whole: a run has begun there and not ended"), "\(failed.errors)")
    #expect(failed.errors.contains("all/manifest.run.json"))
    #expect(failed.errors.contains("lookahead run SCRIPT -o all/ --parts"))
    #expect(whole.lines == ["0"] + Self.rows + ["manifest.json", "parts"], "\(whole.output) \(whole.errors)")
  }

  @Test(arguments: ["", "--shard 1/2"])
  func `a run that was killed before it read anything empties no output`(share: String) throws {
    let scratch = try Scratch(script: Self.script)
    try scratch.write("all.ndjson", "old\n")

    let result = try scratch.shell(
      """
      \(Repository.binary) run feed.lua -q -e holds=true -o all/ --parts \(share) & pid=$!
      until ls all/manifest.*.json > /dev/null 2>&1; do sleep 0.01; done; kill -9 $pid; wait $pid
      \(Self.collect)
      """)

    #expect(result.lines == ["1", "old"], "\(result.output) \(result.errors)")
    #expect(result.errors.contains("all/ is not whole"), "\(result.errors)")
  }

  @Test func `a whole folder in which another run has begun is whole when that one has ended`() throws {
    let scratch = try Scratch(script: Self.script)

    let result = try scratch.shell(
      """
      \(Self.run) && lookahead collect all/; echo $?; \(Self.run) -e fails=2; lookahead collect all/; echo $?
      \(Self.run); lookahead collect all/; echo $?
      """)

    #expect(result.lines == ["0", "1", "0"], "\(result.errors)")
  }

  @Test(arguments: ["", "lookahead partitions feed.lua > all/partitions.ndjson;"])
  func `a share that failed is missing, though the others and a list are there`(list: String) throws {
    let scratch = try Scratch(script: Self.script)

    let result = try scratch.shell(
      """
      \(Self.run) --shard 2/2; \(Self.run) --shard 1/2 -e fails=0; \(list) \(Self.collect)
      \(Self.run) --shard 1/2; \(Self.collect) | sort; ls all | grep manifest
      """)

    #expect(result.lines == ["1", "0"] + Self.rows + ["manifest.json"], "\(result.output) \(result.errors)")
    #expect(result.errors.contains("of 2 shares, 1/2 is missing"), "\(result.errors)")
  }

  @Test func `a share that is read again and fails is missing again`() throws {
    let result = try Scratch(script: Self.script).shell(
      """
      for i in 1 2; do \(Self.run) --shard $i/2; done; \(Self.run) --shard 2/2 -e fails=0
      lookahead collect all/; echo $?; \(Self.run) --shard 2/2; lookahead collect all/; echo $?
      """)

    #expect(result.lines == ["1", "0"], "\(result.errors)")
    #expect(result.errors.contains("of 2 shares, 2/2 is missing"), "\(result.errors)")
  }

  @Test func `a worker that was killed before it began anything is named, until a later one has ended`()
    throws
  {
    let scratch = try Scratch(script: Self.script)
    let killed = try Workshop(scratch, "feed.lua", "-o", "all/", "--parts")
    #expect(killed.read { $0.name == "ready" })
    killed.signal(SIGKILL)
    _ = killed.finish()

    let early = try scratch.lookahead("collect", "all/")
    let late = try scratch.shell("\(Self.work); ls all; \(Self.collect) | sort")

    #expect(early.exitCode == 1)
    #expect(early.errors.contains("1 worker has begun there and not ended"), "\(early.errors)")
    #expect(early.errors.contains("lookahead partitions SCRIPT | lookahead work SCRIPT -o all/ --parts"))
    #expect(late.lines == ["parts", "0"] + Self.rows, "\(late.output) \(late.errors)")
  }

  /// It may have been given other partitions, which only a list tells.
  @Test func `a worker says nothing of one that was killed beside it, and a list does`() throws {
    let scratch = try Scratch(script: Self.script)
    let other = try Workshop(scratch, "feed.lua", "-o", "all/", "--parts")
    #expect(other.read { $0.name == "ready" })
    let killed = try Workshop(scratch, "feed.lua", "-o", "all/", "--parts")
    #expect(killed.read { $0.name == "ready" })
    killed.signal(SIGKILL)
    _ = killed.finish()
    for line in try PartedScript.partitions(scratch) { other.order(line) }
    let ended = other.finish()

    let early = try scratch.lookahead("collect", "all/")
    let late = try scratch.shell(
      "lookahead partitions feed.lua > all/partitions.ndjson; \(Self.collect) | sort; ls all | grep work")

    #expect(ended == 0, "\(other.sayings)")
    #expect(early.exitCode == 1 && early.errors.contains("1 worker has begun there"), "\(early.errors)")
    #expect(late.lines == ["0"] + Self.rows, "\(late.output) \(late.errors)")
  }

  @Test(arguments: ["nonsense", #"{"id":"others-0000000000000000","source":"others","parameters":{}}"#])
  func `a worker that did not read what it was given has not ended whole`(order: String) throws {
    let result = try Scratch(script: Self.script).shell(
      """
      echo '\(order)' | lookahead work feed.lua -o all/ --parts > events; lookahead collect all/; echo $?
      \(Self.work); lookahead collect all/; echo $?
      """)

    #expect(result.lines == ["1", "0"], "\(result.errors)")
  }

  @Test func `a folder in which nothing has ended and nothing is empties no output`() throws {
    let scratch = try Scratch(script: Self.script)
    try scratch.write("all.ndjson", "old\n")

    let result = try scratch.shell("mkdir -p all/parts; \(Self.collect)")

    #expect(result.lines == ["1", "old"], "\(result.errors)")
    #expect(result.errors.contains("all/ has no parts, and no run has ended there"), "\(result.errors)")
  }

  @Test(arguments: [run, "mkdir -p all/parts; : > all/partitions.ndjson"])
  func `no partitions at all are whole where a run or a list says so`(way: String) throws {
    let scratch = try Scratch(
      script: """
        local rows = lookahead.source { name = "rows" }
        function rows.fetch() return { items = {} } end
        return rows:partitions({}, function(each) return each end)
        """)

    let result = try scratch.shell("\(way); \(Self.collect) | wc -c")

    #expect(result.lines == ["0", "0"], "\(result.output) \(result.errors)")
  }
}
