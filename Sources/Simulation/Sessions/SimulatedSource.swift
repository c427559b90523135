import Items
import Paging

/// A source of numbered items, paged as a configuration says.
struct SimulatedSource {
  let total: Int
  let options: FeedConfiguration.Options
  private let firstNumber: Int64
  private let numbers: PageNumbers

  init(total: Int, _ configuration: FeedConfiguration) {
    self.total = total
    options = configuration.options
    numbers = PageNumbers(configuration)
    if case .integer(let number)? = configuration.firstKey { firstNumber = number } else { firstNumber = 0 }
  }

  /// The items that a request is about; none past the end.
  func items(of request: FetchRequest) -> Range<Int> {
    var start = 0
    if case .integer(let number)? = request.key {
      let distance = options.keys == .cursor ? Int(number) : Int(number) - Int(firstNumber)
      start = min(max(0, distance), total)
      if options.keys == .page { start *= options.pageSize }
    }
    start = min(start, total)
    return start..<min(total, start + request.size)
  }

  /// The number of the page with these items.
  func number(of items: Range<Int>) -> Int { numbers[items.lowerBound] }

  /// The page that answers it: with a total where keys are counted, and without one where each page names the next.
  func page(_ items: Range<Int>) -> Page {
    let contents = items.map { Item(id: .integer(Int64($0)), bytes: .empty) }
    var page = Page(PageItems(contents), total: options.keys.isCounted ? total : nil)
    if options.keys == .cursor {
      if items.upperBound < total { page.nextKey = .integer(Int64(items.upperBound)) }
      if items.lowerBound > 0 {
        page.previousKey = .integer(Int64(max(0, items.lowerBound - options.pageSize)))
      }
    }
    return page
  }
}
