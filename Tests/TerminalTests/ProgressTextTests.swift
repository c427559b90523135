import Paging
import Terminal
import Testing
import Text

/// A run whose progress is told, in virtual time.
private struct Told {
  var words = ProgressText()
  var figures = ProgressText.Figures(items: 0, inFlight: 1)

  /// The line at that second, after so many items.
  mutating func line(_ seconds: Double, items: Int, within width: Int = .max) -> String {
    let now = Instant.zero + .milliseconds(Int64(seconds * 1000))
    figures.items = items
    words.note(figures, at: now)
    return words.text(figures, at: now, within: width)
  }
}

@Suite struct ProgressTextTests {
  private static func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

  @Test func `a clock runs until the first page has come`() {
    var told = Told()

    #expect(told.line(0.4, items: 0) == "waiting for the first page: 0 s · 1 in flight")
    #expect(told.line(12, items: 0) == "waiting for the first page: 12 s · 1 in flight")
    #expect(told.line(13, items: 26) == "26 items · 2/s · 1 in flight")
  }

  @Test func `a total says how much is left, and a limit how much of it is wanted`() {
    var told = Told()
    told.figures.total = 5000
    #expect(told.line(10, items: 1000) == "1,000 of 5,000 items · 100/s · 1 in flight · 40 s left")

    told.figures.limit = 2000
    #expect(told.line(10, items: 1000) == "1,000 of 2,000 items · 100/s · 1 in flight · 10 s left")

    told.figures.total = nil
    #expect(told.line(10, items: 1000) == "1,000 of at most 2,000 items · 100/s · 1 in flight")
  }

  @Test func `partitions count down once all of them are known, and not before`() {
    var told = Told()
    told.figures.partitions.openLists = 1
    (told.figures.partitions.listed, told.figures.partitions.done) = (400, 312)
    #expect(
      told.line(10, items: 1000)
        == "1,000 items · 100/s · 1 in flight · 312 partitions, more are being listed")

    told.figures.partitions.openLists = 0
    told.figures.partitions.listed = 10_000
    #expect(
      told.line(10, items: 1000)
        == "1,000 items · 100/s · 1 in flight · 312 of 10,000 partitions · 5 min 11 s left")

    told.figures.limit = 2000
    #expect(told.line(10, items: 1000).hasSuffix("312 of 10,000 partitions"))
  }

  @Test func `partitions of an earlier run make none of this one quicker`() {
    var told = Told()
    (told.figures.partitions.listed, told.figures.partitions.done) = (1000, 900)
    told.figures.partitions.doneBefore = 890

    #expect(told.line(10, items: 10).hasSuffix("900 of 1,000 partitions · 1 min 40 s left"))
  }

  @Test func `the rate is that of the last half minute`() {
    var told = Told()
    for second in 1...100 { _ = told.line(Double(second), items: 100 * second) }
    #expect(told.line(100, items: 10_000) == "10,000 items · 100/s · 1 in flight")

    for second in 101...140 { _ = told.line(Double(second), items: 10_000 + 10 * (second - 100)) }
    #expect(told.line(140, items: 10_400) == "10,400 items · 10/s · 1 in flight")
  }

  @Test func `however rare pages are, there is a rate and a time left`() {
    var told = Told()
    told.figures.total = 1000
    for minute in 1...5 { _ = told.line(Double(60 * minute), items: 100 * minute) }

    #expect(told.line(300, items: 500) == "500 of 1,000 items · 1/s · 1 in flight · 5 min left")
    #expect(told.line(340, items: 500).contains("nothing for 40 s"))
    #expect(told.line(340, items: 500).contains(" left"))
  }

  @Test func `a wait that a server asked for is counted down to its end`() {
    var told = Told()
    _ = told.line(1, items: 100)
    told.words.waits(for: "api.test", until: Self.at(4))

    #expect(told.line(1, items: 100).contains("waiting 3 s: api.test asked for it"))
    #expect(told.line(1.2, items: 100).contains("waiting 3 s"))
    #expect(told.line(2.5, items: 100).contains("waiting 2 s"))
    #expect(told.line(3.9, items: 100).contains("waiting 1 s"))
    #expect(!told.line(4, items: 100).contains("waiting"))
  }

  @Test func `a request that is sent again explains silence, and only silence`() {
    var told = Told()
    told.figures.retries = 1
    _ = told.line(1, items: 100)
    told.words.retries(at: Self.at(9), because: "HTTP 503")

    #expect(!told.line(1.5, items: 150).contains("503"))
    #expect(told.line(3, items: 150).contains("1 retry · again in 6 s: HTTP 503"))
    told.words.waits(for: "api.test", until: Self.at(20))
    told.words.retries(at: Self.at(9), because: "HTTP 503")
    #expect(told.line(3, items: 150).contains("api.test"))
  }

  @Test(arguments: 1...120)
  func `a line fits its terminal, and keeps what matters most`(width: Int) {
    var told = Told()
    told.figures = ProgressText.Figures(items: 0, total: 5000, inFlight: 8, retries: 3)
    told.words.waits(for: "日本語.example", until: Self.at(60))

    let line = told.line(10, items: 1000, within: width)

    #expect(line.cellWidth <= width)
    if width >= 20 { #expect(line.hasPrefix("1,000 of 5,000 items")) }
    if width >= 65 { #expect(line.contains("asked for it")) }
    if width < 90 { #expect(!line.contains("retries")) }
  }

  @Test func `items that are taken back give no rate below nothing`() {
    var told = Told()
    _ = told.line(1, items: 100)

    #expect(told.line(40, items: 0).contains("waiting for the first page") == true)
    #expect(told.line(41, items: 50).contains("/s"))
    #expect(!told.line(41, items: 50).contains("-"))
  }
}
