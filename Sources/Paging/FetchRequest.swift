/// Which end of the item set a fetch is for.
public enum Direction: String, Sendable, CaseIterable {
  /// Behind the last item.
  case append
  /// Before the first item.
  case prepend
  /// The first page of a generation, which replaces what was held before.
  case refresh
}

/// Names one attempt at a page; never used twice in a feed.
public struct FetchID: Hashable, Sendable, Comparable {
  /// Raised by every refresh and cancel: answers of older ones are thrown away.
  public let generation: Int
  /// Counts up over the whole life of a feed.
  public let number: Int

  public init(generation: Int, number: Int) {
    self.generation = generation
    self.number = number
  }

  public static func < (left: FetchID, right: FetchID) -> Bool { left.number < right.number }
}

/// What a fetch handler is asked for: one page.
public struct FetchRequest: Sendable, Equatable {
  /// Names this attempt.
  public var id: FetchID
  /// Nil for the first page of a cursor, and where a script keeps its own place.
  public var key: PageKey?
  /// Items wanted.
  public var size: Int
  /// The end it is for.
  public var direction: Direction
  /// From 1; retries count up.
  public var attempt: Int
  /// Raised each time the query of an item set changes; zero elsewhere.
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
