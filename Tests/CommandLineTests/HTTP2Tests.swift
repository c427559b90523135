import Foundation
import Testing

/// Answers that share one connection.
@Suite(.waiting) struct HTTP2Tests {
  private static let reader = """
    local s = lookahead.source { name = "items", keys = "page", pageSize = 100, maxInFlight = 64 }
    function s.fetch(c)
      local query = { page = c.key, per_page = c.size }
      local page = lookahead.http.get("https://\(Server.http2.address)/items", { query = query, timeout = 5 }):json()
      return { items = page.items, total = page.total }
    end
    return s
    """

  /// A stream whose answer was forgotten would wait for longer than its time.
  @Test(arguments: 1...10)
  func `of 64 requests at once on one connection each has its answer`(round: Int) throws {
    let scratch = try Scratch(script: Self.reader)
    let authority = FileManager.default.temporaryDirectory
      .appending(path: "lookahead-http2-\(Server.http2.port).pem").path

    let result = try scratch.shell(
      "CURL_CA_BUNDLE='\(authority)' lookahead run feed.lua --allow-net --retries 0")

    #expect(result.exitCode == 0, "\(result.errors)")
    let items = try #require(Items(lines: result.output))
    #expect(items.texts("id") == (1...20_000).map { "\($0)" })
    #expect(Set(items.texts("over")) == ["2"])
  }
}
