import Foundation
import Testing

/// Logins at a server over loopback, whose tokens end when it wants.
@Suite(.waiting) struct OAuth2Tests {
  private struct Stats: Decodable, Equatable {
    let tokens: Int
    let refused: Int
    let served: Int
    let refreshes: Int
  }

  private static let reader = """
    local p = lookahead.parameters { base = { required = true }, secret = { default = "", secret = true } }
    local login = lookahead.oauth2 {
      tokenURL = p.base .. "/token", clientID = "reader",
      clientSecret = p.secret ~= "" and p.secret or nil, refreshToken = p.secret == "" and "refresh-token-0" or nil,
    }
    local s = lookahead.source { name = "items", keys = "page", pageSize = 50, maxInFlight = IN_FLIGHT }
    function s.fetch(c)
      local page = lookahead.http.get(p.base .. "/items", { auth = login, query = { page = c.key, size = c.size } }):json()
      return { items = page.items, total = page.total }
    end
    return s
    """

  private func run(
    _ name: String, inFlight: Int = 1, secret: String = "s3cret+key", _ more: String = ""
  ) throws -> (result: CommandResult, stats: Stats, scratch: Scratch) {
    let scratch = try Scratch(script: Self.reader.replacing("IN_FLIGHT", with: "\(inFlight)"))
    let base = "http://\(Server.oauth2.address)/\(name)"
    let given = secret.isEmpty ? "" : "--secret secret='\(secret)'"
    let result = try scratch.shell("lookahead run feed.lua -e base=\(base) \(given) --allow-net \(more)")
    let stats = try scratch.shell("NO_PROXY=127.0.0.1 curl -s \(base)/stats")
    return (result, try JSONDecoder().decode(Stats.self, from: Data(stats.output.utf8)), scratch)
  }

  @Test func `one token is asked for, however many requests wait for it`() throws {
    let (result, stats, _) = try run("many", inFlight: 8)

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try #require(Items(lines: result.output)).count == 500)
    #expect(stats == Stats(tokens: 1, refused: 0, served: stats.served, refreshes: 0))
  }

  @Test func `a token that the server has ended is asked for again, and the request sent once more`() throws {
    let (result, stats, _) = try run("ended,uses=4")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try #require(Items(lines: result.output)).texts("id") == (1...500).map { "\($0)" })
    #expect(stats == Stats(tokens: 3, refused: 2, served: 11, refreshes: 0))
  }

  @Test func `a token that is about to end is not used`() throws {
    let (result, stats, _) = try run("short,expires=0")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(stats == Stats(tokens: 11, refused: 0, served: 11, refreshes: 0))
  }

  @Test func `a refresh token that takes the place of another is the one that counts`() throws {
    let (result, stats, _) = try run("refreshed,uses=4", secret: "")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(stats == Stats(tokens: 3, refused: 2, served: 11, refreshes: 3))
  }

  @Test func `a server that refuses every token is asked for one more, not for ever`() throws {
    let (result, stats, _) = try run("never,uses=0")

    #expect(result.exitCode == 1)
    #expect(result.errors.contains("answered 401"), "\(result.errors)")
    #expect(stats == Stats(tokens: 2, refused: 2, served: 0, refreshes: 0))
  }

  @Test func `what is said of a login that fails has the server's words, the script's line and no secret`()
    throws
  {
    let (result, _, scratch) = try run(
      "wrong", secret: "wrong-secret", "--log-level debug --trace t --record r")

    #expect(result.exitCode == 1)
    #expect(result.errors.contains("feed.lua:8: oauth2: http://"), "\(result.errors)")
    #expect(result.errors.contains("/token answered 401, invalid_client"), "\(result.errors)")
    #expect(!(result.errors + (try scratch.text("t")) + (try scratch.text("r"))).contains("wrong-secret"))
  }

  @Test func `an answer that is no JSON is not shown, since the token may be in it`() throws {
    let (result, _, _) = try run("form,shown=1")

    #expect(result.exitCode == 1)
    #expect(result.errors.contains("no JSON with an access_token"), "\(result.errors)")
    #expect(!result.errors.contains("access-token-1"))
  }

  @Test(arguments: ["--secret secret='s3cret+key'", ""])
  func `tokens and secrets are in no recording, trace or log`(given: String) throws {
    let (result, _, scratch) = try run(
      given.isEmpty ? "kept,uses=4" : "held,uses=4", secret: given.isEmpty ? "" : "s3cret+key",
      "--log-level debug --trace t --record r")

    #expect(result.exitCode == 0, "\(result.errors)")
    let told = result.errors + (try scratch.text("t")) + (try scratch.text("r"))
    for secret in ["access-token-", "refresh-token-", "s3cret"] {
      #expect(!told.contains(secret), "\(secret)")
    }
  }
}
