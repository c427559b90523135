import Foundation
import Testing

/// Faults beneath HTTP/1.1 that encryption hides.
@Suite(.waiting) struct EncryptedAnswerTests {
  private static let environment = [
    "CURL_CA_BUNDLE": FileManager.default.temporaryDirectory
      .appending(path: "lookahead-tls-\(Server.tls.port).pem").path
  ]

  private func run(_ script: String, proxy: String = "") throws -> CommandResult {
    let scratch = try Scratch(script: script)
    var command = Command.lookahead(["run", "feed.lua", "--allow-net", "--retries", "0"]).within(scratch)
    command.environment = Self.environment.merging(["https_proxy": proxy]) { $1 }
    return try command.run()
  }

  @Test(arguments: ["none", "twice", "behind"])
  func `an answer that comes twice is not taken for the next one`(fault: String) throws {
    let result = try run(
      """
      for page = 1, 15 do
        local url = "https://\(Server.tls.address)/list?fault=\(fault)&page=" .. page
        for _, item in ipairs(lookahead.http.get(url):json().items) do lookahead.emit(item) end
      end
      """)

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try #require(Items(lines: result.output)).texts("id") == (1...150).map { "\($0)" })
  }

  @Test func `a body that ends with its connection is whole where TLS says that it ends`() throws {
    func get(_ end: String) throws -> CommandResult {
      try run(
        """
        local answer = lookahead.http.get("https://\(Server.tls.address)/open?end=\(end)")
        lookahead.emit { id = 1, bytes = #answer.body }
        """)
    }

    let (told, cut) = (try get("told"), try get("cut"))

    #expect(told.exitCode == 0, "\(told.errors)")
    #expect(try #require(Items(lines: told.output)).texts("bytes") == ["7"])
    #expect(cut.exitCode != 0)
    #expect(cut.errors.contains("ended after 7 bytes of an unknown number"), "\(cut.errors)")
  }

  @Test(arguments: [
    (407, false), (403, false), (302, false), (501, false), (429, true), (502, true), (503, true),
    (504, true),
  ])
  func `a proxy that makes no way says whether to ask again`(status: Int, isTransient: Bool) throws {
    let script = """
      local answer, failure = lookahead.try(function()
        return lookahead.http.get("https://\(status).example/")
      end)
      lookahead.emit { id = 1, isTransient = failure.isTransient, message = failure.message }
      """

    let result = try run(script, proxy: "http://\(Server.tls.address)")

    let item = object(result.output)
    #expect(item["isTransient"] as? Bool == isTransient, "\(result.output) \(result.errors)")
    let message =
      "the proxy of https_proxy makes no way to \(status).example:443: it answers with status \(status)"
    #expect(item["message"] as? String == message)
  }
}
