import Testing

/// A run after one that read its source again and again, and was stopped.
@Suite(.waiting) struct StoppedRefreshTests {
  private static let source = """
    local p = lookahead.parameters { night = { default = 1, partition = false } }
    local s = lookahead.source { name = "t", id = "id" }
    function s.fetch() return { items = ({ { { id = 1, text = "old" }, { id = 2 } }, { { id = 1, text = "new" } } })[p.night] } end
    return s
    """

  @Test(arguments: ["INT", "TERM", "KILL"])
  func `what a refresh had read is read again`(signal: String) throws {
    let scratch = try Scratch(script: Self.source)
    let stopped = try scratch.shell(
      """
      \(Repository.binary) run feed.lua -o a.db -q --refresh 1h & run=$!
      until [ "$(sqlite3 a.db "select state from _lookahead_readings" 2> /dev/null)" = complete ]; do sleep 0.02; done
      kill -\(signal) $run; wait $run
      """)
    #expect(stopped.exitCode != 0)

    let next = try scratch.lookahead(
      "run", "feed.lua", "-o", "a.db", "-e", "night=2", "--write", "mirror", "--summary", "s.json")

    #expect(next.exitCode == 0, "\(next.errors)")
    #expect(try scratch.rows("select id || text from t") == "1new")
    #expect(try scratch.shell("jq -c '[.items, .removed]' s.json").output == "[1,1]\n")
  }

  @Test func `a refresh that goes on reads at once`() throws {
    let scratch = try Scratch(script: Self.source)
    for (night, text) in [(1, "old"), (2, "new")] {
      _ = try scratch.shell(
        """
        \(Repository.binary) run feed.lua -o a.db -q --refresh 1h -e night=\(night) & run=$!
        until [ "$(sqlite3 a.db "select text from t where id = 1" 2> /dev/null)" = \(text) ]; do sleep 0.02; done
        kill -KILL $run; wait $run
        """)
    }

    #expect(try scratch.rows("select id || text from t") == "1new")
  }
}
