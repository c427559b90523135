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
  /// Has the sink begin the reading anew, as a whole; nil where it did not go on with an earlier one.
  @Seldom var beginAnew: (() -> Void)?
  /// What the source said of the key from which the reading was to go on, and no longer can.
  @Seldom private var expiry: FetchFailure?
  /// Ids of the items that the sink was given, in order, where it follows what happens to them.
  var given: [ItemID] = []
  /// Fetches the details of what lies ahead, where the source has any.
  var prefetcher: ScriptPrefetcher?
  /// How far the reading has come, while tasks of the pages before go on.
  @Seldom private var heldMark: ReadingMark?
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
  var repeats = RepeatedPages()
  /// Looks for ids of the list that are written alike.
  private var twinSearch: TwinSearch

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
    /// By a limit.
    case cut
    case failed(LuaError)
  }

  init(
    id: Int, definition: SourceDefinition, feed: Feed, kind: Kind, begun: BegunReading? = nil,
    _ host: FeedHost
  ) {
    self.kind = kind
    machine = feed
    self.host = host
    twinSearch = TwinSearch(isJoined: definition.isIDJoined, known: begun?.known)
    super.init(id: id, definition: definition)
    self.begun = begun
    newBookmark = begun?.newBookmark
    if isSink, definition.isIncremental {
      newerVersions = NewerVersions(
        bookmark: definition.bookmark, of: begun,
        lastCounts: feed.configuration.options.merge == .replace)
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

  /// The sink's source ends with the last of them, and a partition that is read for another program with its error.
  override func wentOn(_ error: LuaError?) -> Bool {
    if let error {
      guard answers != nil else { return false }
      if !isClosed { host.end(self, .failed(error)) }
    } else if !isClosed {
      host.release(self)
      host.update(self)
    }
    return true
  }

  /// Whether tasks of its pages go on at their end, so that it is not over.
  func goesOn(behind ending: Ending) -> Bool {
    if case .failed = ending { false } else { !pagesGoingOn.areOver }
  }

  /// The reading has come to a new place: returns its mark if it counts, and holds it as long as tasks of the pages before go on.
  func reach(_ mark: ReadingMark) -> ReadingMark? {
    pagesGoingOn.reach { feed.isUnderWay($0) }
    let counts = pagesGoingOn.haveEndedBefore
    heldMark = counts ? nil : mark
    return counts ? mark : nil
  }

  /// The mark that was held, once it counts.
  func takeHeldMark() -> ReadingMark? { pagesGoingOn.haveEndedBefore ? heldMark.take() : nil }

  /// The sink gets what comes behind the mark that is held, which is void then: it would say that all that the sink has comes before it.
  /// Behind an end nothing comes but what a refresh brings.
  func gaveMore() {
    if let mark = heldMark, !mark.place.isEnd || refreshing != nil { heldMark = nil }
  }

  override var nextWake: Instant? {
    guard let due = refreshing?.dueAt else { return wakeAt }
    return wakeAt.map { min($0, due) } ?? due
  }

  /// Why the list can't have a new item: its id is there in another form. Nil if there is none such.
  func twins(among changes: ChangeSet) -> LuaError? {
    guard !numbersItems else { return nil }
    let found = twinSearch.first(among: changes.insertedItems) { feed.contains($0) }
    return found.map { .twins($0.id, $0.twin, of: name) }
  }

  var isSink: Bool { kind.isSink }

  /// What the feed is doing, asked in place.
  private var state: FetchState {
    func state(of feed: inout Feed) -> FetchState { feed.state(of: .append) }
    return state(of: &machine)
  }

  /// How the pages end: nil while more may come. What was under way when a page failed may still be delivered before it.
  var ending: Ending? {
    switch state {
    case .exhausted: .exhausted
    case .stopped(.pageLimit): .cut
    case .gaveUp(let failure): flights.isEmpty ? .failed(error(for: failure)) : nil
    case .stopped(.fruitless(let fetches)): .failed(.fruitless(name, fetches))
    case .idle, .fetching, .failed: nil
    }
  }

  /// Why the reading begins anew at an event, before which nothing was delivered: the list is another than the one of which an earlier
  /// run has brought a part, or nobody knows where that part ends.
  func reasonToBeginAnew(at event: Event) -> FetchFailure? {
    guard beginAnew != nil, feed.revision == 0 else { return nil }
    switch event {
    case .answered(_, .failed(let failure)):
      if failure.isOfAnotherList { return failure }
      // The feed begins at the start of the list: a source that has nothing there either has not told of its keys.
      if feed.hasExpired(failure) { expiry = failure }
      return nil
    case .outlined, .appended, .removed, .answered: return expiry
    default: return nil
    }
  }

  /// Where it goes on with what an earlier run has left, in words, where a server that was asked for that has nothing there; nil for others.
  var placeOfBeginning: String? {
    guard feed.statistics.pages == 0, let begun, case .gaveUp(let failure) = state,
      let status = failure.status,
      400..<500 ~= status, ![401, 403, 407, 408, 429].contains(status)
    else { return nil }
    if let position = begun.position { return "from page \((position.pages + 1).grouped) on" }
    return begun.bookmark == nil ? nil : "behind the bookmark of an earlier run"
  }

  /// Whether the next page is under way, has failed or will not come.
  var fetchesAhead: Bool { state != .idle }

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

extension LuaError {
  /// A source that was stopped because fetch after fetch brought nothing new.
  static func fruitless(_ source: String, _ fetches: Int) -> LuaError {
    LuaError(
      .runtime,
      "source '\(source)' brought nothing new \(fetches) times in a row, so it was stopped before its end: "
        + "look at its keys (--trace shows every fetch)", code: "fruitless")
  }
}
