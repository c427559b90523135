import Testing
import Text

@Suite struct CellWidthTests {
  @Test(arguments: [("abc", 3), ("日本", 4), ("e\u{301}", 1), ("😀", 2), ("한글", 4), ("ａ", 2), ("–", 1), ("", 0)])
  func `texts have as many cells as a terminal gives them`(text: String, width: Int) {
    #expect(text.cellWidth == width)
  }

  @Test(arguments: [
    ("abcdef", 4, "abc…"), ("日本語", 4, "日…"), ("日本", 4, "日本"), ("abc", 0, ""), ("e\u{301}a", 2, "e\u{301}a"),
  ])
  func `a text is cut at whole characters`(text: String, width: Int, expected: String) {
    #expect(text.clipped(to: width) == expected)
    #expect(text.clipped(to: width).cellWidth <= width)
  }

  @Test func `what could move the cursor never reaches a terminal`() {
    #expect("a\u{1B}[2Jb\nc\u{202E}d\u{9B}".printable == "a [2Jb cd ")
  }

  @Test(arguments: [
    // Ideographs, kana, full and half width forms, the ideographic blank.
    ("漢字かなカナ", 12), ("ＡＢ", 4), ("ｶﾅ", 2), ("\u{3000}", 2),
    // Korean, composed and as parts that are drawn into one block.
    ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2),
    // Emoji by themselves, with a colour of skin, and flags, whose two letters are drawn as one.
    ("👍", 2), ("👍🏽", 4), ("🇩🇪", 2), ("✅", 2), ("❤\u{FE0F}", 1), ("#\u{FE0F}\u{20E3}", 1),
    // Marks on the letter before them, one beside it, and one around it.
    ("a\u{301}\u{323}", 1), ("का", 2), ("กำ", 2), ("1\u{20DD}", 1), ("שׁ", 1),
    // What joins, parts or hides takes no room.
    ("\u{200D}", 0), ("a\u{200B}b", 2), ("\u{FEFF}", 0), ("co\u{AD}op", 4),
    ("–—…·", 4),
  ]) func `every kind of character has its cells`(text: String, width: Int) {
    #expect(text.cellWidth == width)
  }

  /// A terminal that joins them leaves cells empty; one that does not has room for all.
  @Test func `the parts of a joined emoji count one by one`() {
    #expect("👨‍👩‍👧".cellWidth == 6)
  }

  @Test func `a joined emoji is not cut in its middle`() {
    #expect("👨‍👩‍👧 family".clipped(to: 7) == "👨‍👩‍👧…")
    #expect("👨‍👩‍👧 family".clipped(to: 6) == "…")
    #expect("👍🏽👍🏽".clipped(to: 6) == "👍🏽…")
  }

  @Test func `blanks fill a room up to its last cell`() {
    #expect("日本".padded(to: 6) == "日本  ")
    #expect("日本".padded(to: 6, .right) == "  日本")
    #expect("e\u{301}".padded(to: 2) == "e\u{301} ")
    #expect("longer".padded(to: 3) == "longer")
  }
}
