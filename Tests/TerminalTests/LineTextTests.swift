import Terminal
import Testing

@Suite struct LineTextTests {
  @Test func `a text is inserted where the cursor is`() {
    var text = EditedText("ac")
    _ = text.move(by: 0)
    text.replaceLine("ac", column: 1)

    text.insert("b\n世")

    #expect(text.lines == ["ab", "世c"])
    #expect((text.row, text.column) == (1, 1))
    #expect(text.offset == 6)
  }

  @Test func `lines are joined at their edges`() {
    var text = EditedText("one\ntwo")

    let belowLast = text.joinAfter()
    text.replaceLine("two", column: 0)
    let joined = text.joinBefore()
    let aboveFirst = text.joinBefore()

    #expect([belowLast, joined, aboveFirst] == [false, true, false])
    #expect(text.text == "onetwo" && text.column == 3)
  }

  @Test func `the cursor keeps its column where the other line is long enough`() {
    var text = EditedText("long line\nab\nlong line")

    let moves = [-1, -1, -1].map { text.move(by: $0) }
    let column = text.column
    let left = text.moveOutLeft()
    let right = text.moveOutRight()

    #expect(moves == [true, true, false])
    #expect(column == 2)
    #expect(!left && right)
    #expect((text.row, text.column) == (1, 0))
  }

  @Test func `a word before the cursor is replaced by its bytes`() {
    var text = EditedText("x = é.na + 1")
    text.replaceLine("x = é.na + 1", column: 8)

    text.replace(from: 7, with: "name")

    #expect(text.text == "x = é.name + 1")
    #expect(text.column == 10)
  }
}
