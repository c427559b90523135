import Testing

/// A real server that nobody here wrote, over loopback.
@Suite(.waiting) struct DatasetteTests {
  private static let all = (1...60_000).map { "\($0)" }

  @Test(arguments: ["datasette", "datasette_links"])
  func `60,000 readings come once each, in order`(script: String) throws {
    let base = "http://\(Server.datasette.address)"

    let result = try Command.lookahead([
      "run", "scripts/sources/\(script).lua", "--param", "base=\(base)", "--param", "table=events/readings",
      "--param", "id=id", "--allow-net=\(Server.datasette.address)",
    ]).run()

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try #require(Items(lines: result.output)).texts("id") == Self.all)
    #expect(result.summary?.hasPrefix("60,000 items, 60 pages, 60 requests, ") == true)
  }

  @Test(arguments: ["_shape=objects", "_shape=array"])
  func `get finds the rows and the next page by itself`(query: String) throws {
    let url = "http://\(Server.datasette.address)/events/stations.json?\(query)"

    let result = try Command.lookahead(["get", url, "--id", "id"]).run()

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try #require(Items(lines: result.output)).count == 200)
  }

  @Test func `get pages as the README says`() throws {
    let scratch = try Scratch()
    let readings = "http://\(Server.datasette.address)/events/readings.json"

    let byLink = try scratch.lookahead("get", "\(readings)?_shape=array", "--next", "link", "--limit", "250")
    let byPath = try scratch.lookahead(
      "get", "\(readings)?_shape=objects", "--items", "rows", "--next", "next_url", "-o", "r.csv", "--limit",
      "250")

    #expect(try #require(Items(lines: byLink.output)).texts("id") == Array(Self.all.prefix(250)))
    #expect(byPath.exitCode == 0)
    #expect(try scratch.text("r.csv").hasPrefix("id,station,taken,kind,value,note\r\n1,"))
  }
}
