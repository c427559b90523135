internal import Items

/// Where the items of a feed stand in the whole of their source: places count from its first item, whatever of it is held.
///
/// Where keys can be counted, a place far from what is held is jumped to: a refresh at the key of its page, while what was
/// held stays.
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
  }

  /// A page that holds a place.
  struct PlacedPage {
    let place: Int
    let key: PageKey
  }

  /// A jump that is in flight is left alone so long, so that a key held down does not start one each time.
  private static let jumpPause = Duration.milliseconds(150)

  private let keys: KeyKind
  private let firstKey: PageKey?
  private let jumps: Bool
  private let maxInFlight: Int
  private var pageSize: Int
  /// A page of the newest generation has taken its place.
  private var hasPage = false

  init(_ configuration: FeedConfiguration) {
    keys = configuration.options.keys
    firstKey = configuration.firstKey
    jumps = configuration.options.jumpsToPlaces
    maxInFlight = configuration.maxInFlight
    pageSize = configuration.options.pageSize
  }

  /// The reader wants to see these places.
  mutating func want(_ viewport: Viewport) { wanted = viewport }

  /// A viewport in places as the feed has it, in items.
  func inItems(_ viewport: Viewport) -> Viewport {
    var viewport = viewport
    viewport.shift(by: -start)
    return viewport
  }

  /// The page of the first wanted place, when it is to be jumped to.
  func pageToJumpTo(held count: Int, at now: Instant) -> PlacedPage? {
    guard jumps, let wanted, let page = page(of: wanted.firstVisible) else { return nil }
    let reach = pageSize * maxInFlight + Int(min(1e6, max(1, wanted.length)))
    if let replacing {
      guard let landing = replacing.landing, abs(landing - page.place) > reach,
        now - replacing.since >= Self.jumpPause
      else { return nil }
      return page
    }
    if count == 0 { return wanted.firstVisible > reach ? page : nil }
    return wanted.firstVisible > start + count + reach || wanted.lastVisible < start - reach ? page : nil
  }

  /// The page of the first place that the reader sees; nil where it looks at none, and where keys can't be counted.
  var wantedPage: PlacedPage? { wanted.flatMap { page(of: $0.firstVisible) } }

  /// A new generation is on its way. Where nothing is held, there is nothing to keep either.
  mutating func await(_ landing: Int?, isJump: Bool, instead held: BrowsedList, at now: Instant) {
    hasPage = false
    if held.items.isEmpty {
      start = landing ?? 0
      replacing = nil
    } else {
      let wasJump = replacing?.isJump ?? false
      replacing = Replacing(
        landing: landing, isJump: isJump || wasJump, total: replacing?.total ?? held.total,
        isAtEnd: replacing?.isAtEnd ?? held.isAtEnd, since: now)
    }
  }

  /// The new generation is shown, and what the reader sees has moved by that many items: the first item that it has stands
  /// where it was asked for. False when none was on its way.
  mutating func settle(_ distance: Int) -> Bool {
    guard let replaced = replacing else { return false }
    replacing = nil
    let new = replaced.landing ?? max(0, start - distance)
    if !replaced.isJump { push(by: new + distance - start) }
    start = new
    return true
  }

  /// The new generation is not shown, and what was held stays.
  mutating func giveUpReplacing() { replacing = nil }

  /// Items came or went before the first one.
  mutating func shift(by distance: Int) {
    start -= distance
    guard start < 0 else { return }
    push(by: -start)
    start = 0
  }

  /// A page took its place.
  mutating func landed() { hasPage = true }

  /// The source sends so many items per page.
  mutating func learn(pageSize: Int) { self.pageSize = max(1, pageSize) }

  /// What has nothing before it stands at the first place.
  mutating func holdFirst(isAtFront: Bool) {
    guard start != 0, replacing == nil, hasPage, isAtFront else { return }
    push(by: -start)
    start = 0
  }

  /// All items have other places than thought.
  private mutating func push(by distance: Int) {
    slide += distance
    wanted?.shift(by: distance)
  }

  /// The page that holds a place, where keys can be counted.
  private func page(of place: Int) -> PlacedPage? {
    guard keys.isCounted, case .integer(let first)? = firstKey else { return nil }
    let number = max(0, place) / pageSize
    let key = first.clampedSum(Int64(keys == .page ? number : number * pageSize))
    return PlacedPage(place: number * pageSize, key: .integer(key))
  }
}
