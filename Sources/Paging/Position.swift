/// Where a reading has got to: the first page that is not delivered yet, and what the pages before it have taught.
///
/// Pages are delivered in order, so one place says it all. A feed that begins there fetches, drops and compares as if it had never
/// stopped.
public struct Position: Sendable, Equatable {
  /// The key of that page; nil is the first page of a source that names no key for it.
  public var key: PageKey?
  /// The page is one before the first one of the list, whose pages behind that are delivered.
  public var isBackward = false
  /// The key of the page before the first one, which comes behind the last one; nil is none.
  public var front: PageKey?
  /// How the keys count that pages name; nil where they do not.
  public var counting: CountingKeys?
  /// Pages before it.
  public var pages = 0
  /// Items that the source sent in them, each counted for one page only.
  public var received = 0
  /// Those of them that were new.
  public var inserted = 0
  /// Items of the largest page.
  public var largestPage = 0
  /// The source's newest total.
  public var total: Int?
  /// The largest page while none was full.
  public var cap: Int?
  /// The source is known to send no larger pages than that.
  public var isCapped = false
  /// A page was as long as asked for.
  public var sawFullPage = false

  /// What empty pages mean here.
  public var emptyPages = EmptyPages()

  /// By how much the total fell while the pages were read.
  public var fallen = 0
  /// Items that were edited meanwhile.
  public var edited = 0

  /// Items that the source said are gone, and had not brought.
  public var gone = 0
  /// Those of them that it listed beside its items.
  public var goneListed = 0

  /// The position of a page, before anything is known of the list.
  public init(key: PageKey?) { self.key = key }
}
