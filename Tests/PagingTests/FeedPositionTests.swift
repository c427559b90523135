import Items
import Paging
import TestSupport
import Testing

@Suite struct FeedPositionTests {
  @Test(arguments: 0..<600 as Range<UInt64>)
  func `a reading that is killed and goes on brings what an undisturbed one brings`(_ seed: UInt64) throws {
    var dice = RandomStream(seed: seed)
    let source = RepeatingSource(&dice)
    var quiet = Reading(source, seed: seed)
    #expect(try quiet.read(until: .max, &dice) == true, "seed \(seed)")

    var reading = Reading(source, seed: seed)
    var kills = 0
    while try !reading.read(until: Int.random(in: 0...30, using: &dice), &dice), kills < 1000 { kills += 1 }

    #expect(reading.kept == quiet.kept, "seed \(seed)")
    #expect((reading.mismatch == nil) == (quiet.mismatch == nil), "seed \(seed)")
    // What landed before its turn is fetched again too, and the page before it is looked at.
    let most = quiet.requests + (kills + 1) * (4 * source.width + 1)
    #expect(reading.requests <= most, "seed \(seed): \(kills) kills")
  }

  @Test func `items that moved to the page before the position are found`() throws {
    var dice = RandomStream(seed: 1)
    var source = RepeatingSource(&dice)
    (source.keys, source.size, source.cap, source.width, source.total) = (.page, 5, .max, 3, nil)
    source.removesAt = nil
    source.ids = Array(0..<60)
    var reading = Reading(source, seed: 1)
    while reading.kept.count < 40 {
      #expect(try reading.read(until: reading.kept.count / 5 + 2, &dice) == false)
    }
    let before = reading.kept.count
    reading.source.ids.removeFirst(13)

    #expect(try reading.read(until: .max, &dice))

    #expect(before < 60)
    #expect(Set(reading.kept) == Set(0..<60))
    #expect(reading.kept.count == 60)
  }

  /// However many pages are asked for at once, and whether or not the end comes before what has moved was looked for.
  @Test(arguments: 0..<400 as Range<UInt64>)
  func `items that moved forward are found, however many were removed before the position`(_ seed: UInt64)
    throws
  {
    var dice = RandomStream(seed: seed)
    var source = RepeatingSource(&dice)
    // What the cursors of this source are, too: offsets.
    source.keys = [.page, .offset, .cursor].randomElement(using: &dice)!
    source.cap = .max
    source.removesAt = nil
    source.ids = Array(0..<Int.random(in: 1...160, using: &dice))
    source.width = source.keys == .cursor ? 1 : Int.random(in: 1...8, using: &dice)
    source.total = Bool.random(using: &dice) ? source.ids.count : nil
    var reading = Reading(source, seed: seed)
    var (isOver, sessions) = (false, 0)
    while !isOver {
      sessions += 1
      isOver = try reading.read(until: sessions + Int.random(in: 1...12, using: &dice), &dice)
      guard !isOver else { break }
      let gone = Int.random(in: 0...max(0, reading.kept.count), using: &dice)
      reading.source.ids.removeAll { id in id < gone && Bool.random(using: &dice) }
      reading.source.total = source.total.map { _ in reading.source.ids.count }
    }

    #expect(Set(reading.source.ids).subtracting(reading.kept).isEmpty, "seed \(seed)")
    #expect(Set(reading.kept).count == reading.kept.count, "seed \(seed)")
  }

