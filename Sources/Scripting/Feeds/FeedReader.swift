import Items
import Lua
import Paging

/// A source read through a feed: by a loop or by the sink, whose position drives the policy, or by a person.
final class FeedReader: Reader {
  /// Items of the viewport's length.
  let length: Int
  /// Where the items go.
  let kind: Kind
  var feed: Feed
  private unowned let host: FeedHost

  /// Pages applied that the loop has not taken yet.
  var queue: [[Item]] = []
  /// The readings of a source that is read again and again.
  var refreshing: Refreshing?
  /// Ids of the items that the sink was given, in order, where it follows what happens to them.
  var given: [ItemID] = []
  /// The details of what lies ahead, where the source fetches them.
  var details: DetailWindow?
  /// Where the items stand in the whole of the source, for a person.
  var places: ListPlaces?
  /// The task that waits for the next page.
  var waiting: ScriptTask?
  /// Items that the reader has passed.
  var position = 0
  /// Items handed to the loop, and those of them before the newest page.
  private(set) var handedOut = 0
  private(set) var pageStart = 0
  var pages = 0
  /// Fetches whose pages came in, whether or not it is their turn; kept where pages are limited.
  var landed: Set<Int> = []
  /// Requests for pages that a limit of pages has no room for, unless those before them fail or have gaps.
  var withheld: [FetchRequest] = []
  /// Since when its policy has put off the page that its reader waits for, and how often.
  var putOff: (since: Instant, times: Int)?
  var wasWarnedOfPutOff = false
  /// The run reads no more pages of it.
  var isCut = false
  private var lastMove: (position: Int, at: Instant)?
  private var velocity = 0.0

  enum Kind {
    /// A loop of the script.
    case iterator
    /// The sink, under the stream's name.
    case sink(stream: String?)
    /// A person, who says what is seen.
    case viewport
  }

  /// How the pages end.
  enum Ending {
    case exhausted
    case failed(LuaError)
  }

  init(id: Int, definition: SourceDefinition, feed: Feed, kind: Kind, _ host: FeedHost) {
    self.kind = kind
    self.feed = feed
    self.host = host
    length = definition.viewportLength
    super.init(id: id, definition: definition)
  }

  override func receive(_ news: News) {
    switch news {
    case .appended(let id, let items, let received):
      host.handle(.appended(id, items, received: received), for: self)
    case .outlined(let id, let page): host.handle(.outlined(id, page), for: self)
    case .answered(let id, let answer): host.handle(.answered(id, answer), for: self)
    case .woke: host.handle(.woke, for: self)
    }
  }

  override var takesOutlines: Bool { true }
  override func began(_ request: FetchRequest) { host.began(request, for: self) }
  override func handlerEnded() { host.fetchEnded(of: self) }
  override func closed() { host.closed(self) }

  override var nextWake: Instant? {
    guard let due = refreshing?.dueAt else { return wakeAt }
    return wakeAt.map { min($0, due) } ?? due
  }

  var isSink: Bool { if case .sink = kind { true } else { false } }

  /// How the pages end: nil while more may come. What was under way when a page failed may still be delivered before it.
  var ending: Ending? {
    if isCut { return .exhausted }
    return switch feed.state(of: .append) {
    case .exhausted: .exhausted
    case .gaveUp(let failure): fetches.isEmpty ? .failed(error(for: failure)) : nil
    case .stopped(.fruitless(let fetches)): .failed(.fruitless(name, fetches))
    case .idle, .fetching, .failed: nil
    }
  }

  /// Whether the next page is under way, has failed or will not come.
  var fetchesAhead: Bool { feed.state(of: .append) != .idle }

  /// Whether the reader has taken every change set.
  var hasAppliedAll: Bool { feed.appliedRevision == feed.revision }

  /// Whether the loop can go on: with a page, or with the end.
  var hasNews: Bool { !queue.isEmpty || ending != nil }

  /// Whether the reader wants more and nothing is on its way.
  var isIdle: Bool {
    guard ending == nil, queue.isEmpty, fetches.isEmpty else { return false }
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

  /// Where the reader is now, for the policy.
  func viewport(at now: Instant) -> Viewport {
    if let last = lastMove, position > last.position {
      let seconds = (now - last.at).inSeconds
      let current = seconds > 0 ? Double(position - last.position) / seconds : velocity
      velocity = velocity == 0 ? current : velocity * 0.8 + current * 0.2
    }
    if lastMove == nil || position != lastMove?.position { lastMove = (position, now) }
    return Viewport(
      firstVisible: position, lastVisible: position, length: Double(length), velocity: velocity)
  }

  /// The rows that a person sees, and those around them whose details are worth having, in places.
  var detailPosition: PrefetchRange.Position? {
    guard let seen = places?.wanted else { return nil }
    let reach = RangeTuning.standard[.preload, .full]
    let isBack = seen.velocity < 0
    let before = Int(seen.length * (isBack ? reach.leading : reach.trailing))
    let after = Int(seen.length * (isBack ? reach.trailing : reach.leading))
    let visible = seen.firstVisible..<max(seen.firstVisible, seen.lastVisible + 1)
    return PrefetchRange.Position(
      visible: visible, preload: visible.lowerBound - before..<visible.upperBound + after,
      velocity: seen.velocity, latency: feed.latency.mean)
  }
}

extension LuaError {
  /// A source that brought nothing new so many times that it was stopped.
  static func fruitless(_ source: String, _ fetches: Int) -> LuaError {
    LuaError(
      .runtime,
      "source '\(source)' brought nothing new \(fetches) times in a row, so it was stopped before its end: "
        + "look at its keys (--trace shows every fetch)", code: "fruitless")
  }
}

extension FetchRequest {
  /// The key as a place among others; all cursors have the same.
  var number: Int64 { if case .integer(let number)? = key { number } else { 0 } }
}
