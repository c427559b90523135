import Paging
import Terminal
import Testing
import Text

@Suite struct BrowseModelTests {
  @Test func `rows that are there are a table, with names above and numbers to the right`() {
    var rig = BrowseRig(items: 3)

    #expect(rig.lines().prefix(5) == [" # id name", " 1  1 item 1", " 2  2 item 2", " 3  3 item 3", ""])
  }

  @Test func `rows that are not there yet have their places`() {
    var rig = BrowseRig(items: 2, total: 100, isAtEnd: false)

    let lines = rig.lines()

    #expect(lines[2] == "  2  2 item 2")
    #expect(lines[3] == "  3 ·· ······")
    #expect(lines[10] == " 10 ·· ······")
    #expect(lines[11].contains("1 of 100"))
  }

  @Test func `what comes fills its place and moves nothing`() {
    var rig = BrowseRig(items: 10, total: 100, isAtEnd: false)
    rig.press(.pageDown, .pageDown)
    let top = rig.model.top
    let before = rig.lines()

    rig.show(BrowseRig.list(40, total: 100, isAtEnd: false))

    #expect(rig.model.top == top)
    #expect(before[1].contains("··") && rig.lines()[1] == " 21 21 item 21")
  }

  @Test func `the selection moves the screen only at its edges`() {
    var rig = BrowseRig(items: 100)

    rig.press(.down, .down, .down)
    #expect(rig.model.selected == 3 && rig.model.top == 0)

    for _ in 0..<10 { rig.press(.down) }
    #expect(rig.model.selected == 13 && rig.model.top == 4)
  }

  @Test func `pages, wheel, start and end stay within the list`() {
    var rig = BrowseRig(items: 25)

    rig.press(.pageDown, .pageDown, .pageDown, .pageDown)
    #expect(rig.model.visible == 15..<25 && rig.model.selected == 24)
    rig.press(.wheel(-1))
    #expect(rig.model.top == 12)
    rig.press(.home)
    #expect(rig.model.top == 0 && rig.model.selected == 0)
    rig.press(.end)
    #expect(rig.model.top == 15 && rig.model.selected == 24)
    rig.press(.pageUp, .pageUp, .pageUp)
    #expect(rig.model.top == 0)
  }

  @Test func `the end of a list without a known end is followed as it grows`() {
    var rig = BrowseRig(items: 20, isAtEnd: false)

    rig.press(.character("G"))
    #expect(rig.model.visible == 20..<30)
    rig.show(BrowseRig.list(40, isAtEnd: false))
    #expect(rig.model.visible == 40..<50)
    rig.show(BrowseRig.list(45, isAtEnd: true))

    #expect(rig.model.visible == 35..<45)
    #expect(rig.model.selected == 44)
  }

  @Test func `a key ends the following of the end`() {
    var rig = BrowseRig(items: 20, isAtEnd: false)
    rig.press(.character("G"), .up)
    let top = rig.model.top

    rig.show(BrowseRig.list(60, isAtEnd: false))

    #expect(rig.model.top == top)
  }

  @Test func `a speed is measured while keys are held and is over soon after`() {
    var rig = BrowseRig(items: 1000)
    for _ in 0..<10 { rig.press(.pageDown, after: .milliseconds(50)) }

    let velocity = rig.model.viewport(at: rig.now).velocity
    let ends = rig.model.wakesAt(rig.now)

    #expect(150...250 ~= velocity)
    #expect(ends == rig.now + ScrollMeter.window)
    #expect(rig.model.viewport(at: rig.now + ScrollMeter.window).velocity == 0)
  }

  @Test func `a jump is no speed`() {
    var rig = BrowseRig(items: 1000)

    rig.press(.end)

    #expect(rig.model.viewport(at: rig.now).velocity == 0)
  }

  @Test func `a screen of another size keeps the selection in sight`() {
    var rig = BrowseRig(items: 100)
    rig.press(.pageDown, .down, .down, .down, .down)

    rig.model.resize(TerminalSize(columns: 20, rows: 5), rig.list, at: rig.now)
    rig.update()

    #expect(rig.model.height == 3)
    #expect(rig.model.visible.contains(rig.model.selected))
    #expect(rig.lines().count == 6)
    #expect(rig.lines().allSatisfy { $0.cellWidth <= 20 })
  }

