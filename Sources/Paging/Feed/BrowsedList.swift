public import Items

/// What a reader who goes by places can see of a feed at a moment.
public struct BrowsedList: Sendable {
  /// The items that are held, of which the first stands at `start`.
  public let items: ItemSet
  /// See `ListPlaces.start`.
  public let start: Int
  /// Items that there are, by the source's newest word.
  public let total: Int?
  /// Nothing comes before the first item that is held.
  public let isAtStart: Bool
  /// Nothing comes behind the last item that is held.
  public let isAtEnd: Bool
  /// A new generation is on its way.
  public let isReplacing: Bool
  /// Why a page is not there, and the place where it would begin.
  public let failure: Failure?
  /// See `ListPlaces.slide`.
  public let slide: Int
  /// What the feed takes the reader to see, in places; nil while nobody has said.
  public let viewport: Viewport?

  /// A page that could not be fetched.
  public struct Failure: Sendable, Hashable {
    public let place: Int
    public let message: String
    /// When it is tried again by itself; nil when somebody has to say so.
    public let retryAt: Instant?

    public init(place: Int, message: String, retryAt: Instant?) {
      self.place = place
      self.message = message
      self.retryAt = retryAt
    }
  }

  /// A list of these items; made by `Feed.list` where there is a feed.
  public init(
    items: ItemSet, start: Int = 0, total: Int? = nil, isAtStart: Bool = true, isAtEnd: Bool = false,
    isReplacing: Bool = false, failure: Failure? = nil, slide: Int = 0, viewport: Viewport? = nil
  ) {
    self.items = items
    self.start = start
    self.total = total
    self.isAtStart = isAtStart
    self.isAtEnd = isAtEnd
    self.isReplacing = isReplacing
    self.failure = failure
    self.slide = slide
    self.viewport = viewport
  }

  /// The places of the items that are held.
  public var held: Range<Int> { start..<start + items.count }

  /// The item at a place; nil while it is not held.
  public subscript(place: Int) -> Item? { items[place - start] }

  /// How many rows there are to be shown: all that the source has, and where it does not say how many these are, so many
  /// more than are held, or as many as the reader looks at: what it has seen may be on its way again.
  public func rowCount(beyond: Int) -> Int {
    if isAtEnd { return held.upperBound }
    if let total { return max(total, held.upperBound + (failure?.retryAt == nil && failure != nil ? 1 : 0)) }
    if let failure, failure.place >= held.upperBound, failure.retryAt == nil { return failure.place + 1 }
    return max(held.upperBound + beyond, (viewport?.lastVisible ?? -1) + 1)
  }

  /// Whether a row that is visible there is still to come, and nothing stands in its way.
  public func isMissing(in places: Range<Int>) -> Bool {
    let rows = places.clamped(to: 0..<rowCount(beyond: places.count))
    return rows.contains { !held.contains($0) && failure.map { $0.retryAt != nil } ?? true }
  }
}

extension Feed {
  /// What can be seen of it, by places. A total counts what the source has, which a transform may show as more or fewer.
  public var list: BrowsedList {
    let replacing = places.replacing
    return BrowsedList(
      items: items, start: places.start,
      total: configuration.options.isTransformed ? nil : totalCount ?? replacing?.total,
      isAtStart: places.start == 0,
      isAtEnd: replacing.map { $0.isAtEnd && !$0.isJump } ?? (state(of: .append) == .exhausted),
      isReplacing: replacing != nil, failure: failure, slide: places.slide, viewport: places.wanted)
  }

  private var failure: BrowsedList.Failure? {
    let end = places.replacing.map { $0.landing ?? places.start } ?? places.start + items.count
    return failure(.append, at: end) ?? failure(.prepend, at: places.start - 1)
  }

  private func failure(_ side: Direction, at place: Int) -> BrowsedList.Failure? {
    switch state(of: side) {
    case .failed(let failure, let retryAt):
      BrowsedList.Failure(place: place, message: failure.message, retryAt: retryAt)
    case .gaveUp(let failure): BrowsedList.Failure(place: place, message: failure.message, retryAt: nil)
    case .stopped(.fruitless(let fetches)):
      BrowsedList.Failure(
        place: place, message: "\(fetches) fetches in a row brought nothing new", retryAt: nil)
    case .idle, .fetching, .exhausted, .stopped(.pageLimit): nil
    }
  }
}
