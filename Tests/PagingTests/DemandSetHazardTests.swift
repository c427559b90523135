import TestSupport
import Paging
import Testing

/// The hazards of SeatGeek's item set, each closed; the number is that of the hazard in our list.
@Suite struct DemandSetHazardTests {
  @Test func `1 without a total pages go on until the source ends`() throws {
    var rig = try DemandRig()
    rig.next(.numbers(0..<20))

    rig.next(.numbers(20..<25))
    #expect(!rig.set.lastPageAlreadyFetched)
    rig.next(.numbers([]))

    #expect(rig.set.lastPageAlreadyFetched)
    #expect(rig.shown == Array(0..<25))
  }

  @Test func `2 without a total the next page is never the same for ever`() throws {
    var rig = try DemandRig()

    for page in 0..<4 { rig.next(.numbers(page * 20..<page * 20 + 20)) }

    #expect(rig.keys == [1, 2, 3, 4])
  }

  @Test func `3 without a total the first page is not at once the last`() throws {
    var rig = try DemandRig()

    rig.next(.numbers(0..<3))

    #expect(!rig.set.lastPageAlreadyFetched)
    #expect(rig.set.totalPages == 1)
  }

  @Test func `4 a total that shrinks below the last page is the end`() throws {
    var rig = try DemandRig()
    for page in 0..<4 { rig.next(.numbers(page * 20..<page * 20 + 20, total: 120)) }

    rig.next(.numbers(80..<100, total: 70))

    #expect(rig.set.totalPages == 4)
    #expect(rig.set.lastFetchedPage == 5)
    #expect(rig.set.lastPageAlreadyFetched)
  }

  @Test func `5 fetching an earlier page again does not go back`() throws {
    var rig = try DemandRig()
    for page in 0..<4 { rig.next(.numbers(page * 20..<page * 20 + 20, total: 120)) }
    rig.fetch(1)
    rig.answer(.page(.numbers(0..<20, total: 120)))

    rig.next()

    #expect(rig.set.lastFetchedPage == 4)
    #expect(rig.keys == [1, 2, 3, 4, 1, 5])
  }

  @Test func `6 an empty first page is not the end while the total says more`() throws {
    var rig = try DemandRig()
    rig.next(.numbers([], total: 50))

    #expect(!rig.set.lastPageAlreadyFetched)
    rig.next(.numbers(20..<40, total: 50))

    #expect(rig.shown == Array(20..<40))
  }

  @Test func `7 the page asked for counts, whatever a server sends`() throws {
    var rig = try DemandRig()
    rig.next(.numbers(0..<20, total: 100))

    rig.next(.numbers(60..<80, next: 5, total: 100))
    rig.next()

    #expect(rig.set.lastFetchedPage == 2)
    #expect(rig.keys == [1, 2, 3])
  }

  @Test func `8 what arrives after a reset or a cancel is thrown away`() throws {
    for isReset in [true, false] {
      var rig = try DemandRig()
      rig.next()
      let id = rig.waiting[0].id
      rig.take(isReset ? rig.set.reset(at: rig.now) : rig.set.cancelFetch(at: rig.now))

      rig.take(rig.set.answered(id, .page(.numbers(0..<20)), at: rig.now))

      #expect(rig.shown.isEmpty)
      #expect(rig.loaded.isEmpty)
      #expect(rig.abandoned == 1)
      #expect(rig.lateAnswers == 1)
    }
  }

  @Test func `9 a late answer does not end the fetch that came after it`() throws {
    var rig = try DemandRig()
    rig.next()
    let old = rig.waiting[0].id
    rig.take(rig.set.cancelFetch(at: rig.now))
    rig.next()

    rig.take(rig.set.answered(old, .page(.numbers(0..<20)), at: rig.now))
    #expect(rig.set.isFetching)
    rig.next()

    #expect(rig.waiting.count == 1)
  }

  @Test func `10 a page that cannot be read ends the fetch`() throws {
    var rig = try DemandRig()
    rig.next()

    rig.answer(.failed(FetchFailure(code: "parse", message: "no JSON")))
    #expect(rig.failures.map(\.code) == ["parse"])
    #expect(!rig.set.isFetching)
    rig.next(.numbers(0..<20))

    #expect(rig.shown.count == 20)
  }

  @Test func `11 a second fetch joins the first and ends with it`() throws {
    var rig = try DemandRig()
    rig.next()
    let first = rig.start.ticket

    rig.next()
    #expect(rig.start == .joined(first!))
    rig.fetch(9)
    #expect(rig.start == .busy(first!))
    rig.fetch(0)

    #expect(rig.start == .nothing(.invalidPage(0)))
    #expect(rig.waiting.count == 1)
  }

  @Test func `12 a page of duplicates is told as a page with nothing new, and is not the end`() throws {
    var rig = try DemandRig()
    rig.next(.numbers(0..<20))

    rig.next(.numbers(0..<20))

    #expect(rig.loaded == [Array(0..<20), []])
    #expect(!rig.set.lastPageAlreadyFetched)
  }
}
