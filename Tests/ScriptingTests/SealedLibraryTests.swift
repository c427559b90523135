import Testing

@Suite struct SealedLibraryTests {
  @Test(arguments: [
    ("lookahead.http.get = print", "lookahead.http.get"), ("lookahead.emit = nil", "lookahead.emit"),
    ("lookahead.mine = 1", "lookahead.mine"), ("lookahead.http = {}", "lookahead.http"),
    ("local http = lookahead.http; http.get = print", "lookahead.http.get"),
    ("require('lookahead').json.decode = print", "lookahead.json.decode"),
    ("lookahead.policy.everything = print", "lookahead.policy.everything"),
  ])
  func `what everybody relies on can't be replaced`(script: String, name: String) throws {
    #expect(
      try failure(of: script)
        == "feed.lua:1: \(name) can't be replaced: everybody relies on it, so write a function of your own")
  }

  @Test(arguments: ["lookahead", "lookahead.json", "lookahead.policy", "lookahead.http"])
  func `rawset does not get past the seal`(table: String) throws {
    #expect(
      try failure(of: "rawset(\(table), 'mine', 1)")
        == "feed.lua:1: bad argument #1 to 'rawset' (the library is read-only)")
  }

  @Test func `it is read, listed and called as before`() throws {
    let lines = try printed(
      by: """
        local names = {}
        for name, value in pairs(lookahead.json) do names[#names + 1] = name .. " " .. type(value) end
        table.sort(names)
        print(table.concat(names, ", "))
        print(require "lookahead" == lookahead, getmetatable(lookahead.http))
        print(lookahead.json.decode("[1]")[1], type(lookahead.policy.everything()))
        print(pcall(function() return lookahead.policy.nothing end))
        """)

    #expect(lines[0] == "array function, decode function, encode function, page function, renamed function")
    #expect(lines[1...2] == ["true\tfalse", "1\ttable"])
    #expect(lines[3].hasPrefix("false\tfeed.lua:7: lookahead.policy: unknown policy 'nothing'"))
  }
}
