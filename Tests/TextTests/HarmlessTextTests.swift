import Testing
import Text

@Suite struct HarmlessTextTests {
  /// What terminals act on, or do not show: one of each kind, as a server or a script may send it.
  static let hazards: [String] = [
    "\u{0}", "\u{7}", "\u{8}", "\u{1B}", "\u{7F}", "\u{80}", "\u{85}", "\u{90}", "\u{9B}", "\u{9D}", "\u{9F}",
    "\u{AD}", "\u{34F}", "\u{61C}", "\u{115F}", "\u{200B}", "\u{200D}", "\u{200E}", "\u{200F}", "\u{2028}",
    "\u{2029}", "\u{202A}", "\u{202B}", "\u{202C}", "\u{202D}", "\u{202E}", "\u{2060}", "\u{2066}",
    "\u{2067}",
    "\u{2068}", "\u{2069}", "\u{3164}", "\u{FEFF}", "\u{FFF9}", "\u{FFFB}", "\u{E0001}", "\u{E0041}",
    "\u{E007F}",
  ]

  @Test(arguments: hazards)
  func `what steers or hides is shown as letters`(hazard: String) {
    let scalar = hazard.unicodeScalars.first!
    let shown = "a\\u{" + String(scalar.value, radix: 16) + "}b"

    #expect(HarmlessText.line("a\(hazard)b") == shown)
    #expect(HarmlessText.lines("a\(hazard)b") == shown)
  }

  @Test(arguments: ["plain", "é", "Ελλάδα", "世界", "❤\u{FE0F}", "葛\u{E0100}", "Z\u{301}", "עברית", "👍"])
  func `what people write stays as it is`(text: String) {
    #expect(HarmlessText.line(text) == text)
  }

  @Test func `line ends and tabs stay in lines, and a carriage return never does`() {
    #expect(HarmlessText.lines("a\n\tb\r\n") == "a\n\tb\\u{d}\n")
    #expect(HarmlessText.line("a\n\tb") == "a\\u{a}\\u{9}b")
    #expect(HarmlessText.rows("a\tb\r\nc\rd\r\n") == "a\tb\r\nc\\u{d}d\r\n")
  }

  @Test func `marks beyond thirty on one letter are shown as letters`() {
    let text = "a" + String(repeating: "\u{301}", count: 32)

    #expect(HarmlessText.line(text) == "a" + String(repeating: "\u{301}", count: 30) + "\\u{301}\\u{301}")
  }

  @Test func `JSON stays the same JSON`() {
    #expect(
      HarmlessText.json("{\"a\":\"\u{9B}2J\u{202E}\u{E0041}\u{7F}é\"}\n")
        == "{\"a\":\"\\u009b2J\\u202e\\udb40\\udc41\\u007fé\"}\n")
  }

  @Test func `a long text is cut between letters, and what was cut is counted`() {
    #expect(HarmlessText.cut("abcdé", to: 5) == "abcd… (2 bytes more)")
    #expect(HarmlessText.cut("abcdé", to: 6) == "abcdé")
  }
}
