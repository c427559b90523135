import Items
import JSON
import Paging

/// Which items that come again in a reading of what is new since a bookmark are newer than they were: those whose bookmark is
/// not less than all that the reading delivered before, unless it delivered the same item with that one. What is edited while the
/// list is read moves to its end, maybe within the second of what came last.
///
/// A bookmark that a function or a handler makes is not one item's: there, nothing is taken for newer.
struct NewerVersions {
  /// The member that is the bookmark; nil where it is not one.
  private var field: String?
  /// The greatest bookmark of what was delivered, as JSON.
  private(set) var delivered: Bytes?
  /// What was delivered with it.
  private var newest = Newest()
  /// The same as an earlier run has left them, of a reading that goes on.
  private let before: (delivered: Bytes?, newest: KnownIDs)
  /// Whether an item was delivered once more.
  private var hasRenewed = false
  /// What came with the bookmark after which this reading asks.
  private let boundary: KnownIDs
  /// How many of each of them are still to come again: items without ids may be equal.
  private var left: [TextDigest: Int]
  private var removed: Set<ItemID> = []
  /// Whether of several versions in a page the last counts.
  private let lastCounts: Bool
  private var landed: [FetchID: Landed] = [:]

  /// What is known of a page that waits for its turn.
  private struct Landed {
    /// The greatest bookmark of its items.
    var bookmark: Bytes?
    /// Bookmarks from before the transform.
    var given: [ItemID: Bytes] = [:]
    /// How often ids come that come more than once.
    var doubled: [ItemID: Int] = [:]
    var newest = Newest()
  }

  /// The items that have the greatest bookmark, told by digests of their bytes: beyond so many of one bookmark, they are unknown.
  private struct Newest {
    private static let most = 100_000
    private(set) var bookmark: Bytes?
    private(set) var items: [ItemID: TextDigest] = [:]

    /// Whether items of that bookmark are among them now.
    mutating func reach(_ other: Bytes) -> Bool {
      if bookmark.map({ other.isLater(than: $0) }) ?? true { (bookmark, items) = (other, [:]) }
      return bookmark?.isLater(than: other) == false
    }

    mutating func add(_ item: Item) { if items.count < Self.most { items[item.id] = TextDigest(item.bytes) } }
    mutating func remove(_ id: ItemID) { items[id] = nil }

    mutating func add(_ others: Newest) {
      guard let other = others.bookmark, reach(other) else { return }
      items.merge(others.items) { $1 }
    }
  }

  /// The bookmark is a member of the items, or nil: what is remembered of another one says nothing then.
  init(bookmark field: String?, of begun: BegunReading?, lastCounts: Bool) {
    let begun = field == nil ? nil : begun
    self.field = field
    delivered = begun?.newBookmark
    before = (delivered, begun?.newBoundary ?? KnownIDs())
    boundary = begun?.boundary ?? KnownIDs()
    left = Dictionary((boundary.digests + before.newest.digests).map { ($0, 1) }, uniquingKeysWith: +)
    self.lastCounts = lastCounts
  }

  /// Notes the greatest bookmark of items that a fetch has brought.
  mutating func landed(_ fetch: FetchID, _ bookmark: Bytes) {
    guard field != nil else { return }
    landed[fetch, default: Landed()].bookmark = NewerVersions.greater(landed[fetch]?.bookmark, bookmark)
  }

  /// Puts the newest version of each item that a fetch has brought where the one is that counts. `bookmarks` are those that items
  /// had before a transform.
  mutating func sort(_ items: inout [Item], of fetch: FetchID, bookmarks: [Bytes?]) {
    guard let field else { return }
    for (item, bookmark) in zip(items, bookmarks) {
      guard let bookmark else { continue }
      let known = landed[fetch]?.given[item.id]
      landed[fetch, default: Landed()].given[item.id] = NewerVersions.greater(known, bookmark)
    }
    var versions = items.enumerated().map { place, item in
      (bookmarks.isEmpty ? nil : bookmarks[place]) ?? item.bytes.member(field)
    }
    note(items, versions, of: fetch)
    var places: [ItemID: Int] = [:]
    for place in items.indices {
      let id = items[place].id
      guard let earlier = places.updateValue(place, forKey: id) else { continue }
      if !lastCounts { places[id] = earlier }
      landed[fetch, default: Landed()].doubled[id, default: 1] += 1
      guard let one = versions[earlier], let other = versions[place],
        lastCounts ? one.isLater(than: other) : other.isLater(than: one)
      else {
        continue
      }
      items.swapAt(earlier, place)
      versions.swapAt(earlier, place)
    }
  }

