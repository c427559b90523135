public import Items

/// What a new reading does to what the output has of the same source.
public enum WriteMode: String, Sendable, CaseIterable {
  /// Inserts and updates by id, and removes nothing.
  case merge
  /// Inserts, updates, and removes what the source no longer has.
  case mirror
  /// Adds all items, with the number of the reading.
  case append
}

/// A source that is to be read into the output, which may know how far an earlier run has come.
public struct ReadingRequest: Sendable, Equatable {
  /// The name of the stream; nil is the only or first one.
  public var stream: String?
  /// The source's name, for messages.
  public var source: String
  /// The parameters that say which part of the source is read, as JSON; empty where there are none.
  public var partition = ""
  /// Those of them that the run was given, as JSON.
  public var parameters = ""
  /// What of the source's declaration has to be the same for a reading to go on, as JSON.
  public var declaration = ""
  /// The script and what else takes part, as `ReadingParts.text`: a reading goes on without being the same, and says so.
  public var parts = ""
  /// What the source declares of its items.
  public var items = ItemDeclaration()
  /// What the source says of `WriteMode`; nil is nothing.
  public var write: WriteMode?
  /// Whether the source brings only what is new since its bookmark.
  public var isIncremental = false
  /// The member of its items that is the bookmark; empty for what a function makes, nil without one.
  public var bookmarkField: String?
  /// Whether it begins anew where it could go on, as its list has become another: what it has brought so far does not count.
  public var isAnew = false
  /// What takes the place of the bookmark, as JSON; nil leaves it.
  public var since: Bytes?
  /// The greatest bookmark that is wanted, as JSON; nil is none.
  public var until: Bytes?

  public init(stream: String? = nil, source: String) {
    self.stream = stream
    self.source = source
  }

  /// Whether it asks for a stretch of the source.
  public var isBounded: Bool { since != nil || until != nil }

  /// Asks for a stretch of the source, in place of what is new; only a run that asks for the same goes on with it.
  public mutating func bound(since: Bytes?, until: Bytes?) {
    (self.since, self.until) = (since, until)
    if let since { declaration += ", since \(since.string)" }
    if let until { declaration += ", until \(until.string)" }
  }
}

/// A reading that has begun, or goes on, with what the output remembers of it.
public struct BegunReading: Sendable, Equatable {
  /// Names it in deliveries.
  public var id: Int
  /// Readings of this part of the source, with this one.
  public var number = 1
  /// Where it goes on; nil where it begins.
  public var position: Position?
  /// Ids of what it has brought.
  public var known = KnownIDs()
  /// Items that it has brought, and the pages in which they came.
  public var items = 0
  public var pages = 0
  /// Whether a run that was stopped has read it to its end, so that nothing is left to do.
  public var isDone = false
  /// Names of the script, modules and parameters that are others than when it began.
  public var changedParts: [String] = []
  /// Whether the output is not as the run before left it, so that nothing goes on.
  public var isOutputChanged = false
  /// Whether the output keeps what a stopped run has left, also of what its handlers have emitted.
  public var isOutputContinued = false
  /// Whether the bookmark was one of another field, and is not given.
  public var isBookmarkChanged = false
  /// What the last complete reading left, as JSON.
  public var bookmark: Bytes?
  /// The greatest bookmark that is wanted, as JSON.
  public var bookmarkLimit: Bytes?
  /// What this one has so far.
  public var newBookmark: Bytes?
  /// Items that have come with the bookmark, by digests of their bytes: sources are asked for what is not less than it, so they
  /// come again.
  public var boundary = KnownIDs()
  /// The same of those that have come with `newBookmark`, as far as they are known.
  public var newBoundary = KnownIDs()

  public init(id: Int) { self.id = id }

  /// One of which nothing is remembered.
  public init(_ request: ReadingRequest) {
    self.init(id: 0)
    (bookmark, bookmarkLimit) = (request.since, request.until)
  }
}

/// A step of a workflow that has begun, or that an earlier run has ended.
public struct BegunStep: Sendable, Equatable {
  /// Names it in deliveries.
  public var id: Int
  /// What it returned, as JSON; nil until it has ended.
  public var result: Bytes?

  public init(id: Int, result: Bytes? = nil) {
    self.id = id
    self.result = result
  }
}

/// How far a reading has come with a delivery.
public struct ReadingMark: Sendable, Equatable {
  /// Where the delivery ends.
  public enum Place: Sendable, Equatable {
    /// Behind the pages that were delivered.
    indirect case position(Position)
    /// At its end; without all that the source says it has, nothing follows from what did not come.
    case end(isComplete: Bool)

    /// Whether the reading is over.
    public var isEnd: Bool { if case .end = self { true } else { false } }
  }

  public var place: Place
  /// Pages of the reading that come before it.
  public var pages = 0
  /// The reading's own bookmark, as JSON.
  public var bookmark: Bytes?
  /// Items that have come with it, as `BegunReading.newBoundary`, and at the end as `boundary`; nil leaves those of before.
  public var boundary: KnownIDs?
  /// Whether items may have moved to pages that were read already: what did not come may be there all the same.
  public var mayMiss = false

  public init(_ place: Place, bookmark: Bytes? = nil, boundary: KnownIDs? = nil) {
    self.place = place
    self.bookmark = bookmark
    self.boundary = boundary
  }
}
