/// What a refresh takes away of the items that it did not bring, where it reads everything.
public enum RefreshRemoval: Sendable, Hashable {
  /// All of them.
  case all
  /// All of them, but nothing where it brought nothing at all.
  case unlessEmpty
  /// None: the source brings only what is new, or what it has no longer is to stay.
  case none
}

extension FeedConfiguration.Options {
  /// For a sink that reads the source again and again.
  public mutating func refreshEverything(removing removal: RefreshRemoval) {
    releasesPassedItems = false
    refreshExtent = .everything
    refreshRemoval = removal
  }
}
