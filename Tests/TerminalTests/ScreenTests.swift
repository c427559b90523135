import Items
import Paging
import Terminal
import Testing
import Text

@Suite struct ScreenTests {
  @Test func `only rows that differ are drawn`() {
    var old = Screen(TerminalSize(columns: 10, rows: 3))
    old.put("one", row: 0)
    old.put("two", row: 1)
    var new = old
    new.put("more", row: 1, column: 4)

    #expect(new.rowsChanged(since: old) == [1])
    #expect(new.rowsChanged(since: nil) == [0, 1, 2])
    #expect(new.text == "one\ntwo more\n\n")
  }

  @Test func `no line of any screen is wider than the terminal`() {
    let names = ["日本語の長い名前", "plain", "emoji 😀😀😀", "e\u{301}\u{302}", "\t\u{1B}[31m"]
    let seed = UInt64.random(in: 1...UInt64.max)
    var random = RandomStream(seed: seed)
    for _ in 0..<200 {
      let size = TerminalSize(columns: Int(random.next() % 60) + 1, rows: Int(random.next() % 20) + 1)
      var set = ItemSet()
      _ = set.append(
        (0..<30).map { number in
          let name = names[Int(random.next() % 5)]
          return Item(
            id: .integer(Int64(number)),
            bytes: Bytes("{\"id\":\(number),\"\(name)\":\"\(name)\",\"x\":[1,2]}"))
        })
      let list = BrowsedList(items: set, total: 50, isAtEnd: false)
      var model = BrowseModel(size: size)
      for key: Key in [.character("t"), .pageDown, .enter, .escape, .end, .character("?")] {
        _ = model.handle(key, list, at: .zero)
        let screen = model.screen(list, BrowseStatus(), at: .zero)

        #expect(screen.rows.count == size.rows, "seed \(seed)")
        #expect((0..<size.rows).allSatisfy { screen.line($0).cellWidth <= size.columns }, "seed \(seed)")
      }
    }
  }
}
