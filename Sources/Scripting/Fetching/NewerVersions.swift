import Items
import JSON
import Paging

/// Which items that come again in a reading of what is new since a bookmark are newer than they were: those whose bookmark is
/// greater than all that were delivered before. What is edited while the list is read moves to its end.
///
/// A bookmark that a function makes is not one item's: there, whatever comes again is taken for newer.
struct NewerVersions {
  private var field: String?
  /// The greatest bookmark of what was delivered, as JSON.
  private(set) var delivered: Bytes?
  /// Whether a person knows that others may have been missed.
  var hasWarned = false
  /// Those of pages that wait for their turn.
  private var landed: [FetchID: Bytes] = [:]

  init(bookmark field: String?, after delivered: Bytes?) {
    self.field = field
    self.delivered = delivered
  }

  /// Notes the greatest bookmark of the items that a fetch has brought.
  mutating func landed(_ fetch: FetchID, _ bookmark: Bytes) {
    landed[fetch] = NewerVersions.greater(landed[fetch], bookmark)
  }

  /// What that fetch brought is delivered, but for items that came before; returns those that are newer, in order.
  mutating func deliver(_ fetch: FetchID, repeated: [Item]) -> [Item] {
    let newer = repeated.filter { isNewer($0) }
    if let bookmark = landed.removeValue(forKey: fetch) {
      delivered = NewerVersions.greater(delivered, bookmark)
    }
    return newer
  }

  /// The handler makes the bookmark itself.
  mutating func giveWay() { (field, delivered, landed) = (nil, nil, [:]) }

  /// What can't be told is taken for newer: an item too many is replaced by itself, one too few would stay as it was for ever.
  private func isNewer(_ item: Item) -> Bool {
    guard let field, let delivered, let bookmark = item.bytes.member(field) else { return true }
    return bookmark.isLater(than: delivered)
  }

  private static func greater(_ one: Bytes?, _ other: Bytes) -> Bytes {
    one.map { $0.isLater(than: other) ? $0 : other } ?? other
  }
}
