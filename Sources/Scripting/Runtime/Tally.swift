import Paging

/// The counts of a run, kept by those who do the work.
final class Tally {
  var statistics = Statistics()
  var coverage = Coverage()
}

extension Statistics {
  /// Counts the work of a feed.
  mutating func add(_ note: Note) {
    switch note {
    case .delivered(_, _, let updated, let duplicates):
      pages += 1
      self.duplicates += duplicates - updated
    case .retrying: retries += 1
    default: break
    }
  }
}
