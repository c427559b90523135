import Items
import Lua
import Paging

/// A source read through a feed: by a loop or by the sink, whose position drives the policy, or by a person.
final class FeedReader: Reader {
  /// Where the items go.
  let kind: Kind
  private var machine: Feed
  private unowned let host: FeedHost

  /// Pages applied that the loop has not taken yet.
  var queue: [[Item]] = []
  /// The readings of a source that is read again and again.
  @Seldom var refreshing: Refreshing?
  /// Ids of the items that the sink was given, in order, where it follows what happens to them.
  var given: [ItemID] = []
  /// Fetches the details of what lies ahead, where the source has any.
  var prefetcher: ScriptPrefetcher?
  /// The call of another program that is answered when the sink has everything of it.
  var answers: HostCallID?
  /// Whether it is one of the partitions that the script lists.
  var isPartition = false
  /// The task that waits for the next page.
  var waiting: ScriptTask?
  /// Items that the reader has passed.
  var position = 0
  /// Items handed to the loop, and those of them before the newest page.
  private(set) var handedOut = 0
  private(set) var pageStart = 0
  var wasWarnedOfPutOff = false
  /// Kinds of ids that the list has.
  private var idKinds: IDKinds

  enum Kind {
    /// A loop of the script.
    case iterator
    /// The sink, under the stream's name.
    case sink(stream: String?)
    /// A person, who says what is seen.
    case viewport

    var isSink: Bool { if case .sink = self { true } else { false } }
  }

  /// How the pages end.
  enum Ending {
    case exhausted
    case failed(LuaError)
  }

  init(
    id: Int, definition: SourceDefinition, feed: Feed, kind: Kind, begun: BegunReading? = nil,
    _ host: FeedHost
  ) {
    self.kind = kind
    machine = feed
    self.host = host
    idKinds = IDKinds(hasIntegers: begun?.known.hasIntegers == true, hasTexts: begun?.known.hasTexts == true)
    super.init(id: id, definition: definition)
    self.begun = begun
    newBookmark = begun?.newBookmark
    if isSink, definition.isIncremental {
      newerVersions = NewerVersions(
        bookmark: definition.bookmark, after: definition.bookmark == nil ? nil : begun?.newBookmark)
    }
  }

  /// Asked and changed in place: a copy for each question would cost more than most answers.
  var feed: Feed {
    _read { yield machine }
    _modify { yield &machine }
  }

  override func receive(_ event: Event) { host.handle(event, for: self) }
  override func began(_ request: FetchRequest) { host.began(request, for: self) }
  override func closed() { host.closed(self) }

  override var nextWake: Instant? {
    guard let due = refreshing?.dueAt else { return wakeAt }
    return wakeAt.map { min($0, due) } ?? due
  }

  /// The id of a new item whose twin is in the list too; nil if there is none.
  func twin(among changes: ChangeSet) -> ItemID? {
    guard !numbersItems else { return nil }
    let new = changes.insertedItems
    idKinds.see(new)
    guard idKinds == .both else { return nil }
    for item in new { if let twin = item.id.twin, feed.contains(twin) { return item.id } }
    return nil
  }

  var isSink: Bool { kind.isSink }

  /// How the pages end: nil while more may come. What was under way when a page failed may still be delivered before it.
  var ending: Ending? {
    switch feed.state(of: .append) {
    case .exhausted, .stopped(.pageLimit): .exhausted
    case .gaveUp(let failure): flights.isEmpty ? .failed(error(for: failure)) : nil
    case .stopped(.fruitless(let fetches)): .failed(.fruitless(name, fetches))
    case .idle, .fetching, .failed: nil
    }
  }

  /// Whether its pages were cut by a limit.
  var isCut: Bool { if case .stopped(.pageLimit) = feed.state(of: .append) { true } else { false } }

  /// Whether the next page is under way, has failed or will not come.
  var fetchesAhead: Bool { feed.state(of: .append) != .idle }

  /// Whether the reader has taken every change set.
  var hasAppliedAll: Bool { feed.appliedRevision == feed.revision }

  /// Whether the loop can go on: with a page, or with the end.
  var hasNews: Bool { !queue.isEmpty || ending != nil }

  /// Whether the reader wants more and nothing is on its way.
  var isIdle: Bool {
    guard ending == nil, queue.isEmpty, flights.isEmpty else { return false }
    if case .iterator = kind { return waiting != nil }
    return true
  }

  /// Pushes the next page's items and their number, or nil at the end; throws the error that the pages end with.
  func pushNext(on stack: LuaStack) throws(LuaError) -> Int {
    guard !queue.isEmpty else {
      if case .failed(let error)? = ending { throw error }
      stack.pushNil()
      return 1
    }
    let items = queue.removeFirst()
    pageStart = handedOut
    handedOut += items.count
    try stack.push(items, on: host.account)
    stack.push(items.count)
    return 2
  }
}

/// Which kinds of ids are among some.
private struct IDKinds: Equatable {
  var hasIntegers: Bool
  var hasTexts: Bool

  static let both = IDKinds(hasIntegers: true, hasTexts: true)

  mutating func see(_ items: [Item]) {
    for item in items where self != .both {
      switch item.id {
      case .integer: hasIntegers = true
      case .text: hasTexts = true
      }
    }
  }
}

extension LuaError {
  /// A source with two items whose ids are written alike.
  static func twins(_ id: ItemID, of source: String) -> LuaError {
    let number = id.canonical
    return LuaError(
      .runtime,
      "source '\(source)' has an item with the id \(number) and one with the id \"\(number)\", which would be one row of a table: give "
        + "all ids one form and different texts, as id = function(item) return item.kind .. \"/\" .. item.id end"
    )
  }

  /// A source that was stopped because fetch after fetch brought nothing new.
  static func fruitless(_ source: String, _ fetches: Int) -> LuaError {
    LuaError(
      .runtime,
      "source '\(source)' brought nothing new \(fetches) times in a row, so it was stopped before its end: "
        + "look at its keys (--trace shows every fetch)", code: "fruitless")
  }
}
