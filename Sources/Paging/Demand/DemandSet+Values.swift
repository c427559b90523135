public import Items

extension DemandSet {
  /// Whether a page is being fetched or waits for its next attempt.
  public var isFetching: Bool { running != nil }

  /// Items held, as opposed to the source's total.
  public var count: Int { items.count }
  /// The first item received; nil if there is none.
  public var firstItem: Item? { items[0] }
  /// The last item received; nil if there is none.
  public var lastItem: Item? { items[items.count - 1] }

  /// The item at an index from 0, in order of arrival.
  public subscript(index: Int) -> Item? { items[index] }

  /// Whether an item with this id is held.
  public func contains(_ id: ItemID) -> Bool { items.contains(id) }

  /// Pages of the source; without a total, those known so far. Zero before the first page.
  public var totalPages: Int {
    guard lastFetchedPage > 0 else { return 0 }
    guard let totalCount else { return lastFetchedPage }
    let size = plan.effectivePageSize
    return totalCount / size + (totalCount % size == 0 ? 0 : 1)
  }

  /// Whether nothing is known to follow the last fetched page; also when the total shrank.
  public var lastPageAlreadyFetched: Bool {
    if isOver { return true }
    guard lastFetchedPage > 0, plan.kind.isCounted, let totalCount else { return false }
    guard let number = order(of: lastFetchedPage + 1)?.number else { return false }
    return plan.position(of: number) >= Int64(totalCount)
  }

  /// The request for a page; nil while its cursor is unknown.
  func order(of page: Int) -> PageOrder? {
    let direction = page == 1 ? Direction.refresh : .append
    let size = configuration.options.pageSize
    if page == 1 { return PageOrder(key: plan.first, size: size, direction: direction) }
    if let key = keys[page] { return PageOrder(key: key, size: size, direction: direction) }
    let distance = Int64(page - 1)
    switch plan.kind {
    case .cursor: return nil
    case .page:
      return PageOrder(
        key: .integer(plan.firstNumber.clampedSum(distance)), size: size, direction: direction)
    case .offset:
      let offset = plan.firstNumber.clampedSum(distance.clampedProduct(Int64(plan.effectivePageSize)))
      return PageOrder(key: .integer(offset), size: size, direction: direction)
    }
  }
}