  @Test(arguments: [KeyKind.page, .offset])
  func `a list of items without ids that lost some while nobody read it may lack items`(keys: KeyKind) throws
  {
    for (total, fallen) in [(37, 3), (40, 0), (43, 0)] {
      var position = Position(key: .integer(keys == .page ? 4 : 15))
      (position.total, position.received) = (40, 15)
      var feed = Feed(
        configuration: try FeedConfiguration { options in
          (options.keys, options.pageSize, options.checksTotal) = (keys, 5, true)
          options.beginning = Beginning(position)
        }, policy: LeadingScreens(2))
      var asked = feed.handle(.advanced(to: 0), at: .zero).compactMap { effect in
        if case .fetch(let request) = effect { request } else { nil }
      }
      var ending: TotalMismatch??
      while !asked.isEmpty {
        let request = asked.removeFirst()
        let number = try #require(request.key?.number)
        let start = keys == .page ? (number - 1) * 5 : number
        let page = Page.numbers(start..<max(start, min(total, start + 5)), total: total)
        for effect in feed.handle(.answered(request.id, .page(page)), at: .zero) {
          if case .fetch(let request) = effect { asked.append(request) }
          if case .ended(let mismatch) = effect { ending = mismatch }
        }
        for effect in feed.handle(.advanced(to: feed.itemCount), at: .zero) {
          if case .fetch(let request) = effect { asked.append(request) }
        }
      }

      #expect(try #require(ending)?.fallen ?? 0 == fallen, "\(total)")
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `the pages of a reading are counted to its end, however often it is killed`(_ seed: UInt64) throws {
    var dice = RandomStream(seed: seed)
    var source = RepeatingSource(&dice)
    (source.keys, source.size, source.cap, source.width, source.total) = (.cursor, 5, .max, 1, nil)
    source.removesAt = nil
    source.ids = Array(0..<57)
    var reading = Reading(source, seed: seed)

    while try !reading.read(until: Int.random(in: 0...4, using: &dice), &dice) {}

    #expect(reading.kept == Array(0..<57), "seed \(seed)")
    #expect(reading.pages == 12, "seed \(seed)")
  }

  @Test(arguments: [KeyKind.page, .offset], [1, 3])
  func `a page that is only compared counts for no limit of pages`(keys: KeyKind, most: Int) throws {
    for width in [1, 3] {
      var dice = RandomStream(seed: 3)
      var source = RepeatingSource(&dice)
      (source.keys, source.size, source.cap, source.width, source.total) = (keys, 5, .max, width, nil)
      source.removesAt = nil
      source.ids = Array(0..<60)
      var reading = Reading(source, seed: 3)
      reading.maxPages = most

      for run in 1...4 {
        _ = try reading.read(until: .max, &dice)

        #expect(reading.kept == Array(0..<run * most * 5), "\(width) at once")
      }
    }
  }

  @Test func `a cursor that expired is read from the start, and what is known is dropped`() throws {
    var dice = RandomStream(seed: 2)
    var source = RepeatingSource(&dice)
    (source.keys, source.size, source.width, source.removesAt) = (.cursor, 5, 1, nil)
    source.ids = Array(0..<140)
    var reading = Reading(source, seed: 2)
    reading.fruitlessLimit = 8
    while reading.kept.count < 100 { #expect(try reading.read(until: 6, &dice) == false) }
    reading.source.expired = true

    #expect(try reading.read(until: .max, &dice))

    #expect(reading.kept == Array(0..<140))
  }
}

/// A list in which ids come again; pages may be shorter than asked for.
private struct RepeatingSource {
  var keys: KeyKind
  var ids: [Int]
  var size: Int
  var cap: Int
  var width: Int
  var total: Int?
  /// Cursors of before are no longer taken.
  var expired = false
  /// Of how many items before a page it says that one is gone; nil is none.
  var removesAt: Int?

  init(_ dice: inout RandomStream) {
    keys = [.page, .offset, .cursor].randomElement(using: &dice)!
    let count = Int.random(in: 0...160, using: &dice)
    let range = Bool.random(using: &dice) ? count * 4 : max(1, count / 2)
    let isUnique = Bool.random(using: &dice)
    ids = isUnique ? Array(0..<count) : (0..<count).map { _ in Int.random(in: 0...range, using: &dice) }
    size = Int.random(in: 1...12, using: &dice)
    cap = keys == .offset && Bool.random(using: &dice) ? Int.random(in: 1...12, using: &dice) : .max
    width = keys == .cursor ? 1 : Int.random(in: 1...5, using: &dice)
    total = Bool.random(using: &dice) ? count : nil
    removesAt = keys == .cursor && Bool.random(using: &dice) ? Int.random(in: 1...7, using: &dice) : nil
  }

  /// Ids that a page says are gone; they may come again behind it.
  func removed(by request: FetchRequest) -> [ItemID] {
    guard let removesAt, let start = request.key?.number, start < ids.count else { return [] }
    return (0..<start).filter { ($0 + start) % removesAt == 0 }.map { .integer(Int64(ids[$0])) }
  }

  func answer(_ request: FetchRequest) -> FetchAnswer {
    let shift = expired ? 1000 : 0
    if expired, let number = request.key?.number, number < shift {
      return .failed(FetchFailure(code: "http", message: "expired", isTransient: false, status: 410))
    }
    let number = (request.key?.number).map { $0 - shift } ?? 0
    let start = min(ids.count, keys == .page ? (number - 1) * size : number)
    let end = min(ids.count, start + min(request.size, cap))
    var page = Page(.numbers(ids[start..<end]), total: total)
    if keys == .cursor, end < ids.count { page.nextKey = .integer(Int64(end + shift)) }
    return .page(page)
  }
}

extension Page {
  fileprivate init(_ items: [Item], total: Int?) { self.init(PageItems(items), total: total) }
}

/// What an output keeps of a reading: what came before the last position.
private struct Reading {
  var source: RepeatingSource
  let seed: UInt64
  /// Most of these lists repeat themselves for long.
  var fruitlessLimit = 1000
  var maxPages: Int?
  var kept: [Int] = []
  var position: Position?
  var requests = 0
  /// At the end.
  var pages = 0
  var mismatch: TotalMismatch?

  init(_ source: RepeatingSource, seed: UInt64) { (self.source, self.seed) = (source, seed) }

  /// Goes on until the end, or for so many answers; says whether the end was there.
  mutating func read(until most: Int, _ dice: inout RandomStream) throws -> Bool {
    var beginning = position.map { Beginning($0) }
    var list = IDList()
    for id in kept { list.append(.integer(Int64(id))) }
    beginning?.known = KnownIDs(list)
    let source = source
    var feed = Feed(
      configuration: try FeedConfiguration { [beginning, fruitlessLimit, maxPages] in
        $0.keys = source.keys
        $0.pageSize = source.size
        $0.maxInFlight = source.width
        $0.checksTotal = true
        $0.tellsPosition = true
        $0.releasesPassedItems = true
        $0.fruitlessLimit = fruitlessLimit
        $0.maxPages = maxPages
        $0.beginning = beginning
      }, policy: Everything())
    var waiting: [FetchRequest] = []
    var delivered = kept
    var passed = 0
    var answers = 0
    var isOver = false
    func take(_ effects: [Effect]) -> Int? {
      var revision: Int?
      for effect in effects {
        switch effect {
        case .fetch(let request):
          waiting.append(request)
          requests += 1
        case .cancel(let id): waiting.removeAll { $0.id == id }
        case .apply(let changes, let number):
          delivered += changes.insertedItems.ids
          passed += changes.insertedItems.count
          revision = number
        case .removed(let ids): delivered.removeAll { ids.contains(.integer(Int64($0))) }
        case .reached(let position):
          kept = delivered
          self.position = position
        case .ended(let mismatch):
          kept = delivered
          self.mismatch = mismatch
          pages = feed.deliveredPages
          isOver = true
        default: break
        }
      }
      return revision
    }
    func send(_ event: Event) {
      if let revision = take(feed.handle(event, at: .zero)) {
        send(.applied(revision: revision))
        send(.advanced(to: passed))
      }
    }
    send(.advanced(to: 0))
    while !isOver, !waiting.isEmpty, answers < most {
      answers += 1
      let request = waiting.remove(at: Int.random(in: 0..<waiting.count, using: &dice))
      let removed = source.removed(by: request)
      if !removed.isEmpty { send(.removed(request.id, removed)) }
      send(.answered(request.id, source.answer(request)))
    }
    return isOver || waiting.isEmpty
  }
}
