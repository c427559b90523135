import Items
import Listing
import Paging
import Terminal
import Testing

@Suite struct RowWindowTests {
  @Test func `rows around what is seen are measured, two screens before and behind`() {
    var rig = RowRig(items: 1000)
    rig.show()

    #expect(rig.done.count == rig.model.height)
    #expect(rig.jobs.count == 2 * rig.model.height)
  }

  @Test func `nothing is measured twice, and a small step measures nothing`() {
    var rig = RowRig(items: 1000)
    rig.show()
    rig.work()
    let known = rig.done.count

    rig.press(.down)
    rig.show()

    #expect(rig.done.count == known)
    #expect(rig.jobs.isEmpty)
    for _ in 0..<100 {
      rig.press(.pageDown)
      rig.show()
      rig.work()
    }
    #expect(rig.done.count < known + 102 * rig.model.height)
  }

  @Test func `a jump calls off what was to be measured where it came from`() {
    var rig = RowRig(items: 1000)
    rig.show()
    let old = rig.jobs.map(\.id)

    rig.press(.end)
    rig.show()

    #expect(Set(rig.cancelled) == Set(old))
    #expect(rig.jobs.count == 2 * rig.model.height)
  }

  @Test func `rows are measured anew for a wider terminal`() {
    var rig = RowRig(items: 100)
    rig.show()
    rig.work()
    let known = rig.done.count

    rig.model.resize(TerminalSize(columns: 200, rows: 12), rig.list, at: .zero)
    rig.show()

    #expect(rig.done.count == known + rig.model.height)
  }

  @Test(arguments: UInt64(1)...60)
  func `screens are the same, whoever measures and whatever is done first`(seed: UInt64) {
    var random = RandomStream(seed: seed)
    var rig = RowRig(items: 200)
    let keys: [Key] = [
      .up, .down, .pageDown, .pageUp, .home, .end, .wheel(3), .wheel(-2), .enter, .escape, .character("t"),
    ]
    for step in 0..<80 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0...2: rig.press(keys.randomElement(using: &random)!)
      case 3:
        for _ in 0..<Int.random(in: 0..<20, using: &random) where !rig.jobs.isEmpty {
          rig.finish(rig.jobs.remove(at: Int.random(in: 0..<rig.jobs.count, using: &random)))
        }
      case 4:
        let size = TerminalSize(
          columns: Int.random(in: 1...90, using: &random), rows: Int.random(in: 1...30, using: &random))
        rig.model.resize(size, rig.list, at: .zero)
        rig.plain.resize(size, rig.list, at: .zero)
      default: rig.change(&random)
      }
      rig.show()
      #expect(rig.screen == rig.plainScreen, "seed \(seed), step \(step)")
    }
  }
}

/// A browser whose rows are measured ahead, and one that measures when it draws.
private struct RowRig {
  var model = BrowseModel(size: TerminalSize(columns: 40, rows: 12))
  var plain = BrowseModel(size: TerminalSize(columns: 40, rows: 12))
  var list: BrowsedList
  var jobs: [Job<RowSource>] = []
  var done: [JobID] = []
  var cancelled: [JobID] = []
  private var items: [Item]
  private var last: Int

  init(items count: Int) {
    items = (1...count).map(RowRig.item)
    last = count
    list = RowRig.list(items)
  }

  mutating func press(_ key: Key) {
    _ = model.handle(key, list, at: .zero)
    _ = plain.handle(key, list, at: .zero)
  }

  /// Some items go, come, move or look different.
  mutating func change(_ random: inout RandomStream) {
    items.removeAll { _ in Int.random(in: 0..<20, using: &random) == 0 }
    for _ in 0..<Int.random(in: 0..<8, using: &random) {
      last += 1
      items.insert(RowRig.item(last), at: Int.random(in: 0...items.count, using: &random))
    }
    for place in items.indices where Int.random(in: 0..<15, using: &random) == 0 {
      let item = items[place]
      items[place] = Item(id: item.id, bytes: Bytes("{\"id\":0,\"other\":\"日本 \(place)\",\"n\":[\(place)]}"))
    }
    if items.count > 2 { items.swapAt(0, Int.random(in: 0..<items.count, using: &random)) }
    list = RowRig.list(items)
    _ = model.update(list, at: .zero)
    _ = plain.update(list, at: .zero)
  }

  /// Prepares the rows, as a host does that leaves what is not hurried for later.
  mutating func show() { carryOut(model.prepareRows(list)) }

  /// Does all jobs.
  mutating func work() { while !jobs.isEmpty { finish(jobs.removeFirst()) } }

  mutating func finish(_ job: Job<RowSource>) {
    done.append(job.id)
    carryOut(model.rowWindow.finished(job.id, RowSource.row(of: job.work)))
  }

  private mutating func carryOut(_ effects: [DataEffect<RowSource>]) {
    for effect in effects {
      switch effect {
      case .perform(let more, let isSynchronous):
        if isSynchronous { more.forEach { finish($0) } } else { jobs += more }
      case .hurry(let ids):
        for job in jobs.filter({ ids.contains($0.id) }) {
          jobs.removeAll { $0.id == job.id }
          finish(job)
        }
      case .cancel(let ids):
        cancelled += ids
        jobs.removeAll { ids.contains($0.id) }
      case .apply, .complete, .resume: Issue.record("a browser has no use for \(effect)")
      }
    }
  }

  var screen: String { mutating get { model.screen(list, BrowseStatus(), at: .zero).text } }
  var plainScreen: String { mutating get { plain.screen(list, BrowseStatus(), at: .zero).text } }

  private static func item(_ number: Int) -> Item {
    let name = [
      "plain \(number)", "wide 日本語の長い名前", "line\\nend", "a \(String(repeating: "long ", count: 20))",
    ]
    return Item(
      id: .integer(Int64(number)),
      bytes: Bytes(
        "{\"id\":\(number),\"name\":\"\(name[number % 4])\",\"x\":\(number % 3 == 0 ? "null" : "[1,2]")}"))
  }

  private static func list(_ items: [Item]) -> BrowsedList {
    var set = ItemSet()
    _ = set.append(items)
    return BrowsedList(items: set, isAtEnd: true)
  }
}
