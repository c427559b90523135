import Items
import Paging
import Terminal
import Testing

@Suite struct ListSearchTests {
  private func list(_ texts: [String], isAtEnd: Bool = true) -> BrowsedList {
    var set = ItemSet()
    _ = set.append(
      texts.enumerated().map {
        Item(id: .integer(Int64($0.offset)), bytes: Bytes("{\"name\":\"\($0.element)\"}"))
      })
    return BrowsedList(items: set, isAtEnd: isAtEnd)
  }

  @Test(arguments: [
    ("lis", 2), ("LIS", 2), ("ä", 1), ("Ä", 1), ("say \"", 3), ("name", nil), ("kelvin", 5), ("é", 4),
  ])
  func `values are searched whatever their case and escapes, names are not`(text: String, place: Int?) {
    let list = list(["porto", "Äpfel", "Lisbon", #"say \"hi\""#, #"caf\u00e9"#, "\u{212A}elvin"])
    var search = ListSearch(text, from: 0, isForward: true)

    let outcome = search.look(in: list)

    #expect(outcome == place.map { .found(place: $0) } ?? .over)
  }

  @Test func `a search waits at the edge of what is there and goes on with what comes`() {
    var rig = BrowseRig(items: 20, isAtEnd: false)
    rig.press(.character("/"))
    rig.type("item 47")
    rig.press(.enter)

    #expect(rig.model.search?.next == 20)
    #expect(rig.model.visible.contains(20))
    rig.show(BrowseRig.list(60, isAtEnd: false))

    #expect(rig.model.search == nil)
    #expect(rig.model.selected == 46)
  }

  @Test func `n and N go to the next and the one before`() {
    var rig = BrowseRig(items: 40)
    rig.press(.character("/"))
    rig.type("item 1")
    rig.press(.enter)
    #expect(rig.model.selected == 0)

    rig.press(.character("n"), .character("n"))
    #expect(rig.model.selected == 10)
    rig.press(.character("N"))
    #expect(rig.model.selected == 9)
  }

  @Test func `a text that is nowhere is said so, and the place is kept`() {
    var rig = BrowseRig(items: 40)
    rig.press(.pageDown, .character("/"))
    rig.type("nowhere")
    rig.press(.enter)

    #expect(rig.model.selected == 10)
    #expect(rig.model.message == "no 'nowhere' from here to the end")
  }

  @Test
  func `a text is looked for in the selected item first, and a search that finds nothing goes back there`() {
    var rig = BrowseRig(items: 40)
    rig.press(.pageDown, .character("/"))
    rig.type("item 11")
    rig.press(.enter)
    #expect(rig.model.selected == 10)

    rig.show(BrowseRig.list(20, isAtEnd: false))
    rig.press(.character("/"))
    rig.type("nowhere")
    rig.press(.enter)
    #expect(rig.model.selected == 20)
    rig.show(BrowseRig.list(40))

    #expect(rig.model.message == "no 'nowhere' from here to the end")
    #expect(rig.model.selected == 10)
  }

  @Test func `many items are searched in steps`() {
    var rig = BrowseRig(items: 5000)
    rig.press(.character("/"))
    rig.type("item 4999")
    rig.press(.enter)
    #expect(rig.wishes.last == .searchOn)

    for _ in 0..<5 { rig.update() }

    #expect(rig.model.selected == 4998)
  }
}
