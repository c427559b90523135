import Items
import Paging
import Terminal

/// A browser over numbered items, in virtual time.
struct BrowseRig {
  var model: BrowseModel
  var list: BrowsedList
  var now = Instant.zero
  var wishes: [BrowseWish] = []

  init(
    items: Int, start: Int = 0, total: Int? = nil, isAtEnd: Bool = true,
    size: TerminalSize = .init(columns: 40, rows: 12)
  ) {
    model = BrowseModel(size: size)
    list = BrowseRig.list(items, start: start, total: total, isAtEnd: isAtEnd)
    update()
  }

  static func item(_ number: Int) -> Item {
    Item(id: .integer(Int64(number)), bytes: Bytes("{\"id\":\(number),\"name\":\"item \(number)\"}"))
  }

  static func list(
    _ items: Int, start: Int = 0, total: Int? = nil, isAtEnd: Bool = true,
    failure: BrowsedList.Failure? = nil
  ) -> BrowsedList {
    var set = ItemSet()
    _ = set.append((start..<start + items).map { item($0 + 1) })
    return BrowsedList(items: set, start: start, total: total, isAtEnd: isAtEnd, failure: failure)
  }

  mutating func press(_ keys: Key..., after pause: Duration = .milliseconds(10)) {
    for key in keys {
      now = now + pause
      wishes += model.handle(key, list, at: now)
      update()
    }
  }

  mutating func type(_ text: String) {
    for character in text { press(.character(character)) }
  }

  mutating func update() { wishes += model.update(list, at: now) }

  mutating func show(_ list: BrowsedList) {
    self.list = list
    update()
  }

  /// The screen as lines without trailing blanks.
  mutating func lines(_ status: BrowseStatus = BrowseStatus()) -> [String] {
    model.screen(list, status, at: now).text.split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
  }
}
