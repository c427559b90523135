import Testing

@Suite struct URLTests {
  struct Reference: Decodable, Sendable, CustomTestStringConvertible {
    let reference: String
    let target: String
    var testDescription: String { reference }
  }

  @Test(arguments: cases("references") as [Reference])
  func `references are resolved as RFC 3986 has them`(_ example: Reference) throws {
    let script = "print(lookahead.url.join(\"http://a/b/c/d;p?q\", \"\(example.reference)\"))"

    #expect(try printed(by: script) == [example.target])
  }

  @Test(arguments: [
    ("http://a", "b", "http://a/b"), ("http://a?x", "b", "http://a/b"),
    ("http://a/b?x#y", "", "http://a/b?x"),
    ("HTTP://a/b", "c", "http://a/c"), ("a/b", "../c", "c"), ("", "a", "a"),
  ])
  func `odd bases are joined too`(_ base: String, _ reference: String, _ target: String) throws {
    #expect(try printed(by: "print(lookahead.url.join(\"\(base)\", \"\(reference)\"))") == [target])
  }

  @Test func `every byte is encoded and decoded again`() throws {
    let lines = try printed(
      by: """
        local bytes = {}
        for byte = 0, 255 do bytes[#bytes + 1] = string.char(byte) end
        local text = table.concat(bytes)
        print(lookahead.url.decode(lookahead.url.encode(text)) == text)
        print(lookahead.url.encode("a-._~Z9 /?&=+é"), lookahead.url.decode("a+b%20c%zz%4"), lookahead.url.decode("%C3%A9"))
        print(lookahead.url.decode("100%+5 %-0 % 5 %2B%2b"))
        """)

    #expect(lines == ["true", "a-._~Z9%20%2F%3F%26%3D%2B%C3%A9\ta b c%zz%4\té", "100% 5 %-0 % 5 ++"])
  }

  @Test(arguments: [
    ("https://user:pw@api.example.com:8443/a/b?x=1&y#top", "https api.example.com 8443 /a/b x=1&y top"),
    ("http://[::1]:80/", "http [::1] 80 / - -"), ("http://[::1]/", "http [::1] - / - -"),
    ("http://a", "http a -  - -"), ("/a?b", "- - - /a b -"), ("mailto:a@b", "mailto - - a@b - -"),
    ("", "- - -  - -"),
  ])
  func `a URL is taken apart`(_ url: String, _ parts: String) throws {
    let script = """
      local url = lookahead.url.parse("\(url)")
      print(url.scheme or "-", url.host or "-", url.port or "-", url.path, url.query or "-", url.fragment or "-")
      """

    #expect(
      try printed(by: script) == [
        parts.split(separator: " ", omittingEmptySubsequences: false).joined(separator: "\t")
      ])
  }

  @Test(arguments: ["encode", "decode", "join", "parse"])
  func `misuse is told at its line`(_ name: String) throws {
    #expect(
      try failure(of: "lookahead.url.\(name)({}, \"\")")
        == "feed.lua:1: url.\(name): argument 1: expected a string, got table")
  }
}
