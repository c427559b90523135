import Items
import Paging
import Testing

@Suite struct ListPlacesTests {
  /// A source of numbered items behind a feed that is read by places; fetches are answered when told.
  struct Reading {
    var feed: Feed
    var now = Instant.zero
    var open: [FetchRequest] = []
    var fetched: [PageKey?] = []
    /// Items of the source, of which some were put in front later.
    var total: Int
    var added = 0
    /// Pages of cursors say what precedes them.
    var namesPrevious = true

    init(_ keys: KeyKind, total: Int, maxItems: Int? = nil) throws {
      self.total = total
      feed = Feed(
        configuration: try FeedConfiguration { options in
          options.keys = keys
          options.pageSize = 10
          options.maxItems = maxItems
          options.jumpsToPlaces = true
        }, policy: LeadingScreens(1))
    }

    mutating func see(_ range: Range<Int>) {
      let viewport = Viewport(firstVisible: range.lowerBound, lastVisible: range.upperBound - 1)
      tell(.placesViewed(viewport))
    }

    mutating func tell(_ event: Event) {
      for effect in feed.handle(event, at: now) {
        switch effect {
        case .fetch(let request):
          open.append(request)
          fetched.append(request.key)
        case .cancel(let id): open.removeAll { $0.id == id }
        case .wake, .apply, .shiftViewport, .prefetch, .removed, .delivered, .reached, .ended, .note: break
        }
      }
    }

    /// Answers every fetch until none is open.
    mutating func settle() {
      while !open.isEmpty {
        now = now + .milliseconds(200)
        let request = open.removeFirst()
        tell(.answered(request.id, .page(page(request))))
      }
    }

    private func page(_ request: FetchRequest) -> Page {
      var first = 0
      if case .integer(let key)? = request.key {
        first = feed.configuration.options.keys == .page ? Int(key - 1) * 10 : Int(key)
      }
      let items = (first..<max(first, min(first + request.size, total))).map { number in
        Item(id: .integer(Int64(number - added)), bytes: Bytes("\(number - added)"))
      }
      let next = first + items.count
      let isCursor = feed.configuration.options.keys == .cursor
      return Page(
        PageItems(items, received: nil), nextKey: isCursor && next < total ? .integer(Int64(next)) : nil,
        previousKey: isCursor && namesPrevious && first > 0 ? .integer(Int64(max(0, first - 10))) : nil,
        total: total,
        isLast: isCursor && next >= total)
    }

    var list: BrowsedList { feed.list }

    var places: ListPlaces { feed.places }
  }

  @Test(arguments: [KeyKind.offset, .page])
  func `a place far away is jumped to and what lies between is not fetched`(keys: KeyKind) throws {
    var reading = try Reading(keys, total: 10_000)
    reading.see(0..<5)
    reading.settle()

    reading.see(9_000..<9_005)
    reading.settle()

    #expect(reading.list[9_000]?.id == .integer(9_000))
    #expect(reading.list[0] == nil)
    #expect(reading.fetched.count <= 6)
    #expect(!reading.list.isMissing(in: 9_000..<9_005))
  }

  @Test(arguments: [KeyKind.offset, .page])
  func `what comes before a jump has its own places`(keys: KeyKind) throws {
    var reading = try Reading(keys, total: 1_000)
    reading.see(0..<5)
    reading.settle()
    reading.see(500..<505)
    reading.settle()

    for first in stride(from: 495, through: 450, by: -5) {
      reading.see(first..<first + 5)
      reading.settle()
    }

    #expect((450..<505).allSatisfy { reading.list[$0]?.id == .integer(Int64($0)) })
    #expect(reading.places.slide == 0)
  }

  @Test func `a reader who begins far away gets all that it sees`() throws {
    var reading = try Reading(.offset, total: 100)

    reading.see(85..<96)
    reading.settle()

    #expect(reading.fetched.prefix(2) == [.integer(80), .integer(90)])
    #expect((85..<96).allSatisfy { reading.feed.items.contains(.integer($0)) })
  }

  @Test func `a reader who goes to the end as soon as the total is told is led there once`() throws {
    var reading = try Reading(.page, total: 250)
    reading.see(0..<22)
    let outline = Page(PageItems([], received: 10), total: 250)
    reading.tell(.outlined(reading.open[0].id, outline))

    for _ in 1...3 {
      let rows = reading.list.rowCount(beyond: 22)
      #expect(rows == 250)
      reading.see(rows - 22..<rows)
      reading.tell(.outlined(reading.open[0].id, outline))
    }
    reading.settle()

    #expect(reading.fetched.count { $0 == .integer(23) } == 1)
    #expect((228..<250).allSatisfy { reading.list[$0]?.id == .integer(Int64($0)) })
    #expect(reading.fetched.allSatisfy { $0 != .integer(26) })
  }

  @Test func `places stay true while far ends are let go`() throws {
    var reading = try Reading(.offset, total: 1_000, maxItems: 40)
    for first in stride(from: 0, through: 600, by: 5) {
      reading.see(first..<first + 5)
      reading.settle()
      #expect(reading.list[first]?.id == .integer(Int64(first)))
      #expect(reading.list.items.count <= 60)
    }
    for first in stride(from: 600, through: 0, by: -5) {
      reading.see(first..<first + 5)
      reading.settle()
      #expect(reading.list[first]?.id == .integer(Int64(first)))
    }
    #expect(reading.list.start == 0)
  }

