import Paging

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
  /// HTTP requests sent, including retries.
  public var requests = 0
  public var retries = 0
  /// Items that were already held.
  public var duplicates = 0
  /// Bytes of HTTP bodies received.
  public var bytesReceived = 0
  /// How often the reader waited for a page after the first.
  public var stalls = 0
  /// Pages in flight now.
  public var inFlight = 0
  public init() {}

  static func + (left: Statistics, right: Statistics) -> Statistics {
    var sum = left
    sum.items += right.items
    sum.itemsPerStream.merge(right.itemsPerStream, uniquingKeysWith: +)
    sum.removals += right.removals
    sum.refreshes += right.refreshes
    sum.pages += right.pages
    sum.requests += right.requests
    sum.retries += right.retries
    sum.duplicates += right.duplicates
    sum.bytesReceived += right.bytesReceived
    sum.stalls += right.stalls
    sum.inFlight += right.inFlight
    return sum
  }

  /// Counts the work of a feed.
  mutating func add(_ note: Note) {
    switch note {
    case .delivered(_, _, _, let duplicates):
      pages += 1
      self.duplicates += duplicates
    case .retrying: retries += 1
    default: break
    }
  }
}

/// The counts of a run, kept by those who do the work.
final class Tally {
  var statistics = Statistics()
  var coverage = Coverage()
}
