import Items
import Paging
import Scripting
import Testing

@Suite struct HTTPRequestTests {
  /// The requests that a script sends, each in one line.
  private func sent(_ script: String) throws -> [String] {
    let run = try ScriptRun(script)
    return run.world.requests.map { HostCall.http($0.request).line }
  }

  @Test func `each method has its function`() throws {
    let script = """
      for _, name in ipairs { "get", "post", "put", "patch", "delete", "head" } do
        lookahead.http[name]("http://a/b", { raise = false })
      end
      lookahead.http.request { url = "http://a/b", method = "options", raise = false }
      lookahead.http.request { url = "http://a/b", raise = false }
      """

    #expect(
      try sent(script)
        == ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "GET"].map { "\($0) http://a/b" })
  }

  @Test func `queries are encoded in the order of their names`() throws {
    let query = """
      { zone = "a b&c=d/é", page = 2, list = { 1, "x" }, deep = true, rate = 0.5, none = lookahead.null, empty = "" }
      """
    let expected = "deep=true&empty=&list=1&list=x&page=2&rate=0.5&zone=a%20b%26c%3Dd%2F%C3%A9"

    func url(_ base: String) throws -> String? {
      try sent("lookahead.http.get(\"\(base)\", { query = \(query) })").first
    }

    #expect(try url("http://a/b") == "GET http://a/b?\(expected)")
    #expect(try url("http://a/b?x=1") == "GET http://a/b?x=1&\(expected)")
    #expect(try url("http://a/b?") == "GET http://a/b?\(expected)")
    #expect(try url("http://a/b?x=why?") == "GET http://a/b?x=why?&\(expected)")
    #expect(try url("http://a/b?x=1&#top") == "GET http://a/b?x=1&\(expected)#top")
  }

  @Test func `a number and a text that are written alike are two names`() throws {
    let line = try sent(
      #"lookahead.http.get("http://a/b", { query = { [1] = "y", ["1"] = "x", [2] = "z" } })"#)

    #expect(line == ["GET http://a/b?1=y&2=z&1=x"])
  }

  @Test(arguments: [
    "", "/b", "a.example", "a.example/b", "https//a.example", "https:/a.example", "https://", "https://a b/",
    "ftp://a.example", "https://a:b/", "https://a.example:80:90", "https://[::1", "https://u@",
  ])
  func `an origin that is none is an error that names it`(origin: String) throws {
    let message = try failure(of: "lookahead.http.get(\"https://a.example/b\", { origin = \"\(origin)\" })")

    #expect(
      message == "feed.lua:1: http.get: origin: expected a URL, as https://api.example.com, got \"\(origin)\""
    )
  }

  @Test func `a float in a query, a form or a header has all the digits that tell it from its neighbours`()
    throws
  {
    let script = """
      local at = 1700000000.123463
      lookahead.http.get("http://a/b", { query = { since = at, third = 1 / 3, count = 2.0 } })
      lookahead.http.post("http://a/b", { form = { since = at }, headers = { since = at } })
      """

    let sent = try sent(script)

    #expect(sent.first == "GET http://a/b?count=2.0&since=1700000000.123463&third=0.3333333333333333")
    #expect(sent.last?.ranges(of: "1700000000.123463").count == 1, "\(sent)")
  }

  @Test func `headers, login and body go to the origin that they are meant for`() throws {
    let given = #"headers = { ["X-Api-Key"] = "k", Accept = "x" }, auth = { bearer = "t" }, raise = false"#
    for url in [
      "https://a.example/b", "https://A.example:443/c", "http://a.example/b", "https://u:p@a.example:",
    ] {
      let line = try sent("lookahead.http.get(\"https://a.example/b\", { \(given), origin = \"\(url)\" })")
        .first
      #expect(line == "GET https://a.example/b Accept: x X-Api-Key: k Authorization: Bearer t", "\(url)")
    }
    for url in [
      "https://b.example/b", "https://a.example:8443/b", "https://a.example@b.example/",
      "https://sub.a.example/",
    ] {
      let line = try sent("lookahead.http.get(\"\(url)\", { \(given), origin = \"https://a.example/\" })")
        .first
      #expect(line == "GET \(url) Accept: x", "\(url)")
    }
    let run = try ScriptRun(
      #"lookahead.http.post("https://b.example/", { json = { 1 }, origin = "https://a.example/" })"#)
    #expect(run.world.requests.isEmpty)
    #expect(run.failure?.contains("the body of the request is not meant for that") == true)
  }

  @Test func `an empty query changes nothing`() throws {
    #expect(try sent("lookahead.http.get(\"http://a/b\", { query = {} })") == ["GET http://a/b"])
  }

  @Test func `headers are sent in the order of their names, lists as several`() throws {
    let script = """
      lookahead.http.get("http://a/", { headers = { ["X-B"] = { 2, 1, 3 }, ["X-A"] = "one", ["X-C"] = true } })
      """

    #expect(try sent(script) == ["GET http://a/ X-A: one X-B: 2 X-B: 1 X-B: 3 X-C: true"])
  }

  @Test func `bodies come with their type unless one is given`() throws {
    let script = """
      lookahead.http.post("http://a/", { json = { b = 1, a = { 1, 2 } }, raise = false })
      lookahead.http.post("http://a/", { form = { b = "x y", a = 1 }, raise = false })
      lookahead.http.post("http://a/", { body = "raw", raise = false })
      lookahead.http.post("http://a/", { json = {}, headers = { ["content-type"] = "application/vnd.api+json" }, raise = false })
      """

    #expect(
      try sent(script) == [
        #"POST http://a/ Content-Type: application/json {"a":[1,2],"b":1}"#,
        "POST http://a/ Content-Type: application/x-www-form-urlencoded a=1&b=x%20y",
        "POST http://a/ raw",
        "POST http://a/ content-type: application/vnd.api+json {}",
      ])
  }

  @Test func `credentials become a header`() throws {
    let script = """
      lookahead.http.get("http://a/", { auth = { bearer = "abc" }, raise = false })
      lookahead.http.get("http://a/", { auth = { "Aladdin", "open sesame" }, raise = false })
      lookahead.http.get("http://a/", { auth = { user = "Aladdin", password = "open sesame" }, raise = false })
      """

    #expect(
      try sent(script) == [
        "GET http://a/ Authorization: Bearer abc",
        "GET http://a/ Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
        "GET http://a/ Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
      ])
  }

  @Test func `the timeout is the option's, else the source's, else thirty seconds`() throws {
    let run = try ScriptRun(
      """
      lookahead.http.get("http://a/", { raise = false })
      lookahead.http.get("http://a/", { timeout = 0.5, raise = false })
      local source = lookahead.source { timeout = 7, fetch = function()
        lookahead.http.get("http://a/", { raise = false })
        lookahead.all { function() lookahead.http.get("http://a/", { raise = false }) end }
        return { items = {} }
      end }
      for _ in source:items() do end
      """)

    #expect(
      run.world.requests.map(\.request.timeout) == [.seconds(30), .seconds(0.5), .seconds(7), .seconds(7)])
  }

  @Test(arguments: cases("requests") as [ScriptCase])
  func `misuse is told at its line`(_ example: ScriptCase) throws {
    #expect(try failure(of: example.script) == example.message)
  }

  @Test(arguments: ["json = {}, body = 'x'", "json = {}, form = { a = 1 }", "form = { a = 1 }, body = 'x'"])
  func `a request has one body`(options: String) throws {
    let message = try #require(try failure(of: "lookahead.http.post('http://a/', { \(options) })"))
    #expect(message.contains("say one of them"), "\(message)")
  }
}
