import Lua
import TestSupport
import Testing

@Suite struct TokenTests {
  private func shown(_ text: String, isScript: Bool = true) -> [String] {
    LuaTokens(text, isScript: isScript).tokens.map { "\($0.kind) \($0.text)" }
  }

  @Test func `a text is cut as Lua cuts it`() {
    #expect(
      shown("local x<const> = a.b..c:d(1.5e-3,0xA.8p+1)//~=y -- z") == [
        "keyword local", "name x", "symbol <", "name const", "symbol >", "symbol =", "name a", "symbol .",
        "name b",
        "symbol ..", "name c", "symbol :", "name d", "symbol (", "number 1.5e-3", "symbol ,",
        "number 0xA.8p+1",
        "symbol )", "symbol //", "symbol ~=", "name y", "comment -- z",
      ])
  }

  @Test(arguments: [
    (#""a\"b" c"#, [#"string "a\"b""#, "name c"]),
    (#"'\\' x"#, [#"string '\\'"#, "name x"]),
    ("[[a]b]] [==[c]]d]==]", ["string [[a]b]]", "string [==[c]]d]==]"]),
    ("[=x", ["symbol [", "symbol =", "name x"]),
    ("--[[ a\nb ]] c", ["comment --[[ a\nb ]]", "name c"]),
    ("--[ a\nb", ["comment --[ a", "name b"]),
    ("'a\nb", ["unfinished 'a", "name b"]),
    ("'a\\\nb' c", ["string 'a\\\nb'", "name c"]),
    ("'a\\z \n  b' c", ["string 'a\\z \n  b'", "name c"]),
    ("[[a", ["unfinished [[a"]), ("--[[a", ["unfinished --[[a"]), ("'a\\", ["unfinished 'a\\"]),
    ("é@", ["symbol é", "symbol @"]), ("3..2", ["number 3..2"]), ("a...", ["name a", "symbol ..."]),
  ])
  func `strings and comments end where Lua ends them`(_ text: String, _ tokens: [String]) {
    #expect(shown(text) == tokens)
  }

  @Test func `a first line with # is a comment of a script, and a length at a prompt`() {
    #expect(shown("#!lua\nx") == ["comment #!lua", "name x"])
    #expect(shown("#x", isScript: false) == ["symbol #", "name x"])
  }

  @Test func `tokens know their bytes and lines`() {
    let tokens = LuaTokens("é = [[\n\n]] x\r\ny \\").tokens

    #expect(tokens.map(\.line) == [1, 1, 1, 3, 4, 4])
    #expect(tokens.map(\.range) == [0..<2, 3..<4, 5..<11, 12..<13, 15..<16, 17..<18])
  }

  @Test func `random texts are cut without a gap that is not blank`() {
    let parts = [
      "[", "]", "=", "\"", "'", "\\", "\n", "\r", "--", " ", "a", "0x", "1e", "+", ".", "\\z", "é", "\u{0}",
      "[[", "]]",
      "local", "end", "#",
    ]
    for seed in UInt64(1)...300 {
      var random = SeededGenerator(seed: seed)
      let text = (0..<Int.random(in: 0...40, using: &random)).map { _ in parts.randomElement(using: &random)!
      }.joined()
      let bytes = Array(text.utf8)
      var end = 0
      for token in LuaTokens(text).tokens {
        #expect(
          bytes[end..<token.range.lowerBound].allSatisfy { $0 == 32 || (9...13).contains($0) }, "seed \(seed)"
        )
        #expect(token.range.count > 0 && Array(bytes[token.range]) == Array(token.text.utf8), "seed \(seed)")
        end = token.range.upperBound
      }
      #expect(bytes[end...].allSatisfy { $0 == 32 || (9...13).contains($0) }, "seed \(seed)")
    }
  }
}
