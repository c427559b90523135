import Paging
import Terminal
import Testing

@Suite struct LineHistoryTests {
  @Test func `entries come back one by one, and then what was typed`() {
    var history = LineHistory(["one", "two", "two", ""])

    let back = ["", "two", "one"].map { history.previous(EditedText($0))?.text }
    let forth = ["one", "two", ""].map { history.next(EditedText($0))?.text }

    #expect(history.entries == ["one", "two"])
    #expect(back == ["two", "one", nil])
    #expect(forth == ["two", "", nil])
  }

  @Test func `only entries come that begin with what was typed`() {
    var history = LineHistory(["print(1)", "x = 2", "print(3)"])

    let back = ["pr", "print(3)"].map { history.previous(EditedText($0))?.text }
    let newest = history.newest()

    #expect(back == ["print(3)", "print(1)"])
    #expect(newest == EditedText("pr"))
  }

  @Test func `an entry is found by a part of it, the newest first`() {
    let history = LineHistory(["a\nneedle", "b", "needle 2"])

    #expect(history.find("needle", before: 3) == 2)
    #expect(history.find("needle", before: 2) == 0)
    #expect(history.find("needle", before: 0) == nil)
  }

  @Test func `the oldest entries are forgotten`() {
    var history = LineHistory((1...10).map { "line \($0)" }, limit: 4)

    let added = ["line 11", "line 11", "  "].map { history.add($0) }

    #expect(added == [true, false, false])
    #expect(history.entries == ["line 8", "line 9", "line 10", "line 11"])
  }

  @Test(arguments: ["plain", "two\nlines", "back\\slash", "\\n", "\\\n\\", "ends\\", "\r\n", "世界 \t"])
  func `an entry is one line of the file and comes back as it was`(entry: String) {
    let line = LineHistory.line(of: entry)

    #expect(!line.unicodeScalars.contains("\n"))
    #expect(LineHistory.entry(of: line) == entry)
  }
}
