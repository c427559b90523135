public import Items

/// The places of a feed's items in the whole source: counted from its first item, whatever is held.
///
/// With counted keys, a place far from the held items is jumped to: a refresh at the key of its page, while held items stay.
public struct ListPlaces: Sendable {
  /// The place of the first held item.
  public private(set) var start = 0
  /// The reader's viewport, in places; nil until known.
  public private(set) var wanted: Viewport?
  /// How far the visible items have moved so far, positive is further back: a reader that keeps places of its own shifts them
  /// by the difference.
  public private(set) var slide = 0
  /// The generation under way, if any.
  @Seldom public private(set) var replacing: Replacing?

  /// A generation under way, and what is shown of the old one meanwhile.
  public struct Replacing: Sendable, Hashable {
    /// The place of its first item; nil if the keys don't tell.
    public let landing: Int?
    /// The reader looks elsewhere, so its place is kept rather than its items.
    public let isJump: Bool
    public let total: Int?
    public let isAtEnd: Bool
    /// The first place that was seen when it was asked for.
    let asked: Int
    let since: Instant
  }

  /// A page that holds a place.
  struct PlacedPage {
    let place: Int
    let key: PageKey
  }

  /// A way to a place that leaves out what lies between.
  struct Jump {
    let page: PlacedPage
    /// It is not begun before.
    let due: Instant
  }

  /// Minimum time between jumps, so that a key held down does not start one each time.
  private static let jumpPause = Duration.milliseconds(150)

  private let configuration: FeedConfiguration
  private var pageSize: Int
  /// A page of the newest generation has been delivered.
  private var hasPage = false

  init(_ configuration: FeedConfiguration) {
    self.configuration = configuration
    pageSize = configuration.options.pageSize
  }

  private var keys: KeyKind { configuration.options.keys }
  private var jumps: Bool { configuration.options.jumpsToPlaces }

  /// Sets the reader's viewport.
  mutating func want(_ viewport: Viewport) { wanted = viewport }

  /// Converts a viewport from places to items.
  func inItems(_ viewport: Viewport) -> Viewport {
    var viewport = viewport
    viewport.shift(by: -start)
    return viewport
  }

  /// The jump to the wanted places, if they are too far away, or behind a page that failed for good: there the side is stuck.
  func jump(to wanted: Viewport, held count: Int, isStuck: (Direction) -> Bool) -> Jump? {
    guard jumps, let page = page(of: wanted.firstVisible) else { return nil }
    let reach = reach(of: wanted.length)
    if let replacing {
      guard let landing = replacing.landing else { return nil }
      let isHeld = wanted.firstVisible >= start && wanted.lastVisible < start + count
      let isFar = abs(landing - page.place) > reach
      guard isFar || (landing != page.place && !isHeld && isStuck(.append)) else { return nil }
      return Jump(page: page, due: replacing.since + Self.jumpPause)
    }
    let (before, behind) = (start - wanted.lastVisible, wanted.firstVisible - (start + count))
    let isFar = max(before, behind) > reach
    guard
      isFar || (behind >= pageSize && isStuck(.append)) || (before > pageSize && isStuck(.prepend))
    else { return nil }
    return Jump(page: page, due: .zero)
  }

  /// The part of a dead zone, in places, that is not jumped to; nil if there is none or it depends on the time.
  func deadZone(_ zone: DeadZone, held count: Int) -> DeadZone? {
    let zone = zone.shifted(by: start)
    guard jumps, page(of: 0) != nil else { return zone }
    if replacing != nil { return nil }
    let reach = reach(of: zone.length)
    return zone.clamped(to: start - reach + 1...start + count + reach)
  }

  private func reach(of length: Double) -> Int {
    pageSize * configuration.maxInFlight + Int(min(1e6, max(1, length)))
  }

  /// The page of the first visible place; nil without a viewport or counted keys.
  var wantedPage: PlacedPage? { wanted.flatMap { page(of: $0.firstVisible) } }

