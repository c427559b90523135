internal import Items

/// Where the reader is, by the ids around the first visible item; it is found again among other items.
struct ReadingPlace {
  /// How far a survivor is looked for on either side (Paging 3).
  private static let reach = 30

  private let first: Int
  /// The index that is looked around: the first visible item, or where the reader is outside of the items the nearest one.
  private let center: Int
  /// The ids around it from `start` on; released items have none.
  private let ids: [ItemID?]
  private let start: Int

  init(_ viewport: Viewport, in items: ItemSet) {
    first = viewport.firstVisible
    center = max(0, min(first, items.count - 1))
    start = max(0, center - Self.reach)
    let stop = min(items.count, center + Self.reach + 1)
    ids = start < stop ? (start..<stop).map { items[$0]?.id } : []
  }

  /// How far the viewport has to move so that the reader keeps the place.
  ///
  /// The first visible item stays the first visible one. Where it is gone the nearest one that is left takes its place:
  /// one that came behind it, else the item behind the one that came before it. Where none is left near, the viewport stays
  /// within the items. A reader outside of the items stays as far outside.
  func distance(to items: ItemSet) -> Int {
    guard !ids.isEmpty else { return 0 }
    for step in 0...Self.reach {
      for index in step == 0 ? [center] : [center + step, center - step] {
        guard ids.indices.contains(index - start), let id = ids[index - start],
          let place = items.path(of: id)?.item
        else { continue }
        if first != center { return place - index }
        return (index < center ? place + 1 : place) - first
      }
    }
    return min(first, max(0, items.count - 1)) - first
  }

  /// The index that the first visible item has among other items, of which more may be to come: only what lay between two that
  /// are left is gone, and the one behind it takes its place. What lay before or behind all that are left stays as far
  /// from them. Nil where none is left near.
  func index(in items: ItemSet) -> Int? {
    let stop = start + ids.count
    let behind = found(max(first, start)..<max(first, stop), in: items)
    let before = found((start..<max(start, min(first, stop))).reversed(), in: items)
    if let behind {
      let takesPlace = behind.old == first || before != nil
      return takesPlace ? behind.new : behind.new - (behind.old - first)
    }
    return before.map { $0.new + (first - $0.old) }
  }

  /// The first of these indices whose item is left, and its index among the other items.
  private func found(_ indices: some Sequence<Int>, in items: ItemSet) -> (old: Int, new: Int)? {
    for index in indices {
      if let id = ids[index - start], let path = items.path(of: id) { return (index, path.item) }
    }
    return nil
  }
}
