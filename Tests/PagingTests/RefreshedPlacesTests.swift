import Items
import Paging
import Testing

/// A refresh whose reader does not stay where it was asked for.
@Suite struct RefreshedPlacesTests {
  private typealias Reading = ListPlacesTests.Reading

  /// A reader who has come to a place page by page, and has asked for a refresh there.
  private func refreshing(
    _ keys: KeyKind, at place: Int, of total: Int, namesPrevious: Bool = true
  ) throws -> Reading {
    var reading = try Reading(keys, total: total)
    reading.namesPrevious = namesPrevious
    for first in stride(from: 0, through: place, by: 20) {
      reading.see(first..<first + 22)
      reading.settle()
    }
    reading.tell(.refreshed(.anchor))
    return reading
  }

  private func showsItsPlaces(_ reading: Reading, _ places: Range<Int>) -> Bool {
    reading.places.wanted?.firstVisible == places.lowerBound
      && places.allSatisfy { reading.list[$0]?.id == .integer(Int64($0)) }
  }

  @Test(arguments: [KeyKind.offset, .page, .cursor], [0, 90, 98, 120, 131, 142, 170])
  func `a reader who moves while a refresh is on its way stays where it has gone`(
    keys: KeyKind, first: Int
  ) throws {
    var reading = try refreshing(keys, at: 120, of: 300)

    reading.see(first..<first + 22)
    reading.settle()

    #expect(showsItsPlaces(reading, first..<first + 22))
    #expect(reading.places.slide == 0)
  }

  @Test(arguments: [0, 98, 142])
  func `rows keep their numbers where cursors lead forwards only`(first: Int) throws {
    var reading = try refreshing(.cursor, at: 120, of: 300, namesPrevious: false)

    reading.see(first..<first + 22)
    reading.settle()

    #expect(showsItsPlaces(reading, first..<first + 22))
  }

  @Test(arguments: [KeyKind.offset, .page])
  func `a reader who goes to the end of a list that was just refreshed gets there`(keys: KeyKind) throws {
    var reading = try refreshing(keys, at: 0, of: 120)

    reading.see(98..<120)
    reading.settle()

    #expect(showsItsPlaces(reading, 98..<120))
  }

  @Test func `what was inserted moves a reader who has moved by a few rows`() throws {
    var reading = try refreshing(.offset, at: 120, of: 300)

    reading.total += 3
    reading.added += 3
    reading.see(115..<137)
    reading.settle()

    #expect(reading.places.slide == 3)
    #expect(reading.places.wanted?.firstVisible == 118)
    #expect((118..<140).allSatisfy { reading.list[$0]?.id == .integer(Int64($0 - 3)) })
  }

  @Test func `a jump that was put off is begun when the pause is over`() throws {
    var reading = try Reading(.offset, total: 100_000)
    reading.see(0..<5)
    reading.settle()

    reading.see(1_000..<1_005)
    reading.now = reading.now + .milliseconds(5)
    reading.see(50_000..<50_005)
    #expect(reading.fetched.last == .integer(1_000))
    reading.now = reading.now + .milliseconds(145)
    reading.tell(.woke)

    #expect(reading.fetched.last == .integer(50_000))
  }

  @Test func `a page behind one that failed for good is asked for when the reader goes there`() throws {
    var reading = try Reading(.offset, total: 200)
    for first in stride(from: 0, through: 60, by: 5) {
      reading.see(first..<first + 5)
      reading.settle()
    }
    let failure = FetchFailure(code: "http", message: "500", isTransient: false)
    reading.tell(.refreshed(.anchor))
    reading.tell(.answered(reading.open.removeFirst().id, .failed(failure)))
    #expect(reading.list.failure?.place == 60)

    reading.now = reading.now + .milliseconds(200)
    reading.see(95..<100)
    reading.settle()

    #expect(showsItsPlaces(reading, 95..<100))
    #expect(!reading.list.isReplacing)
  }

  @Test func `rows of a transform are no keys, and the total of the source is not theirs`() throws {
    var reading = try Reading(.offset, total: 1_000)
    reading.feed = Feed(
      configuration: try FeedConfiguration { options in
        options.keys = .offset
        options.pageSize = 10
        options.jumpsToPlaces = true
        options.isTransformed = true
      }, policy: LeadingScreens(1))
    reading.see(0..<5)
    reading.settle()

    #expect(reading.list.total == nil)
    #expect(reading.list.rowCount(beyond: 5) == reading.list.held.upperBound + 5)
    reading.see(500..<505)
    #expect(reading.fetched.allSatisfy { $0 != .integer(500) })
  }
}
