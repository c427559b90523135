internal import Items

/// Where the items of a feed stand in the whole of their source: places count from its first item, whatever of it is held.
///
/// It watches a feed's effects and turns what a reader wants to see into events. Where keys can be counted, a place far
/// from what is held is jumped to: a refresh at the key of its page, while what was held stays.
public struct ListPlaces: Sendable {
  /// The place of the first item that is held.
  public private(set) var start = 0
  /// What the reader wants to see, in places; nil until it says so.
  public private(set) var wanted: Viewport?
  /// By how much the items that the reader sees have changed their places so far, further back where it is positive: a
  /// reader that keeps places of its own moves them by what came on top.
  public private(set) var slide = 0
  /// A new generation is on its way.
  public private(set) var replacing: Replacing?

  /// A generation on its way, and what is shown of the old one meanwhile.
  public struct Replacing: Sendable, Hashable {
    /// The place of its first item; nil where the keys do not say.
    public let landing: Int?
    /// The reader wants to see something else than before, so its place is kept rather than its items.
    public let isJump: Bool
    public let total: Int?
    public let isAtEnd: Bool
    let since: Instant
    var step = Step.fetching

    enum Step: Sendable { case fetching, replaced, applied }
  }

  /// A jump that is under way is left alone so long, so that a key held down does not start one each time.
  static let jumpPause = Duration.milliseconds(150)

  private var pageSize: Int?
  /// A page of the newest generation has taken its place.
  private var hasPage = false

  public init() {}
}

extension ListPlaces {
  /// The event that shows the reader those places.
  public mutating func move(to viewport: Viewport, of feed: Feed, at now: Instant) -> Event {
    wanted = viewport
    if let page = pageToJumpTo(feed, at: now) { return jump(to: page, of: feed, at: now) }
    return .viewportMoved(inItems(viewport))
  }

  /// The event that fetches anew what the reader sees, and keeps it in its place.
  public mutating func refresh(_ feed: Feed, at now: Instant) -> Event {
    let page = page(of: wanted?.firstVisible ?? 0, feed)
    begin(landing: page?.place, isJump: false, feed, at: now)
    return .refreshed(page.map { .key($0.key) } ?? .anchor)
  }

  /// Takes note of effects of the feed, in their order; the event that follows from them, if any, is to be handled next.
  public mutating func watch(_ effects: [Effect], of feed: Feed, at now: Instant) -> Event? {
    var isReplaced = false
    for effect in effects {
      switch effect {
      case .shiftViewport(let distance):
        if settle(distance) { isReplaced = true } else { shift(by: distance) }
      case .apply:
        if replacing?.step == .applied, settle(0) { isReplaced = true }
        if replacing?.step == .replaced { replacing?.step = .applied }
      case .note(.replaced): replacing?.step = .replaced
      case .note(.delivered): hasPage = true
      case .note(.learnedPageSize(let size)): pageSize = size
      case .note, .fetch, .cancel, .wake: break
      }
    }
    if replacing?.step == .replaced || replacing?.step == .applied, settle(0) { isReplaced = true }
    holdFirst(feed)
    guard isReplaced, let wanted else { return nil }
    return move(to: wanted, of: feed, at: now)
  }

  /// A viewport in places as the feed has it, in items.
  private func inItems(_ viewport: Viewport) -> Viewport {
    var viewport = viewport
    viewport.firstVisible -= start
    viewport.lastVisible -= start
    return viewport
  }

  /// Items came or went before the first one.
  private mutating func shift(by distance: Int) {
    start -= distance
    guard start < 0 else { return }
    push(by: -start)
    start = 0
  }

  /// All items have other places than thought.
  private mutating func push(by distance: Int) {
    slide += distance
    wanted?.firstVisible += distance
    wanted?.lastVisible += distance
  }

  /// The new generation is shown: the first item it has stands where it was asked for. False when none was on its way.
  private mutating func settle(_ distance: Int) -> Bool {
    guard let replaced = replacing, replaced.step != .fetching else { return false }
    replacing = nil
    let new = replaced.landing ?? max(0, start - distance)
    if !replaced.isJump { push(by: new + distance - start) }
    start = new
    return true
  }

  /// What has nothing before it stands at the first place.
  private mutating func holdFirst(_ feed: Feed) {
    guard start != 0, replacing == nil, hasPage, feed.state(of: .prepend) == .exhausted else { return }
    push(by: -start)
    start = 0
  }
}

extension ListPlaces {
  /// The page of the first wanted place, when it is to be jumped to.
  private func pageToJumpTo(_ feed: Feed, at now: Instant) -> (place: Int, key: PageKey)? {
    guard let wanted, let page = page(of: wanted.firstVisible, feed) else { return nil }
    let reach = size(feed) * feed.configuration.maxInFlight + Int(min(1e6, max(1, wanted.length)))
    if let replacing {
      guard let landing = replacing.landing, abs(landing - page.place) > reach,
        now - replacing.since >= Self.jumpPause
      else { return nil }
      return page
    }
    let end = start + feed.items.count
    if feed.items.isEmpty { return wanted.firstVisible > reach ? page : nil }
    return wanted.firstVisible > end + reach || wanted.lastVisible < start - reach ? page : nil
  }

  private mutating func jump(to page: (place: Int, key: PageKey), of feed: Feed, at now: Instant) -> Event {
    begin(landing: page.place, isJump: true, feed, at: now)
    return .refreshed(.key(page.key))
  }

  private mutating func begin(landing: Int?, isJump: Bool, _ feed: Feed, at now: Instant) {
    hasPage = false
    // Where nothing is held, there is nothing to keep either.
    if feed.items.isEmpty {
      start = landing ?? 0
      replacing = nil
      return
    }
    let wasJump = replacing?.isJump ?? false
    replacing = Replacing(
      landing: landing, isJump: isJump || wasJump, total: replacing?.total ?? feed.totalCount,
      isAtEnd: replacing?.isAtEnd ?? (feed.state(of: .append) == .exhausted), since: now)
  }

  /// The page that holds a place, where keys can be counted.
  private func page(of place: Int, _ feed: Feed) -> (place: Int, key: PageKey)? {
    let keys = feed.configuration.options.keys
    guard keys.isCounted, case .integer(let first)? = feed.configuration.firstKey else { return nil }
    let size = size(feed)
    let number = max(0, place) / size
    let key = first.clampedSum(Int64(keys == .page ? number : number * size))
    return (number * size, .integer(key))
  }

  private func size(_ feed: Feed) -> Int { max(1, pageSize ?? feed.configuration.options.pageSize) }
}