  @Test func `the end of a cursor is reached page by page, and the way back leads to the first place`() throws
  {
    var reading = try Reading(.cursor, total: 200, maxItems: 40)
    for first in stride(from: 0, through: 195, by: 5) {
      reading.see(first..<first + 5)
      reading.settle()
    }
    #expect(reading.list.isAtEnd && reading.list[199]?.id == .integer(199))

    for first in stride(from: 195, through: 0, by: -5) {
      reading.see(first..<first + 5)
      reading.settle()
    }

    #expect(reading.list[0]?.id == .integer(0) && reading.list.start == 0)
  }

  @Test(arguments: [KeyKind.offset, .page, .cursor])
  func `a refresh keeps what is seen where the source has not changed`(keys: KeyKind) throws {
    var reading = try Reading(keys, total: 400)
    for first in stride(from: 0, through: 100, by: 5) {
      reading.see(first..<first + 5)
      reading.settle()
    }

    reading.tell(.refreshed(.anchor))
    #expect(reading.list[100]?.id == .integer(100))
    reading.settle()

    #expect(reading.list[100]?.id == .integer(100))
    #expect(reading.places.slide == 0)
    #expect(reading.places.wanted?.firstVisible == 100)
  }

  @Test func `a refresh after insertions moves the places and keeps the items`() throws {
    var reading = try Reading(.offset, total: 400)
    for first in stride(from: 0, through: 100, by: 5) {
      reading.see(first..<first + 5)
      reading.settle()
    }

    reading.total += 3
    reading.added += 3
    reading.tell(.refreshed(.anchor))
    reading.settle()

    #expect(reading.places.slide == 3)
    #expect(reading.list[103]?.id == .integer(100))
    #expect(reading.places.wanted?.firstVisible == 103)
  }

  @Test func `a key held down does not start a jump each time, and none is fetched for nobody`() throws {
    var reading = try Reading(.offset, total: 100_000)
    reading.see(0..<5)
    reading.settle()
    let before = reading.fetched.count

    for step in 1...20 {
      reading.now = reading.now + .milliseconds(5)
      reading.see(step * 1_000..<step * 1_000 + 5)
    }

    #expect(reading.fetched.count == before + 1)
    reading.settle()
    #expect(reading.list[20_000]?.id == .integer(20_000))
    #expect(reading.fetched.count <= before + 6)
  }

  @Test(arguments: [true, false], [nil, 40])
  func `a refresh where cursors lead forwards only keeps the place and all that came before it`(
    namesPrevious: Bool, maxItems: Int?
  ) throws {
    var reading = try Reading(.cursor, total: 100, maxItems: maxItems)
    reading.namesPrevious = namesPrevious
    for first in stride(from: 0, through: 60, by: 5) {
      reading.see(first..<first + 5)
      reading.settle()
    }

    reading.tell(.refreshed(.anchor))
    reading.settle()

    let wanted = try #require(reading.places.wanted)
    #expect(reading.list[wanted.firstVisible]?.id == .integer(60))
    for _ in 0...1 {
      for first in stride(from: wanted.firstVisible, through: 0, by: -5) {
        reading.see(first..<first + 5)
        reading.settle()
      }
      #expect((0..<5).allSatisfy { reading.list[$0]?.id == .integer(Int64($0)) })
      #expect(reading.places.start == 0)
      for first in stride(from: 0, through: 95, by: 5) {
        reading.see(first..<first + 5)
        reading.settle()
        #expect((first..<first + 5).allSatisfy { reading.list[$0]?.id == .integer(Int64($0)) })
      }
    }
    #expect(reading.list.total ?? 100 == 100)
  }

  @Test(arguments: [KeyKind.offset, .page], [3, 15, 25, 60])
  func `a list that lost its first items while its end was seen has true places behind a refresh`(
    keys: KeyKind, lost: Int
  ) throws {
    var reading = try Reading(keys, total: 100)
    reading.see(0..<5)
    reading.settle()
    reading.see(95..<100)
    reading.settle()

    (reading.total, reading.added) = (100 - lost, -lost)
    reading.tell(.refreshed(.anchor))
    reading.settle()
    for _ in 0...2 {
      let last = min(reading.places.wanted?.lastVisible ?? 0, reading.total - 1)
      reading.see(last - 4..<last + 1)
      reading.settle()
    }

    #expect(reading.list.total == reading.total)
    let first = try #require(reading.places.wanted?.firstVisible)
    #expect((first..<first + 5).allSatisfy { reading.list[$0]?.id == .integer(Int64($0 + lost)) })
  }

  @Test(arguments: [KeyKind.offset, .page])
  func `pages that were read backwards, let go and read again have their places`(keys: KeyKind) throws {
    var reading = try Reading(keys, total: 89, maxItems: 40)
    let turns = [(0, 5, 5), (84, 0, -5), (0, 84, 4)]
    for (first, last, step) in turns {
      for place in stride(from: first, through: last, by: step) {
        reading.see(place..<place + 5)
        reading.settle()
      }
    }

    let rows = try #require(reading.places.wanted?.firstVisible)
    #expect(rows == 84)
    #expect((84..<89).allSatisfy { reading.list[$0]?.id == .integer(Int64($0)) })
    #expect(reading.list.held.upperBound == 89)
  }
}
