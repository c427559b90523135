import Testing

@Suite struct NullMessageTests {
  private static let null = "local t = lookahead.json.decode('{\"data\": null}') local n = lookahead.null\n"

  @Test(arguments: [
    ("return t.data.items", "data is null (attempt to index it)"),
    ("t.data.items = 1", "data is null (attempt to index it)"),
    ("return n.x", "n is null (attempt to index it)"), ("return n:x()", "n is null (attempt to index it)"),
    ("return t.data + 1", "data is null (attempt to perform arithmetic on it)"),
    ("return t.data .. 'x'", "data is null (attempt to concatenate it)"),
    ("return #t.data", "data is null (attempt to get length of it)"),
    ("t.data()", "data is null (attempt to call it)"),
    ("return t.data < 1", "attempt to compare null with number"),
    ("return 1 < t.data", "attempt to compare number with null"),
    ("return n < n", "attempt to compare two nulls"), ("return (n).x", "n is null (attempt to index it)"),
    ("for _ in n do end", "for iterator is null (attempt to call it)"),
  ])
  func `null is called null, wherever the error goes`(code: String, message: String) throws {
    let caught = try printed(by: "\(Self.null)print(pcall(function() \(code) end))")
    let uncaught = try failure(of: "\(Self.null)\(code)")
    let inTask = try failure(of: "\(Self.null)lookahead.spawn(function() \(code) end):wait()")

    #expect(caught == ["false\tfeed.lua:2: \(message)"])
    #expect(uncaught == "feed.lua:2: \(message)")
    #expect(inTask == "feed.lua:2: \(message)")
  }

  @Test func `texts that speak of userdata themselves are left alone`() throws {
    #expect(try failure(of: "error('no userdata here', 0)") == "no userdata here")
    #expect(try failure(of: "error('attempt to say: a table', 0)") == "attempt to say: a table")
    #expect(try failure(of: "local x; return x.y") == "feed.lua:1: attempt to index a nil value (local 'x')")
  }
}
