import Items
import Terminal
import Testing

@Suite struct TableLayoutTests {
  private func layout(_ items: String...) -> TableLayout {
    var layout = TableLayout()
    for item in items { layout.learn(ItemValue(Bytes(item))) }
    return layout
  }

  @Test func `columns are the members in the order in which they come`() {
    let layout = layout(#"{"id":1,"name":"ab"}"#, #"{"id":22,"score":1.5,"name":"abcd"}"#)

    #expect(layout.columns.map(\.name) == ["id", "name", "score"])
    #expect(layout.columns.map(\.width) == [2, 4, 5])
    #expect(layout.columns.map(\.isNumeric) == [true, false, true])
  }

  @Test func `short columns have what they need, and the rest goes to the long one`() {
    let text = String(repeating: "x", count: 100)
    let places = layout("{\"id\":1,\"text\":\"\(text)\",\"kind\":\"a\"}").places(from: 4, width: 70)

    #expect(places.map(\.start) == [4, 7, 70])
    #expect(places.map(\.width) == [2, 62, 4])
  }

  @Test func `lists and objects are left out first where the room is short`() {
    let layout = layout(#"{"a":[1,2,3,4,5,6],"b":"12345678","c":"12345678"}"#)

    #expect(layout.places(from: 0, width: 18).map(\.column.name) == ["b", "c"])
    #expect(layout.places(from: 0, width: 60).map(\.column.name) == ["a", "b", "c"])
  }

  @Test func `values that are no objects are one column`() {
    #expect(layout("\"text\"", "5").columns.map(\.name) == ["value"])
  }

  @Test func `a tree folds and unfolds`() {
    var tree = ItemTree(ItemValue(Bytes(#"{"a":{"b":[1,{"c":null}]},"d":"x\ny","e":[]}"#)))
    #expect(tree.lines.map(\.name) == ["a", "b", "1", "2", "c", "d", "e"])
    #expect(tree.lines.map(\.depth) == [0, 1, 2, 2, 3, 0, 0])

    tree.move(by: 4)
    tree.toggle()
    #expect(tree.lines.map(\.name) == ["a", "b", "1", "2", "d", "e"])
    #expect(tree.selected == 3 && tree.lines[3].text == "{1 …}")

    tree.open()
    #expect(tree.lines.count == 7)
    tree.move(by: -10)
    tree.close()
    #expect(tree.lines.map(\.name) == ["a", "d", "e"])
  }

  @Test func `details are a branch of their own`() {
    var tree = ItemTree(ItemValue(Bytes(#"{"id":1}"#)))
    tree.add(details: ItemValue(Bytes(#"{"text":"long"}"#)))

    #expect(tree.hasDetails)
    #expect(tree.lines.map(\.name) == ["id", "details", "text"])
  }

  @Test(arguments: [#"{"a":1"#, "", "{", #"["\u12"#, #"{"a" 1}"#])
  func `what is no JSON is a text`(text: String) {
    #expect(ItemValue(Bytes(text)) == .text(text))
  }

  @Test func `pairs of escapes are one letter`() {
    #expect(ItemValue(Bytes(#""\ud83d\ude00 \u00e9 \/ \ud83d""#)) == .text("😀 é / \u{FFFD}"))
  }
}
