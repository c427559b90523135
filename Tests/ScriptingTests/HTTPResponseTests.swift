import Paging
import Scripting
import Testing

@Suite struct HTTPResponseTests {
  /// What a script prints that has `response` for the reply to `GET http://a/list?page=1`.
  private func printed(_ script: String, _ reply: HostReply) throws -> [String] {
    let world = ScriptWorld(["GET http://a/list?page=1": [reply]])
    let run = try ScriptRun(
      "local response = lookahead.http.get(\"http://a/list?page=1\", { raise = false })\n\(script)", in: world
    )
    return run.outcome
  }

  @Test func `a response tells its status, address and body`() throws {
    let script = "print(response.status, response.url, response.body, #response.body, response.elapsed)"

    #expect(
      try printed(script, .status(201, "a\0b")) == ["201\thttp://a/list?page=1\ta\0b\t3\t0.0"])
  }

  @Test func `a part, or that nothing has changed, is no answer to who did not ask for that`() throws {
    let range = [HTTPHeader("Content-Range", "bytes 0-1/9")]
    for (status, condition) in [(206, "Range"), (304, "If-None-Match"), (304, "if-modified-since")] {
      let world = ScriptWorld(["GET http://a/list": Array(repeating: .status(status, "x", range), count: 2)])
      let run = try ScriptRun(
        """
        print(pcall(lookahead.http.get, "http://a/list"))
        print(lookahead.http.get("http://a/list", { headers = { ["\(condition)"] = "x" } }).status)
        """, in: world)

      #expect(run.outcome[0].contains("GET http://a/list answered \(status): x"), "\(run.outcome)")
      #expect(run.outcome[1] == "\(status)")
    }
  }

  @Test func `headers are found whatever their case, and several of one name are joined`() throws {
    let headers = [
      HTTPHeader("X-Total", "7"), HTTPHeader("Set-Cookie", "a=1"), HTTPHeader("set-cookie", "b=2"),
      HTTPHeader("X-Ä", "1"), HTTPHeader("x-Ä", "2"),
    ]
    let script = """
      local headers = response.headers
      print(headers["x-total"], headers["X-TOTAL"], headers["Set-Cookie"], headers.nothing, headers[1], headers["X-Ä"])
      """

    #expect(try printed(script, .status(200, "", headers)) == ["7\t7\ta=1, b=2\tnil\tnil\t1, 2"])
  }

  /// 200 bytes of a body are shown, 120 of one that is no JSON. A part of a secret is none that could be masked.
  @Test(arguments: [200, 404]) func `of a body that is cut the last word is not shown in part`(status: Int)
    throws
  {
    let body =
      String(repeating: "x", count: status == 404 ? 170 : 100)
      + " aSecretOfThirtySevenLettersAndDigits0 and more"
    let world = ScriptWorld(["GET http://a/list": [.status(status, body)]])

    let run = try ScriptRun(
      "print(pcall(function() lookahead.http.get('http://a/list'):json() end))", in: world)

    #expect(run.outcome[0].contains("xxx …") && !run.outcome[0].contains("aSecret"), "\(run.outcome)")
  }

  @Test func `the body is read as JSON`() throws {
    let script =
      "local body = response:json() print(#body.items, body.items[2].name, body.next == lookahead.null)"

    #expect(
      try printed(script, .json(#"{"items": [{"name": "a"}, {"name": "b"}], "next": null}"#)) == [
        "2\tb\ttrue"
      ])
  }

  @Test func `broken JSON says where`() throws {
    let script = """
      local ok, err = pcall(response.json, response)
      print(err.code, err.line, err.column, err.status, err.isTransient)
      print(err)
      response:json()
      """

    let place =
      "GET http://a/list?page=1 answered 200, and its JSON is broken: line 2, column 6: expected a value, got '}'"
    #expect(
      try printed(script, .json("{\"a\":1,\n \"b\":}"))
        == ["parse\t2\t6\t200\tfalse", "feed.lua:2: \(place)", "feed.lua:5: \(place)"])
  }

  @Test(arguments: cases("links") as [LinkCase])
  func `links are those of RFC 8288, made absolute`(_ example: LinkCase) throws {
    let script = """
      local found = {}
      for rel, url in pairs(response.links) do found[#found + 1] = rel .. "=" .. url end
      table.sort(found)
      print(table.concat(found, " "))
      """

    let headers = example.headers.map { HTTPHeader("Link", $0) }
    #expect(try printed(script, .status(200, "", headers)) == [example.links])
  }

  /// Whatever a server sends costs what its bytes cost.
  @Test(arguments: [",", "<", "<,", "<>,", "\"", "\\\"", " ", "; ", "<>;", "<>;a=\",", "<>;\"\\\""])
  func `a header of many links, or of none, is read in one pass`(_ piece: String) throws {
    let header = String(repeating: piece, count: 200_000 / piece.count)

    #expect(
      try printed("print(next(response.links))", .status(200, "", [HTTPHeader("Link", header)])) == ["nil"])
  }

  @Test func `a response without the header has no links`() throws {
    #expect(try printed("print(next(response.links))", .status(200)) == ["nil"])
  }

  @Test func `a refusal is raised with the beginning of its body`() throws {
    let world = ScriptWorld([
      "GET http://a/": [.status(404, "no\n  such " + String(repeating: "é", count: 300))]
    ])
    let run = try ScriptRun(
      """
      local ok, err = pcall(lookahead.http.get, "http://a/")
      print(err.code, err.status, err.isTransient, #err.message)
      lookahead.http.get("http://a/")
      """, in: world)

    #expect(run.printed.first?.hasPrefix("http\t404\tfalse\t") == true)
    #expect(run.failure?.hasPrefix("feed.lua:3: GET http://a/ answered 404: no such éé") == true)
    #expect(run.failure?.hasSuffix("é…") == true)
    #expect(run.code == "http")
  }

  @Test func `a response is asked with a colon`() throws {
    #expect(
      try printed("response.json()", .json("{}"))
        == ["feed.lua:2: response:json: expected a response (write response:json(…), not response.json(…))"])
  }

  @Test func `bytes received are counted`() throws {
    let world = ScriptWorld(["GET http://a/": [.json("[1,2,3]")]])

    let run = try ScriptRun("lookahead.http.get(\"http://a/\") lookahead.http.get(\"http://a/\")", in: world)

    #expect(run.statistics.bytesReceived == 14)
    #expect(run.statistics.requests == 2)
  }
}

/// A `Link` header as it comes, and the links of it by relation.
struct LinkCase: Decodable, Sendable, CustomTestStringConvertible {
  let headers: [String]
  let links: String

  var testDescription: String { headers.joined(separator: " | ") }
}
