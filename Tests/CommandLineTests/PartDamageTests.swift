import TestSupport
import Testing

/// Folders of parts in which something is missing that their notes vouch for.
@Suite(.waiting) struct PartDamageTests {
  /// Partitions 1 to `n`, of which `fail` fails.
  private static let script = """
    local p = lookahead.parameters { n = { default = 3, partition = false }, fail = { default = 0, partition = false } }
    local rows = lookahead.source { name = "rows", retries = 0, bookmark = lookahead.fs.exists("marks") and "id" or nil }
    function rows.fetch(context)
      if context.parameters.part == p.fail then error("broken") end
      local items = {}
      for id = 1, 20 do items[id] = { id = context.parameters.part * 100 + id } end
      return { items = items }
    end
    local parts = {}
    for n = 1, p.n do parts[n] = n end
    return rows:partitions(parts, function(part) return { part = part } end)
    """
  private static let run = "lookahead run feed.lua -A -o all/ --parts -q"
  /// Has the first part lose its end.
  private static let cut = "part=$(ls all/parts/*.ndjson | head -1); head -n 7 $part > kept; cat kept > $part"

  @Test(arguments: ["", "touch marks;"])
  func `a part that is shorter than it was is read again`(before: String) throws {
    let result = try Scratch(script: Self.script).shell(
      "\(before) \(Self.run) -e fail=3 2> errors; \(Self.cut); \(Self.run); echo $?; lookahead collect all/ -o rows.ndjson; wc -l < rows.ndjson"
    )

    #expect(result.lines == ["0", "60"], "\(result.output) \(result.errors)")
  }

  @Test func `a part of an earlier run that is damaged is no part of a whole folder`() throws {
    let result = try Scratch(script: Self.script).shell(
      "\(Self.run); id=$(lookahead partitions feed.lua | grep '\"part\":3' | grep -o 'rows-[0-9a-f]*'); "
        + "head -n 7 all/parts/$id.1.ndjson > kept; cat kept > all/parts/$id.1.ndjson; \(Self.run) -e n=2; echo $?"
    )

    #expect(result.output == "73\n", "\(result.output) \(result.errors)")
    #expect(result.errors.contains("is damaged: it has"), "\(result.errors)")
  }

  @Test func `what is listed and was never begun is missing`() throws {
    let result = try Scratch(script: Self.script).shell(
      "\(Self.run) -e n=2; lookahead partitions feed.lua -e n=4 > all/partitions.ndjson; lookahead collect all/ -o rows.ndjson; echo $?; "
        + "lookahead partitions feed.lua -e n=2 > all/partitions.ndjson; lookahead collect all/ -o rows.ndjson; echo $?"
    )

    #expect(result.lines == ["1", "0"], "\(result.output) \(result.errors)")
    #expect(result.errors.contains("all/ is not whole: 2 partitions are missing"), "\(result.errors)")
  }

  @Test(arguments: ["", "head -n 1 list"])
  func `a list that does not have all that the shares have says nothing of them`(listing: String) throws {
    let result = try Scratch(script: Self.script).shell(
      "mkdir all; lookahead partitions feed.lua > list; \(Self.run) --shard 1/2; (\(listing.isEmpty ? ":" : listing)) > all/partitions.ndjson; "
        + "lookahead collect all/ -o rows.ndjson; echo $?; \(Self.run) --shard 2/2; lookahead collect all/ -o rows.ndjson; echo $?; wc -l < rows.ndjson"
    )

    #expect(result.lines == ["1", "0", "60"], "\(result.output) \(result.errors)")
  }

  @Test func `rows of a run that was killed are no younger than those of a part that came later`() throws {
    let script = """
      local p = lookahead.parameters { night = { default = 1, partition = false }, list = { default = "PQ", partition = false } }
      local t = lookahead.source { name = "t", pageSize = 5, bookmark = "u", retries = 0 }
      function t.fetch(context)
        local all, key = {}, context.key or 0
        local function add(id, u, v) if not context.bookmark or u >= context.bookmark then all[#all + 1] = { id = id, u = u, v = v } end end
        if context.parameters.account == "P" then
          for id = 1, 30 do if not (id == 7 and p.night >= 2) then add(id, id, "P old") end end
          if p.night >= 2 then for id = 31, 60 do add(id, id, "P") end end
          if p.night >= 3 then add(61, 61, "P") end
          if p.night == 2 and key >= 10 then error("stop") end
        else
          add(1000, 1, "Q")
          if p.night >= 2 then add(7, 40, "Q new") end
        end
        return { items = table.move(all, key + 1, math.min(key + 5, #all), 1, {}), nextKey = key + 5 < #all and key + 5 or nil }
      end
      local list = {}
      for name in p.list:gmatch("%a") do list[#list + 1] = name end
      return t:partitions(list, function(account) return { account = account } end)
      """
    let result = try Scratch(script: script).shell(
      "\(Self.run); \(Self.run) -e night=2 2> errors; \(Self.run) -e night=2 -e list=Q; \(Self.run) -e night=3; "
        + "lookahead collect all/ -o rows.db; sqlite3 rows.db 'select v from t where id = 7'")

    #expect(result.output == "Q new\n", "\(result.output) \(result.errors)")
  }

  @Test func `a list that has fewer partitions than a share has seen says nothing of the others`() throws {
    let result = try Scratch(script: Self.script).shell(
      "mkdir all; lookahead partitions feed.lua -e n=3 > all/partitions.ndjson; "
        + "\(Self.run) -e n=6 --shard 1/2; cut -d. -f1 <(cd all/parts && ls *.ndjson) | sort -u > begun; "
        + "lookahead partitions feed.lua -e n=6 | grep -F -f begun > all/partitions.ndjson; lookahead collect all/ -o rows.ndjson; echo $?"
    )

    #expect(result.lines == ["1"], "\(result.output) \(result.errors)")
    #expect(result.errors.contains("2/2"), "\(result.errors)")
  }
}
