import Items
import Paging
import TestSupport
import Testing

/// Keys that a source names, which may be page numbers and offsets: what they lead to moves with the list.
@Suite struct CountingKeysTests {
  /// Reads pages of five that name these keys; the total falls by one as the third is asked for. How many may have been missed.
  private func missed(_ keys: [PageKey], items: Int = 5) throws -> Int {
    var rig = try Rig(Everything()) { ($0.pageSize, $0.checksTotal) = (5, true) }
    rig.look(at: 0)
    for (place, key) in (keys.map(Optional.some) + [nil]).enumerated() {
      var page = Page.numbers(
        place * items..<(place + 1) * items, total: (keys.count + 1) * items - (place > 1 ? 1 : 0))
      page.nextKey = key
      rig.answer(.page(page))
    }
    let mismatches = rig.notes.compactMap { note in
      if case .disagreedWithTotal(_, let mismatch) = note { mismatch } else { nil }
    }
    #expect(rig.feed.state(of: .append) == .exhausted)
    return mismatches.first?.mayMiss ?? 0
  }

  @Test(arguments: [
    ["https://api.test/items?page=2&per_page=5", "https://api.test/items?page=3&per_page=5"],
    ["/v1/items?per_page=5&page=2", "/v1/items?per_page=5&page=3"],
    ["/items?page=1", "/items?page=2"], ["2", "3"], ["?page%5Bnumber%5D=2", "?page%5Bnumber%5D=3"],
    ["/items/page/2", "/items/page/3"], ["?startIndex=6", "?startIndex=11"], ["?$skip=9", "?$skip=14"],
    ["?$skip=5", "?$skip=10"],
    ["/x?limit=5&offset=5", "/x?limit=5&offset=10"],
    ["?starting_at=7&p=10&startAt=5", "?starting_at=7&p=10&startAt=10"],
    ["/list?currentPage=2#top", "/list?currentPage=3#top"],
    ["YXJyYXljb25uZWN0aW9uOjQ=", "YXJyYXljb25uZWN0aW9uOjk=", "YXJyYXljb25uZWN0aW9uOjE0"],
    ["eyJvZmZzZXQiOjV9", "eyJvZmZzZXQiOjEwfQ", "eyJvZmZzZXQiOjE1fQ"], ["cGFnZT0y", "cGFnZT0z"],
  ])
  func `links that count are told from others by their number, and pages that move are told`(keys: [String])
    throws
  {
    #expect(try missed(keys.map { .text($0) }) == 1)
  }

  @Test func `numbers are counted pages or offsets`() throws {
    #expect(try missed([.integer(2), .integer(3)]) == 1)
    #expect(try missed([.integer(5), .integer(10)]) == 1)
  }

  @Test(arguments: [
    ["eyJpZCI6NX0", "eyJpZCI6MTB9", "eyJpZCI6MTV9"], ["eyJpZCI6MTAwfQ", "eyJpZCI6MjAwfQ"],
    ["?after=41", "?after=97"], ["?page_info=abc2", "?page_info=abd3"],
    ["?page=2&token=17", "?page=3&token=99"], ["?page=2", "?page=5"],
    ["?since=2024-01-01&page=2", "?since=2024-01-02&page=2"],
  ])
  func `other keys lead where they did, whatever the total says`(keys: [String]) throws {
    #expect(try missed(keys.map { .text($0) }) == 0)
  }

  @Test(
    arguments: [
      (PageKey.text("/x?page=9&n=3"), 0, Int64(1), PageKey.text("/x?page=8&n=3")),
      (.text("/x?n=3&offset=100"), 1, 50, .text("/x?n=3&offset=50")), (.integer(30), 0, 10, .integer(20)),
      (.integer(10), 0, 10, nil), (.text("/x?page=1"), 0, 1, nil), (.text("/x"), 0, 1, nil),
      (.json(Bytes("[2]")), 0, 1, nil),
      (.text("YXJyYXljb25uZWN0aW9uOjE0"), 0, 5, .text("YXJyYXljb25uZWN0aW9uOjk=")),
      (.text("YXJyYXljb25uZWN0aW9uOjQ="), 0, 5, nil),
      (.text("eyJvZmZzZXQiOjEwfQ"), 0, 5, .text("eyJvZmZzZXQiOjV9")),
      (.text("/x?page=9"), 3, 1, nil), (.text("/x?page=9"), 0, -1, nil),
    ] as [(PageKey, Int, Int64, PageKey?)])
  func `the key before one is found`(key: PageKey, place: Int, step: Int64, before: PageKey?) {
    #expect(CountingKeys(place: place, step: step).key(before: key) == before)
  }
}
