import Terminal
import Testing
import Text

@Suite struct LineDrawingTests {
  private func drawing(
    _ text: String, columns: Int = 10, _ look: LineLook = LineLook(prompt: "> ", continuation: ". ")
  )
    -> LineDrawing
  {
    LineDrawing(EditedText(text), look, columns: columns)
  }

  @Test func `every line has its prompt, and the cursor stands behind the last`() {
    let drawing = drawing("if x then\n  y")

    #expect(drawing.rows.map(\.text) == ["> if x the", "n", ".   y"])
    #expect((drawing.cursorRow, drawing.cursorColumn) == (2, 5))
  }

  @Test func `a line that fills its row has the cursor on the next one`() {
    let drawing = drawing("12345678")

    #expect(drawing.rows.map(\.width) == [10, 0])
    #expect((drawing.cursorRow, drawing.cursorColumn) == (1, 0))
  }

  @Test func `a wide letter is never cut in two`() {
    let drawing = drawing("1234567世x")

    #expect(drawing.rows.map(\.text) == ["> 1234567", "世x"])
    #expect(drawing.rows.map(\.width) == [9, 3])
  }

  @Test func `what could steer the terminal is shown as letters`() {
    let drawing = drawing("a\u{1B}[2J\u{9B}\tb", columns: 40)

    #expect(
      !drawing.rows[0].text.replacing("\u{1B}[7m", with: "").replacing("\u{1B}[0m", with: "").contains(
        "\u{1B}"))
    #expect(drawing.rows[0].text.contains("^["))
    #expect(drawing.rows[0].width == 13)
  }

  @Test func `styles take no cells and end where they end`() {
    let look = LineLook(prompt: StyledText("> ", .bold), spans: [LineSpan(0..<2, Style(color: .blue))])

    let drawing = drawing("do x", look)

    #expect(drawing.rows[0].text == "\u{1B}[1m> \u{1B}[0m\u{1B}[34md\u{1B}[0m\u{1B}[34mo\u{1B}[0m x")
    #expect(drawing.rows[0].width == 6)
  }

  @Test func `a block that is higher than the terminal is shown around the cursor`() {
    let all = drawing((1...20).map { "line \($0)" }.joined(separator: "\n"))

    let shown = all.clipped(to: 5)

    #expect(shown.rows.map(\.text) == [". line 16", ". line 17", ". line 18", ". line 19", ". line 20"])
    #expect(shown.cursorRow == 4)
  }

  @Test func `candidates stand in columns that are read downwards`() {
    let names = ["alpha", "beta", "gamma", "delta", "epsilon"]

    let columns = CandidateColumns(LineCompletions(start: 0, candidates: names), columns: 20, rows: 10)
    let cut = CandidateColumns(LineCompletions(start: 0, candidates: names), columns: 8, rows: 3)

    #expect(columns.rows == ["alpha    delta", "beta     epsilon", "gamma"])
    #expect(cut.rows == ["alpha", "beta", "… and 3 more"])
  }
}
