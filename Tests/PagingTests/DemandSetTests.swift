import Items
import TestSupport
import Paging
import Testing

@Suite struct DemandSetTests {
  @Test func `pages arrive in the order in which they are asked for`() throws {
    var rig = try DemandRig()

    rig.next(.numbers(0..<20, total: 50))
    rig.next(.numbers(20..<40, total: 50))

    #expect(rig.keys == [1, 2])
    #expect(rig.loaded == [Array(0..<20), Array(20..<40)])
    #expect(rig.set.lastFetchedPage == 2)
    #expect(rig.set.totalPages == 3)
    #expect(rig.set.totalCount == 50)
    #expect(!rig.set.lastPageAlreadyFetched)
    #expect(rig.set.firstItem?.id == .integer(0))
    #expect(rig.set.lastItem?.id == .integer(39))
    #expect(rig.set.contains(.integer(7)))
    #expect(rig.set[3]?.id == .integer(3))
    #expect(rig.set[40] == nil)
  }

  @Test(arguments: [KeyKind.page, .offset])
  func `a last page that is short says nothing of the size of the others, in whatever order they come`(
    keys: KeyKind
  ) throws {
    var rig = try DemandRig {
      $0.keys = keys
      $0.pageSize = 3
    }

    rig.fetch(3)
    rig.answer(.page(.numbers(6..<8, total: 8)))

    #expect(rig.set.totalPages == 3)
    #expect(rig.set.lastPageAlreadyFetched)
    rig.fetch(1)
    rig.answer(.page(.numbers(0..<3, total: 8)))
    #expect(rig.set.totalPages == 3)
  }

  @Test func `nothing is known before the first page`() throws {
    let rig = try DemandRig()

    #expect(rig.set.totalPages == 0)
    #expect(rig.set.count == 0)
    #expect(rig.set.firstItem == nil && rig.set.lastItem == nil)
    #expect(!rig.set.lastPageAlreadyFetched)
    #expect(!rig.set.isFetching)
  }

  @Test func `at the end there is nothing to do`() throws {
    var rig = try DemandRig()
    rig.next(.numbers(0..<20, total: 20))

    rig.next()

    #expect(rig.start == .nothing(.lastPageFetched))
    #expect(rig.waiting.isEmpty)
  }

  private static func checked(_ options: inout FeedConfiguration.Options) {
    options.keys = .page
    options.checksTotal = true
  }

  @Test func `a list whose pages were all fetched is compared with its total`() throws {
    var whole = try DemandRig(Self.checked)
    whole.next(.numbers(0..<20, total: 30))
    #expect(whole.mismatches.isEmpty)
    whole.next(.numbers(20..<30, total: 30))

    var short = try DemandRig(Self.checked)
    short.next(.numbers(0..<20, total: 30))
    short.next(.numbers(20..<25, total: 30, isLast: true))

    var skipping = try DemandRig(Self.checked)
    skipping.fetch(2)
    skipping.answer(.page(.numbers(20..<25, total: 30, isLast: true)))

    #expect(whole.mismatches == [nil])
    #expect(short.mismatches == [TotalMismatch(received: 25, total: 30)])
    #expect(skipping.mismatches.isEmpty)
  }

  @Test func `a page fetched again adds only what is new`() throws {
    var rig = try DemandRig()
    rig.next(.numbers(0..<3))
    rig.fetch(1)

    rig.answer(.page(.numbers(0..<5)))

    #expect(rig.loaded.last == [3, 4])
    #expect(rig.shown == [0, 1, 2, 3, 4])
  }

  @Test func `cursors know one page ahead`() throws {
    var rig = try DemandRig { $0.keys = .cursor }
    rig.fetch(2)
    #expect(rig.start == .nothing(.unknownKey(page: 2)))
    rig.next(.numbers(0..<2, next: 77))

    rig.next()

    #expect(rig.keys == [nil, 77])
    rig.answer(.page(.numbers(2..<4)))
    #expect(rig.set.lastPageAlreadyFetched)
  }

  @Test func `cursors that form a loop are refused`() throws {
    var rig = try DemandRig { $0.keys = .cursor }
    rig.next(.numbers(0..<2, next: 5))
    rig.next(.numbers(2..<4, next: 5))

    rig.next()

    #expect(rig.start == .nothing(.repeatedKey(.integer(5))))
    #expect(rig.shown == [0, 1, 2, 3])
  }

