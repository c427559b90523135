import Items
import JSON
import Paging

/// Which items that come again in a reading of what is new since a bookmark are newer than they were: those whose bookmark is
/// greater than all that the reading delivered before. What is edited while the list is read moves to its end.
///
/// A bookmark that a function or a handler makes is not one item's: there, nothing is taken for newer.
struct NewerVersions {
  /// The member that is the bookmark; nil where it is not one.
  private var field: String?
  /// The greatest bookmark of what was delivered, as JSON.
  private(set) var delivered: Bytes?
  /// Whether a person knows that others may have been missed.
  var hasWarned = false
  private var landed: [FetchID: Landed] = [:]

  /// What is known of a page that waits for its turn.
  private struct Landed {
    /// The greatest bookmark of its items.
    var bookmark: Bytes?
    /// Bookmarks from before the transform.
    var given: [ItemID: Bytes] = [:]
    /// How often ids come that come more than once.
    var doubled: [ItemID: Int] = [:]
  }

  init(bookmark field: String?, after delivered: Bytes?) {
    self.field = field
    self.delivered = delivered
  }

  /// Notes the greatest bookmark of items that a fetch has brought.
  mutating func landed(_ fetch: FetchID, _ bookmark: Bytes) {
    guard field != nil else { return }
    landed[fetch, default: Landed()].bookmark = NewerVersions.greater(landed[fetch]?.bookmark, bookmark)
  }

  /// Puts the newest version of each item that a fetch has brought before others of it. `bookmarks` are those that items had before
  /// a transform.
  mutating func sort(_ items: inout [Item], of fetch: FetchID, bookmarks: [Bytes?]) {
    guard let field else { return }
    for (item, bookmark) in zip(items, bookmarks) {
      guard let bookmark else { continue }
      let known = landed[fetch]?.given[item.id]
      landed[fetch, default: Landed()].given[item.id] = NewerVersions.greater(known, bookmark)
    }
    var versions = bookmarks.isEmpty ? nil : bookmarks
    var places: [ItemID: Int] = [:]
    for place in items.indices {
      guard let first = places.updateValue(place, forKey: items[place].id) else { continue }
      places[items[place].id] = first
      landed[fetch, default: Landed()].doubled[items[place].id, default: 1] += 1
      let one = versions?[first] ?? items[first].bytes.member(field)
      let other = versions?[place] ?? items[place].bytes.member(field)
      guard let one, let other, other.isLater(than: one) else { continue }
      items.swapAt(first, place)
      versions?.swapAt(first, place)
    }
  }

  /// What that fetch brought is delivered, but for items that came before; returns those that are newer, in order.
  mutating func deliver(_ fetch: FetchID, repeated: [Item]) -> [Item] {
    let page = landed.removeValue(forKey: fetch)
    defer { if let bookmark = page?.bookmark { delivered = NewerVersions.greater(delivered, bookmark) } }
    guard let field, !repeated.isEmpty else { return [] }
    var seen: [ItemID: Int] = [:]
    for item in repeated { seen[item.id, default: 0] += 1 }
    return repeated.filter { item in
      // Of several in a page the first is the newest, and if that was new there is no other one.
      if let times = page?.doubled[item.id] {
        guard seen[item.id] == times else { return false }
        seen[item.id] = 0
      }
      guard let bookmark = page?.given[item.id] ?? item.bytes.member(field) else { return false }
      return delivered.map { bookmark.isLater(than: $0) } ?? true
    }
  }

  /// The handler makes the bookmark itself.
  mutating func giveWay() { (field, delivered, landed) = (nil, nil, [:]) }

  private static func greater(_ one: Bytes?, _ other: Bytes) -> Bytes {
    one.map { $0.isLater(than: other) ? $0 : other } ?? other
  }
}
