import Items
import Paging
import TestSupport
import Testing

/// Feeds whose pages in flight are as many as the gate lets through.
@Suite struct FeedWidthTests {
  private func rig(total: Int?, _ set: (inout FeedConfiguration.Options) -> Void = { _ in }) throws -> Rig {
    try Rig(Everything()) {
      $0.keys = .page
      $0.pageSize = 10
      $0.findsWidth = true
      $0.knownTotal = total
      set(&$0)
    }
  }

  /// Pages of ten numbers, up to a last one; the total is not told.
  private func page(_ request: FetchRequest, of pages: Int, bytes: Int = 1) -> FetchAnswer {
    guard let number = request.key?.number, number <= pages else { return .page(Page(PageItems([]))) }
    let text = String(repeating: "x", count: bytes)
    let items = (0..<10).map { place in
      Item(id: .integer(Int64(number * 10 + place)), bytes: Bytes("\"\(text)\""))
    }
    return .page(Page(PageItems(items)))
  }

  @Test(arguments: 0...40)
  func `a list of unknown length has no more requests than twice its pages, and the usual four`(pages: Int)
    throws
  {
    var rig = try rig(total: nil)
    rig.look(at: 0)

    while let request = rig.waiting.first { rig.answer(page(request, of: pages)) }

    #expect(rig.shown.count == 10 * pages)
    #expect(rig.started.count <= 2 * pages + 4)
    #expect(rig.feed.state(of: .append) == .exhausted)
  }

  @Test func `one page is asked for at first, and more only as pages come`() throws {
    var rig = try rig(total: nil)
    rig.look(at: 0)
    var most: [Int] = []

    for _ in 0..<100 {
      most.append(rig.waiting.count)
      rig.answer(page(rig.waiting[0], of: 1000))
    }

    #expect(most.prefix(4) == [1, 2, 4, 4])
    #expect(zip(most, 0...).allSatisfy { inFlight, landed in inFlight <= max(4, landed) })
    #expect(most.max() == 32)
  }

  @Test func `a known total bounds what is asked for`() throws {
    var rig = try rig(total: 30)

    rig.look(at: 0)

    #expect(rig.started.count == 3)
  }

  @Test func `pages that wait for their turn are four times those in flight at most`() throws {
    var rig = try rig(total: 100_000)
    rig.look(at: 0)

    while rig.waiting.count > 1 { rig.answer(1, page(rig.waiting[1], of: 100_000)) }

    #expect(rig.shown.isEmpty)
    #expect(rig.started.count == 4 * 32)
  }

  @Test func `large pages are asked for as before the number was found out`() throws {
    var rig = try rig(total: 100_000)
    rig.look(at: 0)

    // A megabyte each.
    for _ in 0..<32 { rig.answer(page(rig.waiting[0], of: 100_000, bytes: 100_000)) }

    #expect(rig.waiting.count == 4)
  }

  @Test func `a reader that stops early has no more fetched than three times what it read`() throws {
    var rig = try Rig(LeadingScreens()) {
      $0.keys = .page
      $0.pageSize = 10
      $0.findsWidth = true
      $0.knownTotal = 100_000
      $0.releasesPassedItems = true
    }
    for position in stride(from: 0, through: 400, by: 10) {
      rig.send(.advanced(to: position))
      while let request = rig.waiting.first { rig.answer(page(request, of: 100_000)) }
      let (ahead, read) = (rig.started.count - position / 10, position / 10)

      // What it looks at, and twice as much.
      #expect(ahead <= 3 * max(4, min(32, read)) + 1)
    }
  }

  @Test func `what a person or a script has said wins`() throws {
    #expect(try FeedConfiguration { ($0.keys, $0.maxInFlight) = (.page, 7) }.maxInFlight == 7)
    #expect(try FeedConfiguration { $0.keys = .page }.maxInFlight == 4)
    #expect(try FeedConfiguration { $0.findsWidth = true }.maxInFlight == 1)
    #expect(try FeedConfiguration { ($0.keys, $0.findsWidth) = (.offset, true) }.maxInFlight == 32)
  }
}
