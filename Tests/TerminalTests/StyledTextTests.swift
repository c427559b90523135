import Terminal
import Testing

@Suite struct StyledTextTests {
  @Test func `looks are ours, and what the text says of looks is text`() {
    let text =
      StyledText("error:", Style(isBold: true, color: .red)) + StyledText(" \u{1B}[31m\u{1B}]52;c;eA==\u{7}")

    #expect(text.drawn() == "\u{1B}[1;31merror:\u{1B}[0m \\u{1b}[31m\\u{1b}]52;c;eA==\\u{7}")
  }

  @Test func `marks of our printer are looks`() {
    let text = StyledText(marked: "\u{1B}[36m12\u{1B}[0m, \u{1B}[1mname\u{1B}[0m")

    #expect(text.text == "12, name")
    #expect(text.drawn() == "\u{1B}[36m12\u{1B}[0m, \u{1B}[1mname\u{1B}[0m")
  }

  @Test(arguments: [
    "\u{1B}[2J", "\u{1B}]0;title\u{7}", "\u{1B}[8m", "\u{1B}[38;5;1m", "\u{1B}[-9223372036854775808m",
    "\u{1B}[m",
    "\u{1B}[999999999999999999999999m", "\u{1B}c", "\u{9B}31m", "\u{1B}", "\u{1B}[", "\u{1B}[31",
  ])
  func `no other sequence is a mark`(sequence: String) {
    let drawn = StyledText(marked: "a\(sequence)b").drawn()

    #expect(
      drawn.hasPrefix("a\\u{")
        && !drawn.unicodeScalars.contains { $0.value < 0x20 || 0x7F...0x9F ~= $0.value })
  }

  @Test(arguments: [(65535, 65535, 1000, 1000), (0, 0, 1, 1), (-3, 80, 1, 80)])
  func `a terminal of any size is one that there may be`(columns: Int, rows: Int, shown: Int, high: Int) {
    let size = TerminalSize(columns: columns, rows: rows)

    #expect((size.columns, size.rows) == (shown, high))
  }
}
