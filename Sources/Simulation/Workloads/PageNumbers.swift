import Paging

/// The numbers of a source's pages, from 0, as they follow each other: the first may have a size of its own.
struct PageNumbers: Sendable {
  private let first: Int
  private let size: Int

  init(ofSize size: Int, first: Int? = nil) {
    self.size = max(1, size)
    self.first = max(1, first ?? size)
  }

  init(_ configuration: FeedConfiguration) {
    self.init(ofSize: configuration.options.pageSize, first: configuration.initialPageSize)
  }

  /// The number of the page with an item.
  subscript(item: Int) -> Int { item < first ? 0 : 1 + (item - first) / size }
}
