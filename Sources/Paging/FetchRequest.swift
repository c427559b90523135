/// The end of the item set that a fetch extends.
public enum Direction: String, Sendable, CaseIterable {
  /// After the last item.
  case append
  /// Before the first item.
  case prepend
  /// The first page of a generation, which replaces everything held before.
  case refresh
}

/// Identifies one attempt at a page; unique within a feed.
public struct FetchID: Hashable, Sendable, Comparable {
  /// Incremented by every refresh and cancel: answers of older generations are discarded.
  public let generation: Int
  /// Counts up over the life of a feed.
  public let number: Int

  public init(generation: Int, number: Int) {
    self.generation = generation
    self.number = number
  }

  public static func < (left: FetchID, right: FetchID) -> Bool { left.number < right.number }
}

/// What a fetch handler is asked for: one page.
public struct FetchRequest: Sendable, Equatable {
  /// Identifies this attempt.
  public var id: FetchID
  /// Nil for the first page of a cursor, and if the script keeps its own position.
  public var key: PageKey?
  /// Number of items wanted.
  public var size: Int
  /// The end it extends.
  public var direction: Direction
  /// From 1; incremented by each retry.
  public var attempt: Int
  /// Incremented when the query of an item set changes; zero elsewhere.
  public var queryGeneration: Int

  public init(
    id: FetchID, key: PageKey?, size: Int, direction: Direction, attempt: Int = 1,
    queryGeneration: Int = 0
  ) {
    self.id = id
    self.key = key
    self.size = size
    self.direction = direction
    self.attempt = attempt
    self.queryGeneration = queryGeneration
  }
}
