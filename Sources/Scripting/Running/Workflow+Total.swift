import Paging

/// How much there is to do.
extension Workflow {
  /// Items that there will be in the end, as far as the sources that the host reads say so; nil while one does not.
  public var total: Int? {
    var streams: Set<String> = []
    var total = 0
    for reader in readers.values {
      guard let reader = reader as? FeedReader, case .sink(let stream) = reader.kind,
        let count = reader.feed.totalCount, reader.refreshing?.isFirst ?? true
      else { return nil }
      if let stream { streams.insert(stream) }
      total += count
    }
    guard !readers.isEmpty else { return nil }
    total += statistics.itemsPerStream.reduce(0) { streams.contains($1.key) ? $0 : $0 + $1.value }
    return min(total, options.limit ?? total)
  }
}
