/// The counts of a run.
public struct Statistics: Sendable, Equatable {
  /// Items given to the sink.
  public var items = 0
  public var itemsPerStream: [String: Int] = [:]
  /// Items that the sink removed.
  public var removals = 0
  /// Completed readings after the first, of all refreshed sources.
  public var refreshes = 0
  /// Pages that were placed.
  public var pages = 0
  /// Partitions of sources that are read in partitions.
  public var partitions = PartitionCounts()
  /// HTTP requests sent, including retries.
  public var requests = 0
  public var retries = 0
  /// Items that were already held, and were dropped.
  public var duplicates = 0
  /// Bytes of HTTP bodies received.
  public var bytesReceived = 0
  /// How often the reader waited for a page after the first.
  public var stalls = 0
  /// Pages in flight now.
  public var inFlight = 0
  public init() {}

  public static func + (left: Statistics, right: Statistics) -> Statistics {
    var sum = left
    sum.items += right.items
    sum.itemsPerStream.merge(right.itemsPerStream, uniquingKeysWith: +)
    sum.removals += right.removals
    sum.refreshes += right.refreshes
    sum.pages += right.pages
    sum.partitions = sum.partitions + right.partitions
    sum.requests += right.requests
    sum.retries += right.retries
    sum.duplicates += right.duplicates
    sum.bytesReceived += right.bytesReceived
    sum.stalls += right.stalls
    sum.inFlight += right.inFlight
    return sum
  }
}
