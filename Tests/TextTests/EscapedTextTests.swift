import Testing
import Text

@Suite struct EscapedTextTests {
  @Test(
    "a character is escaped wherever its byte is, whatever follows it",
    arguments: [
      ("it's", "it''s"), ("plain", "plain"), ("'", "''"), ("a'\u{301}b", "a''\u{301}b"),
      ("'\u{FE0F}'", "''\u{FE0F}''"),
      ("", ""),
    ])
  func escaped(text: String, expected: String) {
    #expect(Array(text.escaping("'", as: "''").utf8) == Array(expected.utf8))
  }
}
