import Paging

/// What a run did, in numbers.
public struct Statistics: Sendable, Equatable {
  /// Items given to the sink.
  public var items = 0
  public var itemsPerStream: [String: Int] = [:]
  /// Items that the sink was told to remove.
  public var removals = 0
  /// Readings after the first that came to their end, of all sources that are read again.
  public var refreshes = 0
  /// Pages that took their place.
  public var pages = 0
  /// HTTP requests sent, retries included.
  public var requests = 0
  public var retries = 0
  /// Items that were held already.
  public var duplicates = 0
  /// Bytes of HTTP bodies received.
  public var bytesReceived = 0
  /// Times that the reader waited for a page, after the first.
  public var stalls = 0
  /// Pages in flight now.
  public var inFlight = 0
  public init() {}

  /// Counts what a feed did.
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

/// The counts of a run, kept by those who do what is counted.
final class Tally {
  var statistics = Statistics()
  var coverage = Coverage()
}