  /// Notes those of the items that have the greatest bookmark.
  private mutating func note(_ items: [Item], _ versions: [Bytes?], of fetch: FetchID) {
    var newest = landed[fetch]?.newest ?? Newest()
    for case let version? in versions { _ = newest.reach(version) }
    for (item, version) in zip(items, versions) {
      if let version, newest.reach(version) { newest.add(item) }
    }
    landed[fetch, default: Landed()].newest = newest
  }

  /// What that fetch brought is delivered, but for items that came before; returns those that are newer, in order. A page that is
  /// only compared with what an earlier run has brought has all of it again: newer is what has a later bookmark.
  mutating func deliver(_ fetch: FetchID, repeated: [Item], isCompared: Bool = false) -> [Item] {
    let page = landed.removeValue(forKey: fetch)
    defer {
      if let bookmark = page?.bookmark { delivered = NewerVersions.greater(delivered, bookmark) }
      if let page { newest.add(page.newest) }
    }
    guard let field, !repeated.isEmpty else { return [] }
    var seen: [ItemID: Int] = [:]
    for item in repeated { seen[item.id, default: 0] += 1 }
    let newer = (lastCounts ? repeated.reversed() : repeated).filter { item in
      // Of several in a page one is the newest, and if that was new there is no other one.
      if let times = page?.doubled[item.id] {
        guard seen[item.id] == times else { return false }
        seen[item.id] = 0
      }
      guard let bookmark = page?.given[item.id] ?? item.bytes.member(field) else { return false }
      guard let delivered, !bookmark.isLater(than: delivered) else { return true }
      return !isCompared && !delivered.isLater(than: bookmark) && !hasDelivered(item)
    }
    hasRenewed = hasRenewed || !newer.isEmpty
    return lastCounts ? newer.reversed() : newer
  }

  /// Whether the item was delivered last as it is: by this run, or before it.
  private func hasDelivered(_ item: Item) -> Bool {
    let digest = TextDigest(item.bytes)
    return newest.items[item.id].map { $0 == digest } ?? (left[digest] != nil)
  }

  /// Those of the items that earlier readings have not brought as they are.
  mutating func withoutBoundary(_ items: [Item]) -> [Item] {
    guard !left.isEmpty else { return items }
    return items.filter { item in
      let digest = TextDigest(item.bytes)
      guard let times = left[digest], times > 0, !removed.contains(item.id) else { return true }
      left[digest] = times - 1
      return false
    }
  }

  /// These are gone: as they were, they may come again.
  mutating func remove(_ ids: [ItemID]) {
    removed.formUnion(ids)
    for id in ids { newest.remove(id) }
  }

  /// What the next reading is to know of what came with the bookmark; nil where no item tells it.
  ///
  /// Where this one is not over it is kept with each page: much of it is not, and may come again.
  func newBoundary(isOver: Bool) -> KnownIDs? {
    guard field != nil else { return isOver ? KnownIDs() : nil }
    let isBeyond =
      newest.bookmark.map { new in before.delivered.map { new.isLater(than: $0) } ?? true } ?? false
    // Which items those are nobody knows.
    let areAsTheyWere = !isBeyond && removed.isEmpty && !hasRenewed
    let items = newest.items.values + (areAsTheyWere ? before.newest.digests : [])
    guard isOver else { return KnownIDs(IDList(items.count <= NewerVersions.mostOnTheWay ? items : [])) }
    return items.isEmpty && removed.isEmpty ? boundary : KnownIDs(IDList(items))
  }

  private static let mostOnTheWay = 1000

  /// The handler makes the bookmark itself.
  mutating func giveWay() { (field, delivered, landed, newest, left) = (nil, nil, [:], Newest(), [:]) }

  private static func greater(_ one: Bytes?, _ other: Bytes) -> Bytes {
    one.map { $0.isLater(than: other) ? $0 : other } ?? other
  }
}