  /// The generation under way, if any. Where nothing is held, there is nothing to keep either.
  mutating func await(_ landing: Int?, isJump: Bool, instead held: BrowsedList, at now: Instant) {
    hasPage = false
    if held.items.isEmpty {
      start = landing ?? 0
      replacing = nil
    } else {
      let wasJump = replacing?.isJump ?? false
      replacing = Replacing(
        landing: landing, isJump: isJump || wasJump, total: replacing?.total ?? held.total,
        isAtEnd: replacing?.isAtEnd ?? held.isAtEnd, asked: wanted?.firstVisible ?? 0, since: now)
    }
  }

  /// The new generation is shown in place of the old one; `isFromFirst` says that it begins with the first page of the list.
  ///
  /// What counts is where the reader looks now, not where it looked when this was asked for. It goes along with the items that
  /// it sees, as far as the new generation has them. Where it has none of them the reader stays at its place, and the items
  /// stand where their key says, or where those of them stood that were counted before. Returns how far it has moved among
  /// the items.
  mutating func settle(from old: ItemSet, to new: ItemSet, isFromFirst: Bool) -> Int {
    guard let replaced = replacing, let seen = wanted else { return 0 }
    replacing = nil
    let (place, before) = (seen.firstVisible, inItems(seen))
    let index = ReadingPlace(before, in: old).index(in: new)
    let landing = isFromFirst ? 0 : replaced.landing
    start = max(0, landing ?? index.map { place - $0 } ?? counted(new, from: old) ?? replaced.asked)
    if !replaced.isJump, let index { push(by: start + index - place) }
    return wanted.map { inItems($0).firstVisible - before.firstVisible } ?? 0
  }

  /// Where the first of the new items stands, as the first of them says that was there before.
  private func counted(_ new: ItemSet, from old: ItemSet) -> Int? {
    for index in 0..<new.count {
      if let id = new[index]?.id, let path = old.path(of: id) { return start + path.item - index }
    }
    return nil
  }

  /// Gives up the new generation; held items stay.
  mutating func giveUpReplacing() { replacing = nil }

  /// Items were inserted or removed before the first one.
  mutating func shift(by distance: Int) {
    let goesAlong = goesAlong
    start -= distance
    guard start < 0 else { return }
    if goesAlong { push(by: -start) }
    start = 0
  }

  /// A page was delivered, of a source that has a page size of its own, or may have.
  /// `first` is one that has come before all others, with items.
  mutating func landed(_ first: PageOrder?, _ learned: Int?) {
    hasPage = true
    if let learned { pageSize = max(1, learned) }
    if let first { begin(with: first) }
  }

  /// Places the list at the start when nothing precedes it.
  mutating func holdFirst(isAtFront: @autoclosure () -> Bool) {
    guard start != 0, replacing == nil, hasPage, isAtFront() else { return }
    begin(at: 0)
  }

  /// A page with items was put before the others: a counted key says where it is, however long the pages behind it were.
  private mutating func begin(with page: PageOrder) {
    guard keys.isCounted, !configuration.options.isTransformed,
      case .integer(let first)? = configuration.firstKey,
      let number = page.number
    else { return }
    let distance = number.clampedDifference(first)
    begin(at: Int(clamping: keys == .page ? distance.clampedProduct(Int64(pageSize)) : distance))
  }

  private mutating func begin(at place: Int) {
    if goesAlong { push(by: place - start) }
    start = place
  }

  /// Whether the reader goes along when the items get other places: it does not look at what comes before all of them, and is
  /// not on its way to elsewhere.
  private var goesAlong: Bool {
    replacing?.isJump != true && wanted.map { $0.lastVisible >= start } ?? true
  }

  /// Moves the reader to other places, of which none comes before the first.
  private mutating func push(by distance: Int) {
    let first = wanted?.firstVisible ?? .max
    let possible = max(distance, min(0, -first))
    slide += possible
    wanted?.shift(by: possible)
  }

  /// The page with a place, if keys are counted, and count what is shown.
  private func page(of place: Int) -> PlacedPage? {
    guard keys.isCounted, !configuration.options.isTransformed,
      case .integer(let first)? = configuration.firstKey
    else { return nil }
    let number = max(0, place) / pageSize
    let key = first.clampedSum(Int64(keys == .page ? number : number * pageSize))
    return PlacedPage(place: number * pageSize, key: .integer(key))
  }
}
