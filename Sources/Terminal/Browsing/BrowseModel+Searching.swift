public import Items
internal import Paging

extension BrowseModel {
  /// Says something until the next key.
  public mutating func say(_ text: String) { message = text }

  /// Whether an item is open whose details are not shown yet.
  public var lacksDetails: Bool {
    if case .item(let tree, _) = mode { !tree.hasDetails } else { false }
  }

  /// Shows details of the open item below what it is itself.
  public mutating func show(details: Bytes) {
    guard case .item(var tree, let top) = mode else { return }
    tree.add(details: ItemValue(details))
    mode = .item(tree, top: top)
  }

  mutating func searchAgain(isForward: Bool, _ list: BrowsedList, at now: Instant) -> [BrowseWish] {
    guard !lastSearch.isEmpty else {
      message = "nothing to search for: type / and a text"
      return []
    }
    search = ListSearch(lastSearch, from: selected + (isForward ? 1 : -1), isForward: isForward)
    return lookOn(list, at: now)
  }

  /// Goes on with a search: among what is held, and at the edge of it until more has come.
  mutating func lookOn(_ list: BrowsedList, at now: Instant) -> [BrowseWish] {
    guard var search else { return [] }
    let outcome = search.look(in: list)
    self.search = search
    switch outcome {
    case .found(let place):
      self.search = nil
      followsEnd = false
      jump(to: place, list, at: now)
    case .goesOn: return [.searchOn]
    case .waits:
      if list.failure != nil, list.failure?.retryAt == nil {
        self.search = nil
        message = "'\(search.text)' is not among the items that are there; a page could not be fetched"
      } else {
        jump(to: search.next, list, at: now)
      }
    case .over:
      self.search = nil
      message =
        search.isForward ? "no '\(search.text)' from here to the end" : "no '\(search.text)' before here"
    }
    return []
  }
}
