import Items
import TestSupport
import Paging

/// A source that the caller changes together with the feed; a page shows it as it was at some moment.
struct LiveSource {
  /// In order; cursors are ranks, so that what is behind one is known whatever comes and goes.
  private(set) var entries: [(rank: Int64, item: Item)] = []

  init(count: Int) {
    entries = [Item].numbers(0..<count).enumerated().map { (Int64($0.offset + 1) << 32, $0.element) }
  }

  var items: [Item] { entries.map(\.item) }

  func page(for request: FetchRequest) -> Page {
    var rank = Int64.min
    if case .integer(let number) = request.key { rank = number }
    let rest = entries.filter { $0.rank > rank }
    var page = Page(PageItems(rest.prefix(request.size).map(\.item)))
    if rest.count > request.size { page.nextKey = .integer(rest[request.size - 1].rank) }
    return page
  }

  mutating func edit(_ edit: Edit) {
    switch edit {
    case .insert(let items, let placement):
      for item in items where index(of: item.id) == nil { put(item, placement, behind: items) }
    case .remove(let ids): entries.removeAll { ids.contains($0.item.id) }
    case .replace(let items):
      for item in items { if let index = index(of: item.id) { entries[index].item = item } }
    case .move(let ids, let placement):
      let moved = ids.compactMap { id in entries.first { $0.item.id == id }?.item }
      entries.removeAll { ids.contains($0.item.id) }
      for item in moved { put(item, placement, behind: moved) }
    }
  }

  private func index(of id: ItemID) -> Int? { entries.firstIndex { $0.item.id == id } }

  /// Puts an item behind those of its run that are there already.
  private mutating func put(_ item: Item, _ placement: Edit.Placement, behind run: [Item]) {
    var place: Int
    switch placement {
    case .start: place = 0
    case .end: place = entries.count
    case .before(let id): place = index(of: id) ?? entries.count
    case .after(let id): place = index(of: id).map { $0 + 1 } ?? entries.count
    }
    if case .before = placement {
    } else {
      while place < entries.count, run.contains(where: { $0.id == entries[place].item.id }) { place += 1 }
    }
    let low = place > 0 ? entries[place - 1].rank : 0
    let high = place < entries.count ? entries[place].rank : low + 2 << 32
    entries.insert((low + (high - low) / 2, item), at: place)
  }
}