  @Test func `an item opens as a tree and closes again`() {
    var rig = BrowseRig(items: 5)
    rig.press(.down, .enter)

    #expect(rig.lines().prefix(3) == ["item 2", "  id: 2", "  name: item 2"])

    rig.press(.character("q"))
    #expect(rig.model.mode == .list)
    #expect(rig.wishes.isEmpty)
  }

  @Test func `keys are wishes`() {
    var rig = BrowseRig(items: 5)

    rig.press(.character("r"), .character("R"), .character("p"), .control("z"), .control("l"))
    rig.press(.character("P"))
    rig.type("ramp")
    rig.press(.enter, .character("q"))

    #expect(rig.wishes == [.refresh, .retry, .nextPolicy, .suspend, .redraw, .policy("ramp"), .quit])
  }

  @Test func `an error stands in the place of the rows it keeps away, and Enter there tries again`() {
    var rig = BrowseRig(items: 2, total: 90, isAtEnd: false)
    let failure = BrowsedList.Failure(place: 2, message: "no answer", retryAt: nil)
    rig.show(BrowseRig.list(2, total: 90, isAtEnd: false, failure: failure))

    #expect(rig.lines()[3].hasPrefix(" 3 ! no answer"))
    rig.press(.down, .down, .enter)

    #expect(rig.wishes == [.retry])
  }

  @Test func `an error is seen wherever its rows are, and Enter on any of them tries again`() {
    var rig = BrowseRig(items: 2, total: 90, isAtEnd: false, size: .init(columns: 60, rows: 6))
    let failure = BrowsedList.Failure(place: 2, message: "no answer", retryAt: nil)
    rig.show(BrowseRig.list(2, total: 90, isAtEnd: false, failure: failure))

    rig.press(.character("G"))
    #expect(rig.lines()[1].hasPrefix("87 ! no answer"))
    #expect(!rig.lines()[2].contains("no answer"))
    rig.press(.enter)

    #expect(rig.wishes == [.retry])
  }

  @Test func `an error before what is held is seen at the row next to it`() {
    var rig = BrowseRig(items: 10, start: 40, total: 90, isAtEnd: false)
    let failure = BrowsedList.Failure(place: 39, message: "no answer", retryAt: nil)
    rig.show(BrowseRig.list(10, start: 40, total: 90, isAtEnd: false, failure: failure))

    rig.press(.character("g"))

    #expect(rig.lines()[10].hasPrefix("10 ! no answer"))
    #expect(!rig.lines()[9].contains("no answer"))
  }

  @Test func `a wait counts from the first missing row to the last, after the first page`() {
    var rig = BrowseRig(items: 0, total: 100, isAtEnd: false)
    rig.now = .zero + .seconds(5)
    rig.show(BrowseRig.list(10, total: 100, isAtEnd: false))
    #expect(rig.model.stalls.total(at: rig.now) == .zero)

    rig.press(.pageDown)
    rig.now = rig.now + .milliseconds(700)
    rig.show(BrowseRig.list(30, total: 100, isAtEnd: false))

    #expect(rig.model.stalls.total(at: rig.now) == .milliseconds(700))
    #expect(rig.model.stalls.stalls == 1)
  }

  @Test func `a page that comes at once is no wait`() {
    var rig = BrowseRig(items: 10, total: 100, isAtEnd: false)
    rig.press(.pageDown)

    rig.show(BrowseRig.list(30, total: 100, isAtEnd: false))

    #expect(rig.model.stalls.stalls == 0 && !rig.model.stalls.isRunning)
  }

  @Test func `places that turn out to be others take the reader along`() {
    var rig = BrowseRig(items: 50)
    rig.press(.pageDown, .pageDown)
    let (top, selected) = (rig.model.top, rig.model.selected)

    rig.show(BrowsedList(items: rig.list.items, start: 7, isAtEnd: true, slide: 7))

    #expect(rig.model.top == top + 7 && rig.model.selected == selected + 7)
  }

  @Test func `the way to an end that nobody knows is told, and how to leave it`() {
    var rig = BrowseRig(items: 20, isAtEnd: false)

    rig.press(.character("G"))
    #expect(rig.model.message == "on the way to the end, page by page: any other key stops")
    rig.show(BrowseRig.list(45, isAtEnd: true))

    #expect(rig.model.message == "")
  }
}
