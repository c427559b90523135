import Paging
import Testing

@Suite struct FeedConfigurationTests {
  private func mistake(_ set: (inout FeedConfiguration.Options) -> Void) -> InvalidConfiguration? {
    do {
      _ = try FeedConfiguration(set)
      return nil
    } catch {
      return error
    }
  }

  @Test func `the defaults are those of the contract`() throws {
    let cursor = try FeedConfiguration()
    let pages = try FeedConfiguration { $0.keys = .page }
    let offsets = try FeedConfiguration { $0.keys = .offset }

    #expect(cursor.options.pageSize == 20)
    #expect(cursor.options.leadingScreens == 2)
    #expect([cursor.maxInFlight, pages.maxInFlight, offsets.maxInFlight] == [1, 4, 4])
    #expect([cursor.firstKey, pages.firstKey, offsets.firstKey] == [nil, .integer(1), .integer(0)])
    #expect(cursor.options.retry.count == 10)
  }

  @Test func `sizes below one are refused with their value`() {
    #expect(
      mistake { $0.pageSize = 0 }
        == InvalidConfiguration(option: "pageSize", value: "0", expected: "at least 1"))
    #expect(mistake { $0.initialPageSize = -3 }?.option == "initialPageSize")
    #expect(mistake { $0.fruitlessLimit = 0 }?.option == "fruitlessLimit")
  }

  @Test func `a negative or missing distance is refused`() {
    #expect(mistake { $0.prefetchDistance = -1 }?.value == "-1")
    #expect(mistake { $0.prefetchDistance = 0 }?.option == "prefetchDistance")
    #expect(mistake { $0.leadingScreens = -0.5 }?.option == "leadingScreens")
    #expect(mistake { $0.leadingScreens = .nan }?.option == "leadingScreens")
  }

  @Test func `the limit leaves room for a page and the distance on both sides`() {
    let error = mistake {
      $0.pageSize = 3
      $0.prefetchDistance = 4
      $0.maxItems = 10
    }

    #expect(error?.expected == "at least pageSize + 2 * prefetchDistance = 3 + 2 * 4 = 11")
    #expect(
      mistake {
        $0.pageSize = 3
        $0.prefetchDistance = 4
        $0.maxItems = 11
      } == nil)
  }

  @Test func `cursors are fetched one at a time`() {
    #expect(mistake { $0.maxInFlight = 2 }?.option == "maxInFlight")
    #expect(
      mistake {
        $0.keys = .page
        $0.maxInFlight = 0
      }?.expected == "at least 1")
  }

  @Test func `counted keys begin with an integer`() {
    let error = mistake {
      $0.keys = .page
      $0.firstKey = .text("a")
    }

    #expect(
      error
        == InvalidConfiguration(
          option: "firstKey", value: "a", expected: "an integer, as the host counts pages"))
  }

  @Test func `a large first page is a whole number of pages`() {
    #expect(
      mistake {
        $0.keys = .page
        $0.initialPageSize = 30
      }?.expected == "a multiple of pageSize, which is 20, with page keys")
  }

  @Test func `times make sense`() {
    #expect(mistake { $0.deadline = .zero }?.option == "timeout")
    #expect(mistake { $0.retry.count = -1 }?.option == "retries")
    #expect(mistake { $0.retry.base = .seconds(-1) }?.option == "backoff.base")
    #expect(mistake { $0.retry.cap = .milliseconds(1) }?.option == "backoff.cap")
  }

  @Test func `items are either dropped or released`() {
    #expect(
      mistake {
        $0.maxItems = 100
        $0.releasesPassedItems = true
      }?.option == "maxItems")
  }

  @Test func `configurations are equal when their options are`() throws {
    let first = try FeedConfiguration { $0.pageSize = 50 }
    let same = try FeedConfiguration { $0.pageSize = 50 }
    let other = try FeedConfiguration { $0.pageSize = 51 }

    #expect(first == same)
    #expect(first != other)
  }

  @Test func `a feed is small enough for tens of thousands to be open`() {
    #expect(MemoryLayout<FeedConfiguration>.size == MemoryLayout<Int>.size)
    #expect(MemoryLayout<Feed>.size <= 1300)
  }
}