  @Test func `offsets follow what was received`() throws {
    var rig = try DemandRig { $0.keys = .offset }
    rig.next(.numbers(0..<7, total: 20))
    rig.next(.numbers(7..<14, total: 20))
    rig.next(.numbers(14..<20, total: 20))

    #expect(rig.keys == [0, 7, 14])
    #expect(rig.set.totalPages == 3)
    #expect(rig.set.lastPageAlreadyFetched)
  }

  @Test func `offsets from 1 leave out no item of the total, greater ones what lies before them`() throws {
    func rig(from first: Int64) throws -> DemandRig {
      try DemandRig {
        ($0.keys, $0.firstKey, $0.pageSize, $0.checksTotal) = (.offset, .integer(first), 3, true)
      }
    }
    var whole = try rig(from: 1)
    for first in [0, 3, 6] { whole.next(.numbers(first..<first + 3, total: 10)) }
    #expect(whole.set.totalPages == 4 && !whole.set.lastPageAlreadyFetched)
    whole.next(.numbers(9..<10, total: 10))

    var rest = try rig(from: 5)
    rest.next(.numbers(5..<8, total: 10))
    #expect(rest.set.totalPages == 2 && !rest.set.lastPageAlreadyFetched)
    rest.next(.numbers(8..<10, total: 10))

    #expect(whole.keys == [1, 4, 7, 10] && rest.keys == [5, 8])
    #expect(whole.set.lastPageAlreadyFetched && rest.set.lastPageAlreadyFetched)
    #expect(whole.mismatches == [nil] && rest.mismatches == [nil])
  }

  @Test func `pages that are equally short end no set that has a longer one`() throws {
    var rig = try DemandRig { ($0.keys, $0.pageSize) = (.page, 3) }
    for numbers in [0..<3, 3..<5, 6..<8, 9..<9] { rig.next(.numbers(numbers)) }

    #expect(!rig.set.lastPageAlreadyFetched)
    rig.next(.numbers(12..<15))
    #expect(rig.shown == [0, 1, 2, 3, 4, 6, 7, 12, 13, 14])
  }

  @Test func `a cursor that is not the last is followed by one without a key`() throws {
    var rig = try DemandRig { $0.keys = .cursor }
    var page = Page.numbers(0..<2)
    page.goesOn = true
    rig.next(page)

    rig.next(.numbers(2..<4))

    #expect(rig.keys == [nil, nil])
    #expect(rig.shown == [0, 1, 2, 3] && rig.set.lastPageAlreadyFetched)
  }

  @Test func `appended items count when the page is complete`() throws {
    var rig = try DemandRig()
    rig.next()
    rig.take(rig.set.appended(rig.waiting[0].id, .numbers(0..<2), received: 2))
    #expect(rig.shown.isEmpty)

    rig.answer(.completed(more: false))

    #expect(rig.loaded == [[0, 1]])
    #expect(rig.set.lastPageAlreadyFetched)
  }

  @Test func `a changed query is told to the handler, and reset keeps it`() throws {
    var rig = try DemandRig()
    rig.set.queryChanged()
    rig.take(rig.set.reset(at: rig.now))

    rig.next()

    #expect(rig.waiting[0].queryGeneration == 1)
    #expect(rig.keys == [1])
  }

  @Test func `a passing failure is tried again, and told when it does not pass`() throws {
    var rig = try DemandRig {
      $0.keys = .page
      $0.retry = RetryRule(count: 1, jitter: .none)
    }
    let failure = FetchFailure(code: "network", message: "broken", isTransient: true)
    rig.next()
    rig.answer(.failed(failure))
    #expect(rig.set.isFetching)
    rig.now = try #require(rig.wakeAt)
    rig.take(rig.set.woke(at: rig.now))
    #expect(rig.waiting.map(\.attempt) == [2])

    rig.answer(.failed(failure))

    #expect(rig.failures == [failure])
    #expect(!rig.set.isFetching)
  }

  @Test func `an attempt past its deadline is cancelled and fails`() throws {
    var rig = try DemandRig {
      $0.keys = .page
      $0.retry = .never
      $0.deadline = .seconds(5)
    }
    rig.next()
    rig.now = try #require(rig.wakeAt)

    rig.take(rig.set.woke(at: rig.now))

    #expect(rig.waiting.isEmpty)
    #expect(rig.failures.map(\.code) == ["timeout"])
  }
}
