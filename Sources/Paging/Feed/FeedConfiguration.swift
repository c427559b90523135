public import Items

/// How a feed reads its source; checked when it is made, so that a feed never meets a senseless number.
public struct FeedConfiguration: Sendable, Equatable {
  /// As given, and found to make sense.
  public var options: Options { _read { yield checked.options } }
  /// Options are large, and every part of a feed knows them: copies share them.
  private let checked: Checked

  private final class Checked: Sendable {
    let options: Options
    let firstKey: PageKey?

    init(_ options: Options) {
      self.options = options
      firstKey =
        switch options.keys {
        case .cursor: options.firstKey
        case .page: options.firstKey ?? .integer(1)
        case .offset: options.firstKey ?? .integer(0)
        }
    }
  }

  /// Everything that can be set, with its default.
  public struct Options: Sendable, Equatable {
    /// Items asked for per page.
    public var pageSize = 20
    /// Items asked for by the first fetch of a generation; nil is `pageSize`. With page keys a multiple of
    /// it.
    public var initialPageSize: Int?
    /// Items that the source has, where that is known before the first page: as many pages as may be are asked for at once.
    public var knownTotal: Int?
    /// The trigger of the built-in rule, in viewports.
    public var leadingScreens = 2.0
    /// The trigger in items; takes the place of the leading screens.
    public var prefetchDistance: Int?
    /// Who knows the next key.
    public var keys = KeyKind.cursor
    /// Nil is none for cursors, 1 for pages, 0 for offsets. Counted keys take integers only.
    public var firstKey: PageKey?
    /// Where to begin, if a reading goes on; nil is at its first page.
    public var beginning: Beginning?
    /// With cursors, the pages before the first one follow behind the last one, the nearest first: for whoever reads a list as a
    /// whole, and has no place in it.
    public var turnsAround = false
    /// Tell the position behind each page that is delivered.
    public var tellsPosition = false
    /// Whether each page is told with those of its items that were known (`Effect.delivered`); a reading that is gathered has the
    /// later form of an item then.
    public var tellsRepeated = false
    /// Pages in flight per side; nil is 1 for cursors and 4 for counted keys.
    public var maxInFlight: Int?
    /// With counted keys, pages in flight are as many as their host takes, which the gate finds out; then `maxInFlight` has no
    /// effect. A page more is asked for only as pages come, and those that wait for their turn take up bounded memory.
    public var findsWidth = false
    /// What happens to items that are held already.
    public var merge = Merge.keep
    /// Items held; whole pages beyond are dropped at the far end and fetched again on return.
    public var maxItems: Int?
    /// Pages that take their place before the feed stops by itself; nil is all.
    public var maxPages: Int?
    /// A reader that looks at a place far from what is held has the page of that place fetched next, where keys can be counted;
    /// without it all pages between are fetched.
    public var jumpsToPlaces = false
    /// Tell which items' details will be wanted soon.
    public var prefetchesDetails = false
    /// How much of a refresh has to be in before it is shown; until then both are held.
    public var refreshExtent = RefreshExtent.firstPage
    /// What a refresh takes away that it did not bring.
    public var refreshRemoval = RefreshRemoval.all
    /// Changes beyond which a refresh is applied as a reload, not as their difference; nil is never.
    public var reloadThreshold: Int?
    /// Let go of the bytes of items before the viewport; their ids are kept. For readers that never turn
    /// back.
    public var releasesPassedItems = false
    /// Where ids of passed items go that are too many to hold; nil holds them all.
    public var spilling: Spilling?
    /// Fetches in a row that bring nothing new before the feed stops by itself.
    public var fruitlessLimit = 8
    /// When a fetch that failed in passing is made again.
    public var retry = RetryRule()
    /// Time for one attempt; nil leaves that to the fetch handler's host calls.
    public var deadline: Duration?
    /// The source has to say itself that it is over: a total says how far to fetch ahead, and is compared in the end with
    /// what came. Without it a total is the end.
    public var checksTotal = false
    /// Items are made of those that the source sent, so that their ids say nothing of what it sent.
    public var isTransformed = false
    /// Decide again when a fetch ends. Without it, as upstream has it, a fetch that appends first and
    /// completes later leaves a short list short until something else happens (Texture 1.7).
    public var rechecksOnCompletion = true
    /// A cursor may come back to a key it had before.
    public var allowsKeyReuse = false
    /// A note for every decision, not only for those with consequences.
    public var notesEveryDecision = false
    /// Whether anyone reads notes; without them nothing else is different.
    public var makesNotes = true
    /// For the jitter of retries.
    public var seed: UInt64 = 0

    public init() {}
  }

  /// Checks the options; the error names the option, its value and what was expected.
  public init(_ options: Options = Options()) throws(InvalidConfiguration) {
    if let failure = options.firstMistake { throw failure }
    checked = Checked(options)
  }

  /// Sets options on the defaults, and checks them.
  public init(_ set: (inout Options) -> Void) throws(InvalidConfiguration) {
    var options = Options()
    set(&options)
    try self.init(options)
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.checked === right.checked || left.options == right.options
  }

  /// Pages in flight per side, at most.
  public var maxInFlight: Int {
    if findsWidth { return Limits.automaticInFlight }
    return options.maxInFlight ?? (options.keys.isCounted ? Limits.usualInFlight : 1)
  }

  /// Whether pages in flight are as many as their host takes.
  public var findsWidth: Bool { options.findsWidth && options.keys.isCounted }

  /// The first page's key.
  public var firstKey: PageKey? { checked.firstKey }

  /// The first fetch's size.
  public var initialPageSize: Int { options.initialPageSize ?? options.pageSize }
}

/// A number that makes no sense, with the evidence.
public struct InvalidConfiguration: Error, Sendable, Hashable {
  /// As scripts name it.
  public let option: String
  /// What was given.
  public let value: String
  /// What is allowed, with the numbers it depends on.
  public let expected: String

  public init(option: String, value: String, expected: String) {
    self.option = option
    self.value = value
    self.expected = expected
  }
}
