import Testing
import Text

@Suite struct TextTableTests {
  @Test func `columns are aligned by cells, whatever is in them`() {
    let table = TextTable(
      ["name", "items"],
      rows: [["plain", "1"], ["日本", "12"], ["e\u{301}te\u{301}", "123"], ["👍", ""], ["", "4"]],
      alignments: [.left, .right])

    #expect(
      table.text == """
        name   items
        -----  -----
        plain      1
        日本      12
        e\u{301}te\u{301}      123
        👍
                   4

        """)
    let ends = table.lines.filter { !$0.hasSuffix("👍") }.map(\.cellWidth)
    #expect(Set(ends) == [12])
  }

  @Test func `a head alone is a table`() {
    #expect(TextTable(["a", "bc"], rows: []).lines == ["a  bc", "-  --"])
  }

  @Test func `columns without an alignment have that of the last`() {
    let table = TextTable(["a", "b", "c"], rows: [["111", "222", "333"]], alignments: [.left, .right])

    #expect(table.lines[0] == "a      b    c")
  }

  @Test func `where it does not fit, the columns of the highest rank go first and rank zero stays`() {
    var table = TextTable(["name", "one", "two", "three"], rows: [["日本語", "1", "2", "3"]])

    let dropped = table.fit(12, dropping: [0, 2, 1, 2])

    #expect(dropped == ["one", "three"])
    #expect(table.lines == ["name    two", "------  ---", "日本語  2"])
    #expect(table.fit(1, dropping: [0, 1]) == ["two"])
  }

  @Test func `what is bold takes no room`() {
    let table = TextTable(
      ["a", "b"], rows: [["x", "1"], ["y", "22"]], alignments: [.right], bold: [[], [1]])

    #expect(table.lines[3] == "y  \u{1B}[1m22\u{1B}[0m")
    #expect(table.lines[2] == "x   1")
  }
}
